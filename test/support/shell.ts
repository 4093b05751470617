import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Caller } from './caller';
import { runClient, type Ended } from './command-runner';

/** The built command-line client. */
export const MUSTER = resolve(__dirname, '../../client/dist/cli.js');

export type { Ended };

export interface RunOptions {
  /** Additional environment variables, which override the settings. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Buffer;
  /** The working folder. It needs a separate process. */
  readonly cwd?: string;
}

/** A new folder that is removed after the suite. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), `muster-test-${String(process.pid)}-client-`));
  folders.push(folder);
  return folder;
}

/** Writes a file in a new temporary folder. @returns its path */
export function temporaryFile(name: string, content: string | Buffer): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, content);
  return file;
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A shell's environment with a caller's settings, and without the profile of the developer. */
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

/**
 * Runs `muster` as a caller, with pipes, as a script does. All test files share its process, which is ten times
 * faster. `musterProcess` starts a separate one.
 */
export async function muster(
  caller: Caller,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Ended> {
  if (options.cwd !== undefined) return musterProcess(caller, args, options);
  const environment = { ...environmentOf(caller), ...options.env };
  return runClient({ args, environment, stdin: Buffer.from(options.stdin ?? '').toString('base64') });
}

/** Runs `muster` in a separate process. */
export async function musterProcess(
  caller: Caller,
  args: readonly string[],
  { env, stdin, cwd }: RunOptions = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [MUSTER, ...args], {
    env: { ...environmentOf(caller), ...env },
    cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // A program may exit without reading its input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin);
  return ended(child);
}

/** Waits for a program that was started with pipes. */
export async function ended(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  const closed = new Promise<number | null>((done) => child.once('close', done));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { code, stdout, stderr };
}

/** The output of a command, which must succeed. */
export async function printed(
  caller: Caller,
  args: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  const { code, stdout, stderr } = await muster(caller, args, options);
  if (code !== 0) throw new Error(`muster ${args.join(' ')} ended with ${String(code)}:\n${stderr}`);
  return stdout;
}
