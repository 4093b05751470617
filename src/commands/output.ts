/** Says a sentence to a person, where it is in no program's way. */
export function say(sentence: string): void {
  process.stderr.write(`muster-admin: ${sentence}\n`);
}

/** Prints lines. */
export function print(...lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

/** Prints what a program reads. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** Prints rows under a heading, in columns. */
export function printTable(heading: readonly string[], rows: readonly (readonly string[])[]): void {
  const table = [heading, ...rows];
  const widths = heading.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  print(
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
export function printCredentials({ project, username, apiKey }: PrintedCredentials, asJson: boolean): void {
  if (asJson) printJson({ project, username, api_key: apiKey });
  else print(`project: ${project}`, `username: ${username}`, `api key: ${apiKey}`);
}
