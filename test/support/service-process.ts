import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Caller } from './caller';
import { Program } from './program';
import { addressOf, credentialsOf, PROJECT } from './service';
import { until } from './until';

/** A line of the service's log. */
interface LogLine {
  readonly worker?: number;
  readonly pid: number;
  readonly request_id?: string;
}

/** A process of the built service, for tests of its start, shutdown and output. */
export class ServiceProcess extends Program {
  /** Waits until it serves. @returns its URL */
  serving(): Promise<string> {
    return addressOf(this);
  }

  /** A caller as the root user, whose credentials the first start on a database prints. */
  async root(): Promise<Caller> {
    const credentials = await credentialsOf(this);
    return new Caller(await this.serving(), credentials);
  }

  /** Waits until `times` lines of standard error match. */
  async untilPrinted(sentence: RegExp, times = 1): Promise<void> {
    const isPrinted = () => this.errorLines.filter((line) => sentence.test(line)).length >= times;
    await until(String(sentence), 90, () => Promise.resolve(isPrinted() || !this.running));
    if (!isPrinted())
      throw new Error(`the service exited without printing ${String(sentence)}: ${this.errorOutput}`);
  }

  /** Waits for the log line about a request, which is written when its response is sent. */
  logged(requestId: string): Promise<LogLine> {
    return this.line((text) => {
      const line = text.startsWith('{') ? (JSON.parse(text) as LogLine) : undefined;
      return line?.request_id === requestId ? line : undefined;
    }, `the request ${requestId}`);
  }

  /** Waits until it has failed without output. @returns the only line of standard error */
  async refusal(): Promise<string> {
    expect({ ending: await this.ended, printed: this.lines }).toEqual({ ending: 1, printed: [] });
    expect(this.errorLines).toHaveLength(1);
    return this.errorOutput;
  }
}

interface Options {
  /** The user to run as. Needs root. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  /** The folder of the built project. */
  readonly project?: string;
}

/**
 * Starts the built service without waiting for it, in a new process group, as a shell does. It inherits only PATH from
 * this process's environment.
 */
export function startServiceProcess(
  environment: Readonly<Record<string, string>>,
  { user, project = PROJECT }: Options = {},
): ServiceProcess {
  const env = { PATH: process.env.PATH, PORT: '0', SECRETS_KEY: 'A'.repeat(43) + '=', ...environment };
  return new ServiceProcess(
    spawn(process.execPath, [join(project, 'dist/src/main.js')], {
      ...user,
      cwd: '/',
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    }),
  );
}
