import type { Test } from 'supertest';
import type { Caller } from './caller';

/** The response of an import. */
export interface ImportSummary {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly errors: readonly { readonly line: number; readonly code: string; readonly message: string }[];
}

/** Formats objects as lines. A string is used unchanged. */
export const asLines = (lines: readonly (object | string)[]): string =>
  lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');

/** The line of a region, which the lines of `hostLine` name. */
export const REGION_LINE = { kind: 'region', name: 'north', variables: { domain: 'north.example.net' } };

/** The line of a host. */
export const hostLine = (name: string, more: object = {}) => ({
  ...{ kind: 'host', name, region: 'north', ip_address: '10.1.1.1', device_type: 'server' },
  ...more,
});

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

/** Imports lines. @throws Error if the import fails */
export async function importLines(
  caller: Caller,
  lines: readonly (object | string)[],
  query = '',
): Promise<ImportSummary> {
  const response = await sendImport(caller, asLines(lines), query);
  if (response.status !== 200)
    throw new Error(`the import failed: ${String(response.status)} ${response.text}`);
  return response.body as ImportSummary;
}
