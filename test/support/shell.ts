import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Caller } from './caller';

/** The built command-line client. */
export const MUSTER = resolve(__dirname, '../../dist/src/client/cli.js');

/** What a command has printed, and how it ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** Put beside, or in place of, the settings. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Buffer;
  readonly cwd?: string;
}

/** A folder of its own that is removed after the suite. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-client-'));
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

/** Runs `muster` as somebody, in pipes, as a script would. */
export async function muster(who: Caller, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const child = spawn(process.execPath, [MUSTER, ...args], {
    env: { ...environmentOf(who), ...options.env },
    cwd: options.cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // A program that ends without reading its input closes it.
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.stdin);
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
