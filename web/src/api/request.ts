import { parseApiError } from '@muster/api-types';
import { ACCEPT, projectHeaders, queryString } from './client';
import { networkError } from './errors';
import { parseJson } from './exact-json';
import { sendOnce } from './idempotency';
import { serviceUrl } from './page-project';
import { upload } from './upload';

/** A request that is described by data, so that it can be shown, previewed and sent. */
export interface PlainRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Begins with `/v1/`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON text, unless `contentType` says otherwise; or a file, which the browser reads while it is sent. */
  readonly body?: string | Blob;
  readonly contentType?: string;
}

/** The headers of a request, with the type of its body. */
export const headersOf = ({
  headers = {},
  body,
  contentType = 'application/json',
}: PlainRequest): Readonly<Record<string, string>> => ({
  ...(body === undefined ? {} : { 'Content-Type': contentType }),
  ...headers,
});

/**
 * Sends a request whose path is not known when the application is compiled. Other requests use `api`, which checks their types.
 * A write is done once, even if it is sent again because its response did not arrive.
 * @returns the parsed body; undefined for an empty one
 * @throws ApiError, NetworkError
 */
export async function send(
  request: PlainRequest,
  signal?: AbortSignal,
): Promise<{ readonly body: unknown; readonly response: Response }> {
  return sendOnce(request, async (headers) => {
    const sent = { ...request, headers: { ...request.headers, ...headers } };
    const response = await fetchResponse(sent, signal);
    return { body: parseBody(await response.text().catch(connectionLost)), response };
  });
}

/** Downloads the response of a request as a file. @throws ApiError, NetworkError */
export async function readFile(request: PlainRequest): Promise<Blob> {
  const response = await fetchResponse(request);
  return response.blob().catch(connectionLost);
}

/**
 * Reads the first lines of the response of a request, and no more of it.
 * @throws ApiError, NetworkError
 */
export async function* readLines(request: PlainRequest, signal: AbortSignal): AsyncGenerator<string> {
  const response = await fetchResponse(request, signal, true);
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    let rest = '';
    for (;;) {
      const { done, value = '' } = await reader.read().catch(connectionLost);
      const lines = (rest + value).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
      if (!done) continue;
      if (rest !== '') yield rest;
      return;
    }
  } finally {
    // A stream that has failed rejects again, with the error that is thrown already.
    await reader.cancel().catch(() => undefined);
  }
}

/**
 * @param isStreamed whether the body can be read while the rest of it arrives; then nothing says how much of a file was sent
 * @throws ApiError, NetworkError
 */
async function fetchResponse(
  request: PlainRequest,
  signal?: AbortSignal,
  isStreamed = false,
): Promise<Response> {
  const { method, path, query = {}, body } = request;
  const parameters = queryString(query);
  const url = `${serviceUrl}${path}${parameters === '' ? '' : `?${parameters}`}`;
  const headers = { Accept: ACCEPT, ...projectHeaders(), ...headersOf(request) };
  const sent =
    body instanceof Blob && !isStreamed
      ? upload(url, { method, headers, body, signal })
      : fetch(url, {
          ...{ method, headers },
          ...(body === undefined ? {} : { body }),
          ...(signal ? { signal } : {}),
        });
  const response = await sent.catch(connectionLost);
  if (!response.ok) throw parseApiError(response, await response.text().catch(connectionLost));
  return response;
}

const connectionLost = (error: unknown): never => {
  throw networkError(error);
};

/** A proxy may send a body that is not JSON. */
function parseBody(text: string): unknown {
  if (text === '') return undefined;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
