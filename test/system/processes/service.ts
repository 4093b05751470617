import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Program } from '../../support/program';
import { eventually, PROJECT } from '../embedded/processes';
import { Caller } from '../../support/caller';

/** A line of the service's log. */
interface LogLine {
  readonly worker?: number;
  readonly pid: number;
  readonly request_id?: string;
}

/** The built service, running. */
export class Service extends Program {
  /** Waits until it serves, and gives the URL. */
  serving(): Promise<string> {
    return this.line((line) => /serving on (https?:\S+)/.exec(line)?.[1], 'the address', this.errorLines);
  }

  /** Waits for a sentence that it says to a person, so many times. Renewing takes its time on a busy machine. */
  async said(sentence: RegExp, times = 1): Promise<void> {
    const isSaid = () => this.errorLines.filter((line) => sentence.test(line)).length >= times;
    await eventually(() => isSaid() || !this.running, String(sentence), 90_000);
    if (!isSaid()) throw new Error(`it ended and has not said ${String(sentence)}: ${this.errorOutput}`);
  }

  /** Root, with the credentials that the first start has printed. */
  async root(): Promise<Caller> {
    const value = (name: string) =>
      this.line((line) => new RegExp(`^${name}: (\\S+)$`).exec(line)?.[1], `the ${name}`);
    const [project, user, token] = [await value('project'), await value('username'), await value('api key')];
    return new Caller(await this.serving(), { project, user, token });
  }

  /** The line about a request, which is written when its answer is sent. */
  logged(requestId: string): Promise<LogLine> {
    return this.line((text) => {
      const line = text.startsWith('{') ? (JSON.parse(text) as LogLine) : undefined;
      return line?.request_id === requestId ? line : undefined;
    }, `the request ${requestId}`);
  }

  /** Waits until it has ended in failure, having printed nothing, and gives the one thing that it said. */
  async refusal(): Promise<string> {
    expect({ ending: await this.ended, printed: this.lines }).toEqual({ ending: 1, printed: [] });
    expect(this.errorLines).toHaveLength(1);
    return this.errorOutput;
  }
}

/** Starts the built service in a process group of its own, as a shell does. */
export function startService(environment: Record<string, string>): Service {
  return new Service(
    spawn(process.execPath, [join(PROJECT, 'dist/src/main.js')], {
      cwd: '/',
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        WORKERS: '2',
        SECRETS_KEY: 'A'.repeat(43) + '=',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    }),
  );
}
