import type { Credentials } from './caller';

/** The parts of a response that tests use. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The parsed JSON; undefined if the text is not JSON. */
  readonly body: unknown;
}

/** The authentication headers. */
export const authHeaders = ({ token, user, project }: Credentials): Record<string, string> => ({
  'X-Auth-Token': token,
  'X-Auth-User': user,
  'X-Auth-Project': project,
});

/** Sends requests that supertest cannot send: binary bodies, bodies without a type, no credentials. */
export async function sendRaw(
  url: string,
  request: { method?: string; headers?: Record<string, string>; body?: Buffer | string } = {},
): Promise<HttpResponse> {
  const response = await fetch(url, {
    method: request.method ?? 'GET',
    headers: request.headers ?? {},
    // As bytes, because a string body would get a default Content-Type.
    ...(request.body === undefined ? {} : { body: new Uint8Array(Buffer.from(request.body)) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true && text !== '';
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers.entries()),
    text,
    body: isJson ? (JSON.parse(text) as unknown) : undefined,
  };
}
