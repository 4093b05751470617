import { request, type Agent } from 'node:http';
import type { Caller } from '../../support/caller';
import { authHeaders } from '../../support/http-exchange';

/** A complete response. */
export interface Sent {
  readonly status: number;
  readonly text: string;
  readonly headers: NodeJS.Dict<string | string[]>;
}

/** The request timeout (ms). */
const TIMEOUT = 60_000;

/**
 * Sends one request.
 * @returns undefined if there was no complete response
 */
export function send(
  { url, credentials }: Caller,
  what: { method: string; path: string; body?: unknown; headers?: Readonly<Record<string, string>> },
  agent?: Agent,
): Promise<Sent | undefined> {
  return new Promise((resolve) => {
    const headers = { ...authHeaders(credentials), 'content-type': 'application/json', ...what.headers };
    const options = { method: what.method, headers, timeout: TIMEOUT, ...(agent ? { agent } : {}) };
    const sent = request(`${url}${what.path}`, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.once('error', () => {
        resolve(undefined);
      });
      response.once('end', () => {
        resolve({ status: response.statusCode ?? 0, text, headers: response.headers });
      });
    });
    sent.once('timeout', () => sent.destroy());
    sent.once('error', () => {
      resolve(undefined);
    });
    sent.end(what.body === undefined ? undefined : JSON.stringify(what.body));
  });
}
