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
  { readonly id: number; readonly ended: Ended } | { readonly id: number; readonly failure: string };

interface Pending {
  readonly settle: (ended: Ended) => void;
  readonly reject: (error: Error) => void;
}

/** A process that runs the commands of one test file, by one of the scripts `*-runner.cjs`. */
export class CommandRunner {
  private child: ChildProcess | undefined;
  private closed: Promise<unknown> = Promise.resolve();
  private readonly pending = new Map<number, Pending>();
  private sent = 0;

  constructor(private readonly script: 'admin-runner.cjs' | 'client-runner.cjs') {}

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
    // It exits with this process, when their channel closes.
    const child = fork(join(__dirname, this.script), {
      cwd: '/',
      env: { PATH: process.env.PATH },
      execArgv: [],
    });
    child.on('message', (message: RunnerMessage) => {
      const { settle, reject } = this.pending.get(message.id)!;
      this.pending.delete(message.id);
      if ('ended' in message) settle(message.ended);
      else reject(new Error(message.failure));
    });
    this.closed = new Promise((settle) => {
      child.once('exit', () => {
        for (const { reject } of this.pending.values()) reject(new Error(`${this.script} has ended`));
        settle(undefined);
      });
    });
    return child;
  }
}
