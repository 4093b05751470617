import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Caller } from './caller';
import { CommandRunner, type Ended } from './command-runner';

/** The built command-line client. */
export const MUSTER = resolve(__dirname, '../../client/dist/cli.js');

export type { Ended };

export interface RunOptions {
  /** Put beside, or in place of, the settings. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Buffer;
  /** A run with a folder of its own is a process of its own. */
  readonly cwd?: string;
}

/** A folder of its own that is removed after the suite. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), `muster-test-${String(process.pid)}-client-`));
  folders.push(folder);
  return folder;
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A shell's environment for somebody: settings as variables, and no profile of whoever runs the tests. */
export function environmentOf({ url, credentials }: Caller): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: '/nonexistent',
    LANG: 'C.UTF-8',
    MUSTER_URL: url,
    MUSTER_PROJECT: credentials.project,
    MUSTER_USER: credentials.user,
    MUSTER_TOKEN: credentials.token,
  };
}

const runner = new CommandRunner('client-runner.cjs');
afterAll(() => runner.end());

/**
 * Runs `muster` as somebody, in pipes, as a script would. The runs of a test file share a process, which costs a tenth of a
 * process for each; `musterProcess` starts one.
 */
export async function muster(who: Caller, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  if (options.cwd !== undefined) return musterProcess(who, args, options);
  const environment = { ...environmentOf(who), ...options.env };
  return runner.run({ args, environment, stdin: Buffer.from(options.stdin ?? '').toString('base64') });
}

/** The same, always in a process of its own. */
export async function musterProcess(
  who: Caller,
  args: readonly string[],
  { env, stdin, cwd }: RunOptions = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [MUSTER, ...args], {
    env: { ...environmentOf(who), ...env },
    cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // A program that ends without reading its input closes it.
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin);
  return ended(child);
}

/** Waits for a program that was started in pipes. */
export async function ended(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  const closed = new Promise<number | null>((done) => child.once('close', done));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { code, stdout, stderr };
}

/** What a command prints that succeeds. */
export async function printed(
  who: Caller,
  args: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  const { code, stdout, stderr } = await muster(who, args, options);
  if (code !== 0) throw new Error(`muster ${args.join(' ')} ended with ${String(code)}:\n${stderr}`);
  return stdout;
}
