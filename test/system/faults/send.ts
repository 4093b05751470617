import { request, type Agent } from 'node:http';
import type { Caller } from '../../support/caller';
import { authHeaders } from '../../support/http-exchange';

/** An answer that came whole. */
export interface Sent {
  readonly status: number;
  readonly text: string;
  readonly headers: NodeJS.Dict<string | string[]>;
}

/** In milliseconds: whoever gets no answer for so long will not get one. */
const PATIENCE = 60_000;

/**
 * Sends one request.
 * @returns undefined if no answer came, or not all of it
 */
export function send(
  { url, credentials }: Caller,
  what: { method: string; path: string; body?: unknown; headers?: Readonly<Record<string, string>> },
  agent?: Agent,
): Promise<Sent | undefined> {
  return new Promise((resolve) => {
    const headers = { ...authHeaders(credentials), 'content-type': 'application/json', ...what.headers };
    const options = { method: what.method, headers, timeout: PATIENCE, ...(agent ? { agent } : {}) };
    const sent = request(`${url}${what.path}`, options, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.once('error', () => {
        resolve(undefined);
      });
      answer.once('end', () => {
        resolve({ status: answer.statusCode ?? 0, text, headers: answer.headers });
      });
    });
    sent.once('timeout', () => sent.destroy());
    sent.once('error', () => {
      resolve(undefined);
    });
    sent.end(what.body === undefined ? undefined : JSON.stringify(what.body));
  });
}
