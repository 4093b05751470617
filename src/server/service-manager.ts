import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { printStatus } from './console';

/** Notifies nobody: for a start by something other than a service manager. */
const NOBODY: ServiceManager = { ready: () => Promise.resolve(), stopping: () => undefined };

/** The program that started the service, if it is a service manager such as systemd (`Type=notify`). */
export interface ServiceManager {
  /** Reports that the service serves, and from then on that its process is not blocked, if the manager wants to know. */
  ready(status: string): Promise<void>;
  /** Reports that the service stops. */
  stopping(): void;
}

/**
 * The service manager of the environment. Its variables are removed from there: child processes must not notify it, and
 * PostgreSQL would.
 */
export function serviceManagerOf(environment: NodeJS.ProcessEnv): ServiceManager {
  const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: timeout, WATCHDOG_PID: pid } = environment;
  for (const name of ['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID'])
    Reflect.deleteProperty(environment, name);
  if (socket === undefined || socket === '') return NOBODY;
  const isWatched = pid === undefined || Number(pid) === process.pid;
  // As systemd recommends: twice in that time.
  return new Systemd(socket, isWatched ? Number(timeout ?? 0) / 1000 / 2 : 0);
}

/** systemd, by its program: Node.js cannot send datagrams to sockets of the file system. */
class Systemd implements ServiceManager {
  private timer: NodeJS.Timeout | undefined;

  /** @param watchdogInterval in milliseconds, or 0 without a watchdog */
  constructor(
    private readonly socket: string,
    private readonly watchdogInterval: number,
  ) {}

  async ready(status: string): Promise<void> {
    await this.notify('--ready', `--status=${status}`);
    if (this.watchdogInterval > 0)
      this.timer = setInterval(() => void this.notify('WATCHDOG=1'), this.watchdogInterval).unref();
  }

  stopping(): void {
    clearInterval(this.timer);
    void this.notify('STOPPING=1');
  }

  /** A failure is printed: without the notification, systemd decides what happens. */
  private async notify(...state: readonly string[]): Promise<void> {
    try {
      await promisify(execFile)('systemd-notify', state, {
        env: { PATH: process.env.PATH, NOTIFY_SOCKET: this.socket },
      });
    } catch (error) {
      printStatus(`Cannot notify systemd: ${error instanceof Error ? error.message.trim() : String(error)}`);
    }
  }
}
