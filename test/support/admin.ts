import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { AdminRunner, type Ended } from './command-runner';
import { PROJECT } from './service';

export type { Ended };

type Environment = Readonly<Record<string, string>>;

/** The built `muster-admin`. */
export const ADMIN = join(PROJECT, 'dist/src/cli.js');

/** A data folder that does not exist, so that commands without DATABASE_URL do not use the developer's database. */
const NO_DATA_DIR = '/nonexistent/muster';

const runner = new AdminRunner();
afterAll(() => runner.end());

/**
 * Runs a command of `muster-admin` with only the given environment and empty input. Commands of one test file share a
 * process. `builtAdmin` starts a separate one.
 */
export function admin(args: readonly string[], environment: Environment): Promise<Ended> {
  return runner.run({ args, environment: { DATA_DIR: NO_DATA_DIR, ...environment } });
}

/** Runs a command of the built program in a separate process, outside the project folder. */
export function builtAdmin(args: readonly string[], environment: Environment): Promise<Ended> {
  return runNode([ADMIN, ...args], environment);
}

/** Starts the built program, for tests that interrupt it or stop reading its output. */
export function startAdmin(args: readonly string[], environment: Environment) {
  return spawn(process.execPath, [ADMIN, ...args], {
    cwd: '/',
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** The output of `muster-admin verify --json`. */
export interface VerificationReport {
  readonly checks: readonly { name: string; promise: string; checked: number; faults: number }[];
  readonly faults: readonly {
    check: string;
    project_id: string | null;
    kind: string;
    id: number | null;
    problem: string;
  }[];
}

/** Runs `muster-admin verify` on a database. */
export async function verifyDatabase(
  databaseUrl: string,
  environment: Environment = {},
): Promise<VerificationReport> {
  const args = ['verify', '--json', '--faults', '1000000'];
  const { stdout, stderr } = await builtAdmin(args, { ...environment, DATABASE_URL: databaseUrl });
  if (stdout === '') throw new Error(`muster-admin verify failed: ${stderr}`);
  return JSON.parse(stdout) as VerificationReport;
}

export function runNode(args: readonly string[], environment: Environment = {}): Promise<Ended> {
  const child = spawn(process.execPath, args, {
    cwd: '/',
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  return new Promise((settle, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      settle({ code, ...output });
    });
  });
}

/** The standard output of a command, which must succeed without messages. */
export async function printed(ended: Promise<Ended>): Promise<string> {
  const { stdout, ...rest } = await ended;
  expect(rest).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** The message of a command, which must fail without output. */
export async function refusal(ended: Promise<Ended>): Promise<string> {
  const { stderr, ...rest } = await ended;
  expect({ ...rest, stderr }).toEqual({ code: 1, stdout: '', stderr });
  const [, sentence = ''] = /^muster-admin: (.*)\n$/.exec(stderr) ?? [];
  expect({ stderr, sentence }).not.toMatchObject({ sentence: '' });
  return sentence;
}

/** The values of lines such as `api key: …`, by the text before the colon. */
export const linesByName = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .trimEnd()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
