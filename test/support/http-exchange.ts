import type { Credentials } from './caller';

/** An answer, as far as tests look at it. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** What the text is as JSON; undefined if it is none. */
  readonly body: unknown;
}

/** The three headers that say who asks. */
export const authHeaders = ({ token, user, project }: Credentials): Record<string, string> => ({
  'X-Auth-Token': token,
  'X-Auth-User': user,
  'X-Auth-Project': project,
});

/** Sends what supertest would not: bytes that are no text, a body without a type, no credentials at all. */
export async function sendRaw(
  url: string,
  request: { method?: string; headers?: Record<string, string>; body?: Buffer | string } = {},
): Promise<HttpResponse> {
  const answer = await fetch(url, {
    method: request.method ?? 'GET',
    headers: request.headers ?? {},
    // As bytes, for a string would bring a type of its own.
    ...(request.body === undefined ? {} : { body: new Uint8Array(Buffer.from(request.body)) }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json') === true && text !== '';
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers.entries()),
    text,
    body: isJson ? (JSON.parse(text) as unknown) : undefined,
  };
}
