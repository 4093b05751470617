import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

const START_TIMEOUT_SECONDS = 60;

/** A server process under measurement. */
export class Program {
  private constructor(
    private readonly child: ChildProcess,
    readonly pid: number,
    /** The URL, without a trailing slash. */
    readonly url: string,
  ) {}

  /**
   * Starts a Node module, and waits until it prints its URL on standard error.
   * Its standard output, the log, is discarded.
   */
  static async start(
    args: readonly string[],
    env: Readonly<Record<string, string | undefined>>,
  ): Promise<Program> {
    const child = spawn(process.execPath, args, {
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const url = await servingOn(child);
    if (child.pid === undefined) throw new Error('the process has no process ID');
    return new Program(child, child.pid, url);
  }

  /** Stops the process, and waits for its exit. */
  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = new Promise((settle) => this.child.once('exit', settle));
    this.child.kill('SIGTERM');
    await ended;
  }
}

function servingOn(child: ChildProcess): Promise<string> {
  return new Promise((settle, reject) => {
    const lines: string[] = [];
    const fail = (how: string) => {
      child.kill('SIGKILL');
      reject(new Error(`A server under measurement ${how}; it printed: ${lines.join('\n')}`));
    };
    const timer = setTimeout(() => {
      fail(`did not serve within ${String(START_TIMEOUT_SECONDS)} seconds`);
    }, START_TIMEOUT_SECONDS * 1000);
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      fail(`ended (${String(signal ?? code)})`);
    });
    if (!child.stderr) throw new Error('the process has no standard error');
    createInterface(child.stderr).on('line', (line) => {
      lines.push(line);
      const url = /serving on (http:\S+)/.exec(line)?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      child.removeAllListeners('exit');
      settle(url);
    });
  });
}
