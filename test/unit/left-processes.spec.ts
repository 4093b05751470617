import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Program } from '../support/program';

const PROJECT = resolve(__dirname, '../..');
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), `muster-test-${String(process.pid)}-left-`));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

it.each([
  ['before its timeout', 'record(start().pid)'],
  ['after the end of its test file', 'await setTimeout(2_000); record(new Program(start()).pid)'],
])('a hook that exceeds its timeout leaves no process that it has started %s', async (_, begin) => {
  const pidFile = join(folder, 'pid');
  writeFileSync(
    join(folder, 'hanging.spec.ts'),
    `import { spawn } from 'node:child_process';
    import { writeFileSync } from 'node:fs';
    import { setTimeout } from 'node:timers/promises';
    import { Program } from '${PROJECT}/test/support/program';
    const start = () => spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1_000)'], { stdio: ['ignore', 'pipe', 'pipe'] });
    const record = (pid) => writeFileSync('${pidFile}', String(pid));
    beforeAll(async () => { ${begin}; await new Promise(() => undefined); }, 500);
    it('waits for the hook', () => undefined);`,
  );
  const config = {
    rootDir: folder,
    testEnvironment: join(PROJECT, 'test/support/environment.cjs'),
    transform: {
      '^.+\\.ts$': [
        join(PROJECT, 'node_modules/@swc/jest'),
        { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
      ],
    },
  };
  const jest = new Program(
    spawn(
      process.execPath,
      [join(PROJECT, 'node_modules/jest/bin/jest.js'), '--runInBand', '--config', JSON.stringify(config)],
      { cwd: PROJECT, stdio: ['ignore', 'pipe', 'pipe'] },
    ),
  );
  expect(await jest.ended).toBe(1);
  expect(jest.errorOutput).toContain('Exceeded timeout of 500 ms for a hook');
  const pid = readFileSync(pidFile, 'utf8');
  expect(existsSync(`/proc/${pid}`)).toBe(false);
});
