import type { PlainRequest } from './request';

/** Audits have no command of the client, but can be written by a batch. */
const BATCHED = /^\/v1\/audits(\/\d+)?$/;

/** It cannot ask for confirmation: its standard input is no terminal. The dialog has shown what it does. */
const WITHOUT_CONFIRMATION = ['--yes'];

/** A command of the client that reads what it writes from its standard input. */
interface PipedCommand {
  readonly input: string;
  readonly words: readonly string[];
}

/** The `muster` command for a write that has no command of its own; undefined if there is none. */
export function pipedCommand({ method, path, headers = {}, body }: PlainRequest): PipedCommand | undefined {
  if (body instanceof Blob) return undefined;
  if (path === '/v1/import' && body !== undefined)
    return { input: body.trimEnd(), words: ['muster', 'import', '-', ...WITHOUT_CONFIRMATION] };
  if (path === '/v1/batch' && body !== undefined) return batchOf(body);
  if (!BATCHED.test(path)) return undefined;
  const { 'If-Match': tag } = headers;
  const condition = tag === undefined ? '' : `, "if_match": ${JSON.stringify(tag)}`;
  // Not parsed: the text has every digit.
  const written = body === undefined ? '' : `, "body": ${body}`;
  return batchOf(`{"operations": [{"method": "${method}", "path": "${path}"${written}${condition}}]}`);
}

const batchOf = (input: string): PipedCommand => ({
  input,
  words: ['muster', 'batch', '-', '--format', 'json', ...WITHOUT_CONFIRMATION],
});
