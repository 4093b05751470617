import type { Writable } from 'node:stream';

/** The environment and the output streams of a command. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** For output that programs read. */
  readonly output: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /** For messages to people. */
  readonly errors: Writable & { readonly isTTY?: boolean; readonly columns?: number };
}

/** The exit codes. `pending` and `unknown` are for `migrate --status`. */
export const EXIT = { done: 0, failed: 1, pending: 3, unknown: 4 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Runs the work of a command, and sets the exit code of the program. */
export type CommandAction = (work: (terminal: Terminal) => Promise<ExitCode>) => Promise<void>;

/** Prints a message on the standard error, separate from the output for programs. */
export function printStatus({ errors }: Terminal, sentence: string): void {
  errors.write(`muster-admin: ${sentence}\n`);
}

export function print({ output }: Terminal, ...lines: readonly string[]): void {
  output.write(lines.map((line) => `${line}\n`).join(''));
}

export function printJson(terminal: Terminal, value: unknown): void {
  print(terminal, JSON.stringify(value, null, 2));
}

/** Prints rows in aligned columns under a heading. */
export function printTable(
  terminal: Terminal,
  heading: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const table = [heading, ...rows];
  const widths = heading.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  print(
    terminal,
    ...table.map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    ),
  );
}

/** The credentials of a user. The key cannot be read again. */
interface PrintedCredentials {
  readonly project: string;
  readonly username: string;
  readonly apiKey: string;
}

/** Prints credentials in the same form as the first start, one per line. */
export function printCredentials(
  terminal: Terminal,
  { project, username, apiKey }: PrintedCredentials,
  asJson: boolean,
): void {
  if (asJson) printJson(terminal, { project, username, api_key: apiKey });
  else print(terminal, `project: ${project}`, `username: ${username}`, `api key: ${apiKey}`);
}
