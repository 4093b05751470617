import { serviceUrl, queryString } from './client';
import type { PlainRequest } from './request';

/** A word of a shell command, quoted if it has to be. */
export const shellWord = (text: string): string =>
  /^[A-Za-z0-9_./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** The `curl` command that sends a request. The API key comes from the environment. */
export function curlCommand({ method, path, query = {}, headers = {}, body }: PlainRequest): string {
  const parameters = queryString(query);
  const url = new URL(`${serviceUrl}${path}${parameters === '' ? '' : `?${parameters}`}`).href;
  const sent = { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers };
  return [
    `curl -sS -X ${method} ${shellWord(url)}`,
    `-H "Authorization: Bearer $MUSTER_TOKEN"`,
    ...Object.entries(sent).map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${shellWord(body)}`]),
  ].join(' \\\n  ');
}
