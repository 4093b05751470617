import type { Test } from 'supertest';
import type { Caller } from './caller';

/** What an import answers. */
export interface ImportSummary {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly errors: readonly { readonly line: number; readonly code: string; readonly message: string }[];
}

/** Objects as lines. A string is a line as it is. */
export const asLines = (lines: readonly (object | string)[]): string =>
  lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');

/** Sends a body to the import. */
export const sendImport = (
  caller: Caller,
  body: string | Buffer,
  query = '',
  headers: Readonly<Record<string, string>> = {},
): Test =>
  caller
    .send('post', `/v1/import${query}`, undefined, { 'Content-Type': 'application/x-ndjson', ...headers })
    .send(body);

/** Imports lines, which has to go well. */
export async function importLines(
  caller: Caller,
  lines: readonly (object | string)[],
  query = '',
): Promise<ImportSummary> {
  const answer = await sendImport(caller, asLines(lines), query);
  if (answer.status !== 200)
    throw new Error(`the import was answered ${String(answer.status)} ${answer.text}`);
  return answer.body as ImportSummary;
}
