import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { identityOf, PLAIN_ENVIRONMENT, type ServerUser } from './server-user';

/** The processes that the watchdog ends: it kills an initdb, and shuts a server down. */
export type Watched = 'initdb' | 'server';

/**
 * The watchdog's program. Its standard input is a pipe from this process. When the pipe closes, this process has ended,
 * and the watchdog ends the registered processes and itself.
 */
const WATCHDOG = `
trap '' HUP INT QUIT TERM
alive() {
  kill -s 0 "$1" || return 1
  # Zombies accept signals, too, and may never be reaped.
  [ -r "/proc/$1/stat" ] && read -r stat < "/proc/$1/stat" || return 0
  case $stat in *') Z '*) return 1 ;; esac
}
server=$1 initdb=
while read -r what pid; do
  case $what in
    server) server=$pid ;;
    initdb) initdb=$pid ;;
    exited) [ "$server" != "$pid" ] || server=; [ "$initdb" != "$pid" ] || initdb= ;;
  esac
done
[ -z "$initdb" ] || kill -s KILL -- "-$initdb"
for signal in INT QUIT KILL; do
  [ -n "$server" ] && alive "$server" && kill -s $signal "$server" || exit 0
  tries=50
  while [ $tries -gt 0 ] && alive "$server"; do sleep 0.1; tries=$((tries - 1)); done
done
`;

/**
 * Registers its own process id with the watchdog before it executes the program. If the caller registered it after the
 * start, a SIGKILL in between would leave an unregistered server.
 */
const ANNOUNCE = 'echo "$0 $$" >&3; exec 3>&-; exec "$@"';

/** Ends the processes that this process started when this process ends, even by SIGKILL. */
export class Watchdog {
  private shell: ChildProcess & { stdin: Writable };
  private server: number | undefined;
  private dismissed = false;

  constructor(private readonly user: ServerUser | undefined) {
    this.shell = this.startShell();
  }

  /** Starts a program in its own session, so that it does not receive Ctrl-C of the terminal. */
  launch(what: Watched, command: string, args: readonly string[], output: 'pipe' | number): ChildProcess {
    const child = spawn('/bin/sh', ['-c', ANNOUNCE, what, command, ...args], {
      ...identityOf(this.user),
      cwd: '/',
      env: PLAIN_ENVIRONMENT,
      detached: true,
      stdio: ['ignore', output, output, this.shell.stdin] satisfies StdioOptions,
    });
    child.once('exit', () => {
      if (this.server === child.pid) this.server = undefined;
      this.send(`exited ${child.pid}`);
    });
    if (what === 'server') this.server = child.pid;
    return child;
  }

  /** Ends the watchdog. */
  async dismiss(): Promise<void> {
    if (this.dismissed) return;
    this.dismissed = true;
    this.shell.ref();
    const ended = once(this.shell, 'exit');
    this.shell.stdin.end();
    if (this.shell.exitCode === null && this.shell.signalCode === null) await ended;
  }

  private startShell(): ChildProcess & { stdin: Writable } {
    // A restarted watchdog gets the current server at once.
    const server = this.server === undefined ? '' : String(this.server);
    const shell = spawn('/bin/sh', ['-c', WATCHDOG, 'sh', server], {
      ...identityOf(this.user),
      cwd: '/',
      env: PLAIN_ENVIRONMENT,
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    // The watchdog must not keep this process alive.
    shell.unref();
    if (shell.stdin instanceof Socket) shell.stdin.unref();
    // A broken pipe means that the watchdog has ended, which `exit` handles.
    shell.stdin.on('error', () => undefined);
    shell.once('exit', () => {
      if (!this.dismissed) this.shell = this.startShell();
    });
    return shell;
  }

  private send(line: string): void {
    if (this.shell.stdin.writable) this.shell.stdin.write(`${line}\n`);
  }
}
