import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

/** The result of a command. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command line with its environment and input. */
export interface CommandLine {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** In base64. */
  readonly stdin?: string;
}

type RunnerMessage =
  | { readonly id: number; readonly ended: Ended }
  | { readonly id: number; readonly failure: string };

interface Pending {
  readonly settle: (ended: Ended) => void;
  readonly reject: (error: Error) => void;
}

/** A process that runs the `muster-admin` commands of one test file. */
export class AdminRunner {
  private child: ChildProcess | undefined;
  private closed: Promise<unknown> = Promise.resolve();
  private readonly pending = new Map<number, Pending>();
  private sent = 0;

  run(line: CommandLine): Promise<Ended> {
    const child = (this.child ??= this.start());
    const id = ++this.sent;
    return new Promise((settle, reject) => {
      this.pending.set(id, { settle, reject });
      child.send({ id, ...line });
    });
  }

  async end(): Promise<void> {
    this.child?.disconnect();
    await this.closed;
    this.child = undefined;
  }

  private start(): ChildProcess {
    const child = startRunner('admin-runner.cjs');
    child.on('message', (message: RunnerMessage) => {
      const { settle, reject } = this.pending.get(message.id)!;
      this.pending.delete(message.id);
      if ('ended' in message) settle(message.ended);
      else reject(new Error(message.failure));
    });
    this.closed = new Promise((settle) => {
      child.once('exit', () => {
        for (const { reject } of this.pending.values()) reject(new Error('admin-runner.cjs has ended'));
        settle(undefined);
      });
    });
    return child;
  }
}

/** Starts the process of a runner. It exits with this process, when their channel closes. */
const startRunner = (script: 'admin-runner.cjs' | 'client-runner.cjs', cwd = '/'): ChildProcess =>
  fork(join(__dirname, script), { cwd, env: { PATH: process.env.PATH }, execArgv: [] });

/**
 * Starts a process that runs `muster` commands.
 * @param cwd their working folder. The one that all test files share has none of its own
 * @returns the process, and its URL for `runClient`
 */
export async function startClientRunner(cwd?: string): Promise<{ process: ChildProcess; url: string }> {
  const runner = startRunner('client-runner.cjs', cwd);
  const port = await new Promise((settle, reject) => {
    runner.once('message', settle);
    runner.once('exit', () => {
      reject(new Error('client-runner.cjs did not start'));
    });
  });
  return { process: runner, url: `http://127.0.0.1:${String(port)}` };
}

/** Runs a `muster` command in the process that all test files share. */
export async function runClient(line: CommandLine): Promise<Ended> {
  const { TEST_CLIENT_RUNNER: url } = process.env;
  if (url === undefined) throw new Error('global-setup.ts has not started client-runner.cjs for this tier');
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(line) });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Ended;
}
