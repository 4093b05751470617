import type { Terminal } from './terminal';

/** Says a sentence to a person, where it is in no program's way. */
export function printStatus({ errors }: Terminal, sentence: string): void {
  errors.write(`muster-admin: ${sentence}\n`);
}

/** Prints lines. */
export function print({ output }: Terminal, ...lines: readonly string[]): void {
  output.write(lines.map((line) => `${line}\n`).join(''));
}

/** Prints what a program reads. */
export function printJson(terminal: Terminal, value: unknown): void {
  print(terminal, JSON.stringify(value, null, 2));
}

/** Prints rows under a heading, in columns. */
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

/** What a user needs to speak to the service; the key can never be seen again. */
export interface PrintedCredentials {
  readonly project: string;
  readonly username: string;
  readonly apiKey: string;
}

/** As the first start prints them: each on a line of its own. */
export function printCredentials(
  terminal: Terminal,
  { project, username, apiKey }: PrintedCredentials,
  asJson: boolean,
): void {
  if (asJson) printJson(terminal, { project, username, api_key: apiKey });
  else print(terminal, `project: ${project}`, `username: ${username}`, `api key: ${apiKey}`);
}
