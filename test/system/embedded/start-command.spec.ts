import { spawn } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import {
  cleanUp,
  eventually,
  itAsRoot,
  lastingFolder,
  NOBODY,
  temporaryFolder,
  type User,
} from './processes';
import { PROJECT } from '../../support/service';
import { Program } from '../../support/program';
import { childrenOf, isAlive } from '../../support/system-processes';

afterEach(cleanUp);

/** A fake npm. It records its arguments, and waits while the file HOLD exists. */
const NPM = `#!/bin/sh
echo "$*" >> "$CALLS"
sleep $NPM_TAKES
while [ -e "$HOLD" ]; do sleep 0.05; done
case $1 in
  ci) mkdir -p node_modules/jest/bin && cp package-lock.json node_modules/.package-lock.json
    cp "$JEST" node_modules/jest/bin/jest.js ;;
  run) if grep -q broken src/main.ts; then echo "it does not compile"; exit 2; fi
    mkdir -p dist/src dist/bundle dist/web client/dist packages/embedded-postgres/dist
    touch dist/bundle/programs.cache dist/ormconfig.js dist/web/index.html client/dist/cli.js packages/embedded-postgres/dist/index.js
    echo 'console.log("serving", process.pid);' > dist/src/main.js ;;
esac
`;

/** A fake apt-get. It waits while the file HOLD exists, without other programs. */
const APT = `#!/bin/sh
echo "apt-get $*" >> "$CALLS"
while [ -e "$HOLD" ]; do :; done
`;

/** A fake Jest, of which a test fails. */
const JEST = `console.log('jest', process.env.NODE_ENV, ...process.argv.slice(2)); process.exitCode = 3;`;

interface Clone {
  readonly folder: string;
  /** @param options `onlyFakes`: the PATH has no other programs */
  run(
    script: 'start' | 'test' | 'test-unit',
    options?: { args?: string[]; user?: User; onlyFakes?: boolean },
  ): Program;
  /** Makes npm and apt-get wait. @returns a function that lets it continue */
  hold(): () => void;
  /** The npm commands since the last call. */
  calls(): string[];
}

function clone(npmTakes = 0.05, folder = temporaryFolder()): Clone {
  makeFiles(folder);
  return cloneIn(folder, npmTakes);
}

/** The path of one of the fakes. */
const toolIn = (folder: string, name: string): string => join(folder, '.tools', name);

/** The files of a fresh clone, with the fakes. */
function makeFiles(folder: string): void {
  mkdirSync(join(folder, '.tools'));
  mkdirSync(join(folder, 'src'));
  for (const copied of ['scripts', 'test/system/clients'])
    cpSync(join(PROJECT, copied), join(folder, copied), { recursive: true });
  writeFileSync(toolIn(folder, 'npm'), NPM, { mode: 0o755 });
  writeFileSync(toolIn(folder, 'jest.js'), JEST);
  writeFileSync(toolIn(folder, 'apt-get'), APT, { mode: 0o755 });
  writeFileSync(join(folder, 'src/main.ts'), '// the program\n');
  writeFileSync(join(folder, 'package-lock.json'), lockFile('1.0.0'));
}

let model: Promise<string> | undefined;

/** A clone in which a start has installed and built. It is a copy of one. */
async function startedClone(): Promise<Clone> {
  model ??= (async () => {
    const project = clone(undefined, lastingFolder());
    await starts(project);
    project.calls();
    return project.folder;
  })();
  const folder = temporaryFolder();
  cpSync(await model, folder, { recursive: true });
  return cloneIn(folder);
}

function cloneIn(folder: string, npmTakes = 0.05): Clone {
  const [tools, calls, held] = ['.tools', '.calls', '.hold'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const env = {
    ...process.env,
    PATH: `${tools}${delimiter}${process.env.PATH ?? ''}`,
    CALLS: calls,
    XDG_CACHE_HOME: join(folder, '.cache'),
    // Without CI, an installation that fails is only reported: the fake npm needs more programs than there are in onlyFakes.
    CI: undefined,
    HOLD: held,
    JEST: toolIn(folder, 'jest.js'),
    NPM_TAKES: String(npmTakes),
  };
  return {
    folder,
    run: (script, { args = [], user, onlyFakes = false } = {}) =>
      new Program(
        spawn(process.execPath, [join(folder, `scripts/${script}.mjs`), ...args], {
          ...user,
          cwd: '/',
          env: onlyFakes ? { ...env, PATH: tools } : env,
          stdio: ['ignore', 'pipe', 'pipe'],
        }),
      ),
    hold: () => {
      writeFileSync(held, '');
      return () => {
        rmSync(held);
      };
    },
    calls: () => {
      if (!existsSync(calls)) return [];
      const commands = readFileSync(calls, 'utf8').trim().split('\n');
      rmSync(calls);
      return commands.map((line) => line.split(' ')[0] ?? '');
    },
  };
}

function lockFile(version: string, others = {}): string {
  return JSON.stringify({
    packages: {
      '': { name: 'muster' },
      'node_modules/a': { version, integrity: `sha512-${version}` },
      'node_modules/for-another-platform': { version: '1.0.0', optional: true },
      ...others,
    },
  });
}

async function starts(project: Clone): Promise<void> {
  const program = project.run('start');
  expect({ ending: await program.ended, errors: program.errorOutput }).toMatchObject({ ending: 0 });
  // The service runs in the started process, so that signals reach it.
  expect(program.lines).toEqual([`serving ${program.pid}`]);
}

it('npm start installs, builds and runs a fresh clone; the second start only runs it', async () => {
  const project = clone();
  await starts(project);
  expect(project.calls()).toEqual(['ci', 'run']);
  await starts(project);
  expect(project.calls()).toEqual([]);
});

it('concurrent starts of a fresh clone install and build once', async () => {
  const project = clone(0.3);
  await Promise.all([starts(project), starts(project), starts(project)]);
  expect(project.calls()).toEqual(['ci', 'run']);
});

it("a changed lock file is installed, unless a developer's installation matches it", async () => {
  const project = await startedClone();
  writeFileSync(join(project.folder, 'package-lock.json'), lockFile('2.0.0'));
  await starts(project);
  expect(project.calls()).toEqual(['ci', 'run']);

  writeFileSync(join(project.folder, 'package-lock.json'), lockFile('3.0.0'));
  writeFileSync(join(project.folder, 'node_modules/.package-lock.json'), lockFile('3.0.0'));
  await starts(project);
  expect(project.calls()).toEqual(['run']);
});

it('an installation without the link to a workspace is repeated', async () => {
  const project = await startedClone();
  const link = { 'node_modules/@muster/client': { resolved: 'client', link: true } };
  writeFileSync(join(project.folder, 'package-lock.json'), lockFile('1.0.0', link));
  await starts(project);
  expect(project.calls()).toEqual(['ci', 'run']);
  await starts(project);
  expect(project.calls()).toEqual([]);
});

it('an interrupted installation is repeated', async () => {
  const project = await startedClone();
  rmSync(join(project.folder, 'node_modules/.package-lock.json'));
  await starts(project);
  expect(project.calls()).toEqual(['ci']);
});

it('changed sources are built, and rewritten but equal sources are not', async () => {
  const project = await startedClone();
  appendFileSync(join(project.folder, 'src/main.ts'), '');
  writeFileSync(join(project.folder, 'src/main.ts'), readFileSync(join(project.folder, 'src/main.ts')));
  await starts(project);
  expect(project.calls()).toEqual([]);

  mkdirSync(join(project.folder, 'src/deep'));
  writeFileSync(join(project.folder, 'src/deep/new.ts'), '');
  await starts(project);
  expect(project.calls()).toEqual(['run']);

  rmSync(join(project.folder, 'dist/src/main.js'));
  await starts(project);
  expect(project.calls()).toEqual(['run']);
});

it('a build removes the output of sources that were moved or deleted', async () => {
  const project = await startedClone();
  const files = ['dist/src/main.js', 'dist/src/client/cli.js', 'client/dist/api/old.d.ts'].map((name) =>
    join(project.folder, name),
  );
  for (const file of files.slice(1)) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
  }
  writeFileSync(join(project.folder, 'src/main.ts'), '// another program\n');
  await starts(project);
  expect(files.map((file) => existsSync(file))).toEqual([true, false, false]);
});

it('a failed build ends the start with the compiler output and a sentence, and is repeated', async () => {
  const project = await startedClone();
  writeFileSync(join(project.folder, 'src/main.ts'), 'broken');
  const program = project.run('start');
  expect(await program.ended).toBe(1);
  expect(program.lines).toEqual([]);
  expect(program.errorOutput).toContain('it does not compile\n"npm run build" failed (2): see above.');
  project.calls();

  writeFileSync(join(project.folder, 'src/main.ts'), '// the program\n');
  await starts(project);
  expect(project.calls()).toEqual(['run']);
});

it('a start that is killed during an installation makes the next one wait only for its npm', async () => {
  const project = clone();
  const release = project.hold();
  const killed = project.run('start');
  await eventually(() => existsSync(join(project.folder, '.calls')), 'npm to begin');
  const npm = childrenOf(killed.pid);
  expect(npm).toHaveLength(1);
  killed.kill('SIGKILL');
  const next = project.run('start');
  await eventually(() => next.errorOutput.includes('Waiting for another'), 'the next to wait');
  expect(npm.every(isAlive)).toBe(true);
  release();
  expect(await next.ended).toBe(0);
  // The orphaned npm has completed the installation.
  expect(project.calls()).toEqual(['ci', 'run']);
});

it('the lock of an exited process is removed', async () => {
  const project = await startedClone();
  const exited = project.run('start');
  await exited.ended;
  rmSync(join(project.folder, 'dist'), { recursive: true });
  mkdirSync(join(project.folder, 'dist'));
  writeFileSync(join(project.folder, 'dist/.preparing'), String(exited.pid));
  await starts(project);
});

itAsRoot("another user's clone that is not writable is refused with a sentence", async () => {
  const project = clone();
  const program = project.run('start', { user: NOBODY });
  expect(await program.ended).toBe(1);
  expect(program.errorOutput).toMatch(/^Muster cannot write .*dist: start it as the user/);
});

describe('npm test', () => {
  it('installs, builds, and runs all tests, or those that its arguments select', async () => {
    const project = clone();
    const all = project.run('test');
    expect([await all.ended, all.lines]).toEqual([3, ['jest test']]);
    expect(project.calls()).toEqual(['ci', 'run']);
    const some = project.run('test', { args: ['test/unit', '--verbose'] });
    expect([await some.ended, some.lines]).toEqual([3, ['jest test test/unit --verbose']]);
    expect(project.calls()).toEqual([]);
  });

  it('installs the other programs that tests run only with --with-peers, and else says how', async () => {
    const project = await startedClone();
    const args = ['test/system/b.spec.ts'];
    const program = project.run('test', { args, onlyFakes: true });
    expect(await program.ended).toBe(3);
    expect(program.errorOutput).toMatch(
      /^Not installed, .*: ansible-inventory, (.*\n)+.*"npm test -- --with-peers" .* apt-get install ansible-core /m,
    );
    expect(project.calls()).toEqual([]);

    const resume = project.hold();
    const installing = project.run('test', { args: ['--with-peers', ...args], onlyFakes: true });
    const started = `jest test ${args[0] ?? ''}`;
    // Jest runs while apt-get does.
    await installing.line((line) => line === started || undefined, started);
    expect(installing.running).toBe(true);
    resume();
    expect([await installing.ended, installing.lines]).toEqual([3, [started]]);
    // npm is asked for the generator of the TypeScript client; the programs of the others are missing.
    expect(project.calls()).toEqual(['apt-get', 'apt-get', 'ci']);
  });

  it('test-unit runs the unit tests without a build', async () => {
    const project = clone();
    const program = project.run('test-unit', { args: ['test/unit'] });
    expect(await program.ended).toBe(3);
    expect(program.lines).toEqual(['jest test test/unit --selectProjects unit']);
    expect(project.calls()).toEqual(['ci']);
  });
});
