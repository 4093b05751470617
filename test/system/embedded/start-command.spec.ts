import { spawn } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { cleanUp, eventually, itAsRoot, NOBODY, temporaryFolder, type User } from './processes';
import { PROJECT } from '../../support/service';
import { Program } from '../../support/program';
import { childrenOf, isAlive } from '../../support/system-processes';

afterEach(cleanUp);

/** Does what the scripts need of npm, and notes what it was asked. It does not go on while the file HOLD exists. */
const NPM = `#!/bin/sh
echo "$*" >> "$CALLS"
sleep $NPM_TAKES
while [ -e "$HOLD" ]; do sleep 0.05; done
case $1 in
  ci) mkdir -p node_modules/jest/bin && cp package-lock.json node_modules/.package-lock.json
    cp "$JEST" node_modules/jest/bin/jest.js ;;
  run) if grep -q broken src/main.ts; then echo "it does not compile"; exit 2; fi
    mkdir -p dist/src client/dist && touch dist/ormconfig.js client/dist/cli.js
    echo 'console.log("serving", process.pid);' > dist/src/main.js ;;
esac
`;

/** Stands in for Jest: the only files are one unit test and one system test, and the unit test fails. */
const JEST = `
const args = process.argv.slice(2);
const isSystem = args.includes('system');
const file = isSystem ? 'test/system/b.spec.ts' : 'test/unit/a.spec.ts';
const patterns = args.filter((arg) => arg.startsWith('test/'));
if (args.includes('--listTests')) {
  if (patterns.every((pattern) => file.startsWith(pattern))) console.log(file);
} else {
  console.log('jest', process.env.NODE_ENV, ...args);
  process.exitCode = isSystem ? 0 : 3;
}`;

interface Clone {
  readonly folder: string;
  run(script: 'start' | 'test' | 'test-unit', options?: { args?: string[]; user?: User }): Program;
  /** Makes npm wait. @returns what lets it go on */
  hold(): () => void;
  /** What npm was asked since the last time. */
  calls(): string[];
}

function clone(npmTakes = 0.05): Clone {
  const folder = temporaryFolder();
  const [tools, calls, held] = ['.tools', '.calls', '.hold'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(tools);
  mkdirSync(join(folder, 'src'));
  cpSync(join(PROJECT, 'scripts'), join(folder, 'scripts'), { recursive: true });
  writeFileSync(join(tools, 'npm'), NPM, { mode: 0o755 });
  writeFileSync(join(tools, 'jest.js'), JEST);
  // `npm test` installs programs that tests use. Here it must not.
  writeFileSync(join(tools, 'apt-get'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  writeFileSync(join(folder, 'src/main.ts'), '// the program\n');
  writeFileSync(join(folder, 'package-lock.json'), lockFile('1.0.0'));
  const env = {
    ...process.env,
    PATH: `${tools}${delimiter}${process.env.PATH ?? ''}`,
    CALLS: calls,
    HOLD: held,
    JEST: join(tools, 'jest.js'),
    NPM_TAKES: String(npmTakes),
  };
  return {
    folder,
    run: (script, { args = [], user } = {}) =>
      new Program(
        spawn(process.execPath, [join(folder, `scripts/${script}.mjs`), ...args], {
          ...user,
          cwd: '/',
          env,
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
      const asked = readFileSync(calls, 'utf8').trim().split('\n');
      rmSync(calls);
      return asked.map((line) => line.split(' ')[0] ?? '');
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
  // In the very process that was started: a signal to it reaches the service.
  expect(program.lines).toEqual([`serving ${program.pid}`]);
}

it('a fresh clone is installed, built and run; the second time it is only run', async () => {
  const project = clone();
  await starts(project);
  expect(project.calls()).toEqual(['ci', 'run']);
  await starts(project);
  expect(project.calls()).toEqual([]);
});

it('several at once on a fresh clone install and build once, and all run', async () => {
  const project = clone(0.3);
  await Promise.all([starts(project), starts(project), starts(project)]);
  expect(project.calls()).toEqual(['ci', 'run']);
});

it("a lock file that names other versions is installed; a developer's own installation is left alone", async () => {
  const project = clone();
  await starts(project);
  project.calls();
  writeFileSync(join(project.folder, 'package-lock.json'), lockFile('2.0.0'));
  await starts(project);
  expect(project.calls()).toEqual(['ci', 'run']);

  writeFileSync(join(project.folder, 'package-lock.json'), lockFile('3.0.0'));
  writeFileSync(join(project.folder, 'node_modules/.package-lock.json'), lockFile('3.0.0'));
  await starts(project);
  expect(project.calls()).toEqual(['run']);
});

it('an installation without the link to a workspace is repeated', async () => {
  const project = clone();
  await starts(project);
  project.calls();
  const link = { 'node_modules/@muster/client': { resolved: 'client', link: true } };
  writeFileSync(join(project.folder, 'package-lock.json'), lockFile('1.0.0', link));
  await starts(project);
  expect(project.calls()).toEqual(['ci', 'run']);
  await starts(project);
  expect(project.calls()).toEqual([]);
});

it('an installation that was cut short is done again', async () => {
  const project = clone();
  await starts(project);
  project.calls();
  rmSync(join(project.folder, 'node_modules/.package-lock.json'));
  await starts(project);
  expect(project.calls()).toEqual(['ci']);
});

it('changed sources are built; sources that were only touched are not', async () => {
  const project = clone();
  await starts(project);
  project.calls();
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
  const project = clone();
  const files = ['dist/src/main.js', 'dist/src/client/cli.js', 'client/dist/api/old.d.ts'].map((name) =>
    join(project.folder, name),
  );
  await starts(project);
  for (const file of files.slice(1)) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
  }
  writeFileSync(join(project.folder, 'src/main.ts'), '// another program\n');
  await starts(project);
  expect(files.map((file) => existsSync(file))).toEqual([true, false, false]);
});

it('a build that fails ends the start, with what the compiler said and a sentence, and is tried again', async () => {
  const project = clone();
  await starts(project);
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

it('one that is killed while it installs does not keep the next from installing, once its npm has ended', async () => {
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
  // The npm that was left alone has finished its work, so there was nothing to install any more.
  expect(project.calls()).toEqual(['ci', 'run']);
});

it('the lock of a process that is long gone is broken', async () => {
  const project = clone();
  const gone = project.run('start');
  await gone.ended;
  rmSync(join(project.folder, 'dist'), { recursive: true });
  mkdirSync(join(project.folder, 'dist'));
  writeFileSync(join(project.folder, 'dist/.preparing'), String(gone.pid));
  await starts(project);
});

itAsRoot("somebody else's clone that cannot be written is refused with a sentence", async () => {
  const project = clone();
  const program = project.run('start', { user: NOBODY });
  expect(await program.ended).toBe(1);
  expect(program.errorOutput).toMatch(/^Muster cannot write .*dist: start it as the user/);
});

describe('npm test', () => {
  const PARALLEL = '--selectProjects unit api client';
  const SERIAL = '--selectProjects system --runInBand';

  /** Runs it with arguments. @returns how it ended, what it ran, and what it said at the end */
  async function test(project: Clone, ...args: string[]) {
    const program = project.run('test', { args });
    const code = await program.ended;
    const said = program.errorLines.map((line) => line.replace(/\d+ s$/, 'N s'));
    // As many lines as it has run tiers, or the one that says that there is nothing to run.
    return { code, ran: program.lines, summary: said.slice(-Math.max(program.lines.length, 1)) };
  }

  it('installs, builds, and runs the system tier after the others, also when these fail', async () => {
    const project = clone();
    const { code, ran, summary } = await test(project);
    expect(code).toBe(3);
    expect(ran).toEqual([`jest test ${PARALLEL}`, `jest test ${SERIAL}`]);
    expect(summary).toEqual(['unit, api and client: failed in N s', 'system: passed in N s']);
    expect(project.calls()).toEqual(['ci', 'run']);
  });

  it('with file names and options runs only the tiers that have such files', async () => {
    const project = clone();
    expect(await test(project, 'test/unit', '--verbose')).toMatchObject({
      code: 3,
      ran: [`jest test test/unit --verbose ${PARALLEL}`],
    });
    expect(await test(project, 'test/system/b.spec.ts')).toMatchObject({
      code: 0,
      ran: [`jest test test/system/b.spec.ts ${SERIAL}`],
      summary: ['system: passed in N s'],
    });
    expect(await test(project, 'test/none')).toEqual({
      code: 1,
      ran: [],
      summary: ['No test file matches test/none'],
    });
  });

  it('has a shortcut for the unit tests, which builds nothing', async () => {
    const project = clone();
    const program = project.run('test-unit', { args: ['test/unit'] });
    expect(await program.ended).toBe(3);
    expect(program.lines).toEqual(['jest test test/unit --selectProjects unit']);
    expect(project.calls()).toEqual(['ci']);
  });
});
