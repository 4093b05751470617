import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { identityOf, PLAIN_ENVIRONMENT, type ServerUser } from './server-user';

/** What the watchdog knows how to end: an initdb is simply killed, a server is shut down. */
export type Watched = 'initdb' | 'server';

/**
 * The watchdog's program. Its standard input is a pipe whose other end this process holds: when that closes, for
 * whatever reason, this process is gone, and the watchdog ends what it was told about, and itself.
 */
const WATCHDOG = `
trap '' HUP INT QUIT TERM
alive() {
  kill -s 0 "$1" || return 1
  # A zombie takes signals too, and where nobody reaps orphans it takes them for ever.
  [ -r "/proc/$1/stat" ] && read -r stat < "/proc/$1/stat" || return 0
  case $stat in *') Z '*) return 1 ;; esac
}
server=$1 initdb=
while read -r what pid; do
  case $what in
    server) server=$pid ;;
    initdb) initdb=$pid ;;
    gone) [ "$server" != "$pid" ] || server=; [ "$initdb" != "$pid" ] || initdb= ;;
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
 * Tells the watchdog its own number before it becomes the program. If the caller did this after starting
 * it, a SIGKILL in between would leave a server of which nobody knows.
 */
const ANNOUNCE = 'echo "$0 $$" >&3; exec 3>&-; exec "$@"';

/** Ends what this process has started when this process dies, be it by SIGKILL. */
export class Watchdog {
  private shell: ChildProcess & { stdin: Writable };
  private server: number | undefined;
  private dismissed = false;

  constructor(private readonly user: ServerUser | undefined) {
    this.shell = this.post();
  }

  /** Starts a program in a session of its own, where a terminal's Ctrl-C does not reach it. */
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
      this.send(`gone ${child.pid}`);
    });
    if (what === 'server') this.server = child.pid;
    return child;
  }

  /** Lets the watchdog go home; it has nothing left to watch. */
  async dismiss(): Promise<void> {
    if (this.dismissed) return;
    this.dismissed = true;
    this.shell.ref();
    const ended = once(this.shell, 'exit');
    this.shell.stdin.end();
    if (this.shell.exitCode === null && this.shell.signalCode === null) await ended;
  }

  private post(): ChildProcess & { stdin: Writable } {
    // One that takes another's place knows from its first moment on what to watch.
    const server = this.server === undefined ? '' : String(this.server);
    const shell = spawn('/bin/sh', ['-c', WATCHDOG, 'sh', server], {
      ...identityOf(this.user),
      cwd: '/',
      env: PLAIN_ENVIRONMENT,
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    // It must not keep this process alive: it is there for when this process ends.
    shell.unref();
    if (shell.stdin instanceof Socket) shell.stdin.unref();
    // Whatever goes wrong with the pipe is the end of the watchdog, and that is seen to below.
    shell.stdin.on('error', () => undefined);
    shell.once('exit', () => {
      if (!this.dismissed) this.shell = this.post();
    });
    return shell;
  }

  private send(line: string): void {
    if (this.shell.stdin.writable) this.shell.stdin.write(`${line}\n`);
  }
}
