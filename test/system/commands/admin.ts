import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { run } from '../../../src/commands/program';

export const PROJECT = resolve(__dirname, '../../..');
/** The built `muster-admin`. */
const PROGRAM = join(PROJECT, 'dist/src/cli.js');

/** What Node is given to run it, before what that is given itself. */
export const program = (): readonly string[] => [PROGRAM];

/** A data folder that is not there. */
const NOWHERE = '/nonexistent/muster';

/** A command that has ended: by itself, for nothing ends it here. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command of `muster-admin` in this process, until it ends: with nothing of its environment but what is given, with
 * nothing to read, and without an interruption.
 */
export async function admin(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Ended> {
  const printed = { stdout: '', stderr: '' };
  const collecting = (stream: keyof typeof printed) =>
    new Writable({
      decodeStrings: false,
      write(text: string | Buffer, _, done) {
        printed[stream] += text.toString();
        done();
      },
    });
  const code = await run(args, {
    // Not where somebody works on the project has an inventory of his own.
    environment: { DATA_DIR: NOWHERE, ...environment },
    input: Readable.from([]),
    output: collecting('stdout'),
    errors: collecting('stderr'),
    interruption: () => new AbortController().signal,
  });
  return { code, ...printed };
}

/** Runs the built program from a folder that is not the project's: where it is the process that is tested. */
export function builtAdmin(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Ended> {
  return runNode([PROGRAM, ...args], environment);
}

/** Starts the built program: to be interrupted, or left alone with its output. */
export function startAdmin(args: readonly string[], environment: Readonly<Record<string, string>>) {
  return spawn(process.execPath, [...program(), ...args], {
    cwd: '/',
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export function runNode(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
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

/** What it printed, where it must have succeeded and said nothing besides. */
export async function printed(ended: Promise<Ended>): Promise<string> {
  const { stdout, ...rest } = await ended;
  expect(rest).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** The one sentence that it said, where it must have failed and printed nothing. */
export async function refusal(ended: Promise<Ended>): Promise<string> {
  const { stderr, ...rest } = await ended;
  expect({ ...rest, stderr }).toEqual({ code: 1, stdout: '', stderr });
  const [, sentence = ''] = /^muster-admin: (.*)\n$/.exec(stderr) ?? [];
  expect({ stderr, sentence }).not.toMatchObject({ sentence: '' });
  return sentence;
}

/** The values of lines such as `api key: …`, by what stands before the colon. */
export const linesByName = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .trimEnd()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
