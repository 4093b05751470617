import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

const PATIENCE_SECONDS = 60;

/** A server process under measurement. */
export class Program {
  private constructor(
    private readonly child: ChildProcess,
    readonly pid: number,
    /** Where it serves, without a slash at the end. */
    readonly url: string,
  ) {}

  /**
   * Starts Node on a module, and waits until it says on standard error where it serves.
   * What it writes to standard output, its log, is thrown away by the system: it is made, but stored nowhere.
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
    if (child.pid === undefined) throw new Error('a process without a number serves');
    return new Program(child, child.pid, url);
  }

  /** Asks it to stop, and waits until it has. */
  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = new Promise((settle) => this.child.once('exit', settle));
    this.child.kill('SIGTERM');
    await ended;
  }
}

function servingOn(child: ChildProcess): Promise<string> {
  return new Promise((settle, reject) => {
    const said: string[] = [];
    const giveUp = (how: string) => {
      child.kill('SIGKILL');
      reject(new Error(`A server under measurement ${how}; it said: ${said.join('\n')}`));
    };
    const timer = setTimeout(() => {
      giveUp(`did not serve within ${String(PATIENCE_SECONDS)} seconds`);
    }, PATIENCE_SECONDS * 1000);
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      giveUp(`ended (${String(signal ?? code)})`);
    });
    if (!child.stderr) throw new Error('a process was started without its standard error');
    createInterface(child.stderr).on('line', (line) => {
      said.push(line);
      const url = /serving on (http:\S+)/.exec(line)?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      child.removeAllListeners('exit');
      settle(url);
    });
  });
}
