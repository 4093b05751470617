import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Caller } from './caller';
import { environmentOf, MUSTER } from './shell';
import { until } from './until';

const execute = promisify(execFile);

/** The options of a terminal. */
export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  /** Additional environment variables, which override the settings. */
  readonly env?: Readonly<Record<string, string>>;
  /** The program and its arguments. The default is Bash. */
  readonly shell?: readonly [string, ...string[]];
}

const BASH = ['bash', '--norc', '--noprofile'] as const;
const PROMPT = '$';
/** The timeout (s) for the screen. The machine may be busy. */
const MAX_SECONDS = 40;

/**
 * A real terminal with a shell in which `muster` is a command. It waits for screen contents, not for fixed times.
 */
export class Terminal {
  private constructor(private readonly folder: string) {}

  /** Opens a terminal with a caller's settings in its environment, and waits for the prompt. */
  static async open(
    caller: Caller,
    { columns = 80, rows = 24, env = {}, shell = BASH }: TerminalOptions = {},
  ): Promise<Terminal> {
    const folder = mkdtempSync(join(tmpdir(), 'muster-terminal-'));
    const command = `#!/bin/sh\nexec "${process.execPath}" "${MUSTER}" "$@"\n`;
    writeFileSync(join(folder, 'muster'), command, { mode: 0o755 });
    const terminal = new Terminal(folder);
    opened.add(terminal);
    const settings = environmentOf(caller);
    const size = ['-x', String(columns), '-y', String(rows)];
    // Keeps the screen readable after the shell exits.
    const stay = [';', 'set-option', '-g', 'remain-on-exit', 'on'];
    await terminal.tmux(['-u', '-f', '/dev/null', 'new-session', '-d', ...size, ...shell, ...stay], {
      ...settings,
      PATH: `${folder}:${settings['PATH'] ?? ''}`,
      PS1: `${PROMPT} `,
      ...env,
    });
    if (shell === BASH) await terminal.waitForPrompt();
    return terminal;
  }

  /** Types a text without the Enter key. */
  async type(text: string): Promise<void> {
    await this.tmux(['send-keys', '-l', '--', text]);
  }

  /** Presses keys, by their names in tmux: `Enter`, `Tab`, `Up`, `C-c`. */
  async press(...keys: readonly string[]): Promise<void> {
    await this.tmux(['send-keys', ...keys]);
  }

  /** The screen contents without trailing empty lines. Long lines are wrapped. */
  async screen(): Promise<string> {
    return (await this.tmux(['capture-pane', '-p'])).trimEnd();
  }

  /** The screen with its colours, as escape sequences. */
  async colours(): Promise<string> {
    return (await this.tmux(['capture-pane', '-p', '-e'])).trimEnd();
  }

  /** Waits until the screen shows a text. @returns the screen */
  async waitFor(text: string | RegExp, seconds = MAX_SECONDS): Promise<string> {
    const isThere = (screen: string) =>
      typeof text === 'string' ? screen.includes(text) : text.test(screen);
    return this.waitUntil(`the screen shows ${String(text)}`, seconds, isThere);
  }

  /** Waits for the prompt. */
  async waitForPrompt(seconds = MAX_SECONDS): Promise<void> {
    await this.waitUntil('the screen shows the prompt', seconds, (screen) => lastOf(screen) === PROMPT);
  }

  /**
   * Runs a command of one line on an empty screen, up to the next prompt.
   * @returns the lines of its output
   */
  async run(command: string, seconds = MAX_SECONDS): Promise<string[]> {
    await this.enter(command);
    await this.waitForPrompt(seconds);
    return (await this.screen()).split('\n').slice(1, -1);
  }

  /** Enters a command on an empty screen, and leaves it running. */
  async enter(command: string): Promise<void> {
    await this.press('C-l');
    await this.waitUntil('the screen is empty', MAX_SECONDS, (screen) => screen === PROMPT);
    await this.type(command);
    // A long line is wrapped.
    const isTyped = (screen: string) => screen.replaceAll('\n', '').endsWith(command.slice(-10).trimEnd());
    await this.waitUntil('the command is typed', MAX_SECONDS, isTyped);
    await this.press('Enter');
  }

  /** Closes the terminal, and ends its programs. */
  async close(): Promise<void> {
    if (!opened.delete(this)) return;
    await this.tmux(['kill-server']);
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async waitUntil(
    what: string,
    seconds: number,
    isTrue: (screen: string) => boolean,
  ): Promise<string> {
    let screen = '';
    try {
      await until(what, seconds, async () => isTrue((screen = await this.screen())));
    } catch (error) {
      throw new Error(`${String(error)}; it shows:\n${screen}`, { cause: error });
    }
    return screen;
  }

  /** Uses a separate tmux server, not the developer's. */
  private async tmux(args: readonly string[], env?: Record<string, string>): Promise<string> {
    const socket = join(this.folder, 'tmux');
    return (await execute('tmux', ['-S', socket, ...args], env ? { env } : {})).stdout;
  }
}

const opened = new Set<Terminal>();
afterAll(async () => {
  for (const terminal of opened) await terminal.close();
});

const lastOf = (screen: string): string | undefined => screen.split('\n').at(-1);
