import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

/** The timeout (ms) of `Program.line`. */
const LINE_TIMEOUT = 60_000;

declare global {
  /** Set by environment.cjs; undefined in `globalSetup`. */
  var testFile: { readonly hasEnded: boolean } | undefined;
}

// Jest removes the global with the environment, but what a hook has begun goes on after its timeout.
const { testFile } = globalThis;

/** A child process and the lines that it has printed. */
export class Program {
  /** Lines of standard output. */
  readonly lines: string[] = [];
  /** Lines of standard error. */
  readonly errorLines: string[] = [];
  /** The exit code, or the signal that ended the process. */
  readonly ended: Promise<number | NodeJS.Signals>;
  private hasEnded = false;
  private wake: (() => void)[] = [];

  constructor(readonly child: ChildProcess) {
    started.add(this);
    if (testFile?.hasEnded === true) child.kill('SIGKILL');
    // A detached program would survive a Jest that is killed. This shell reads a pipe that closes with Jest, then kills it.
    // It ignores the signals that a terminal, or `timeout`, sends to Jest and to it at the same time.
    const script = 'trap "" HUP INT TERM; read -r line; kill -s KILL "$1"';
    const watchdog = spawn('/bin/sh', ['-c', script, 'sh', String(child.pid)], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.once('close', () => watchdog.kill('SIGKILL'));
    this.collect(child.stdout, this.lines);
    this.collect(child.stderr, this.errorLines);
    this.ended = new Promise((settle, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => {
        this.hasEnded = true;
        this.wakeAll();
        started.delete(this);
        settle(signal ?? code ?? -1);
      });
    });
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error('the program did not start');
    return this.child.pid;
  }

  get errorOutput(): string {
    return this.errorLines.join('\n');
  }

  get running(): boolean {
    return !this.hasEnded;
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Waits for a line for which `find` returns something, and returns that. */
  async line<T>(find: (line: string) => T | undefined, what: string, lines = this.lines): Promise<T> {
    const deadline = Date.now() + LINE_TIMEOUT;
    for (let seen = 0; ;) {
      for (; seen < lines.length; seen++) {
        const found = find(lines[seen] ?? '');
        if (found !== undefined) return found;
      }
      if (this.hasEnded || Date.now() > deadline) {
        throw new Error(`did not print ${what}; it printed:\n${this.lines.join('\n')}\n${this.errorOutput}`);
      }
      await Promise.race([new Promise<void>((settle) => this.wake.push(settle)), delay(1_000)]);
    }
  }

  private collect(stream: Readable | null, lines: string[]): void {
    let rest = '';
    stream?.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop() ?? '';
      lines.push(...parts);
      this.wakeAll();
    });
  }

  private wakeAll(): void {
    for (const wake of this.wake.splice(0)) wake();
  }
}

const started = new Set<Program>();

/** Kills every program that this test file has started and that still runs. */
export async function killPrograms(): Promise<void> {
  const running = [...started];
  for (const program of running) program.kill('SIGKILL');
  await Promise.all(running.map((program) => program.ended));
}
