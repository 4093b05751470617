import createClient, { type Middleware } from 'openapi-fetch';
import { parseApiError, type paths } from '@muster/api-types';
import { networkError, PROJECT_HEADER } from './errors';
import { parseJson } from './exact-json';
import { pageProject, serviceUrl } from './page-project';

/** Parameters whose values are joined by commas. Others are repeated. */
const JOINED = new Set(['fields', 'sort_keys', 'explain', 'group_by']);

/** The query string of a request, without the members that are undefined. */
export function queryString(query: Readonly<Record<string, unknown>>): string {
  const result = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    const values = (Array.isArray(value) ? value : [value]).map(String);
    if (JOINED.has(name)) result.append(name, values.join(','));
    else for (const item of values) result.append(name, item);
  }
  return result.toString();
}

/** The header with which a request names the project of the page: see `isInaccessibleProject`. */
export const projectHeaders = (project = pageProject): Readonly<Record<string, string>> =>
  project === undefined ? {} : { [PROJECT_HEADER]: project };

/**
 * The `Accept` of a request: lists are arrays, also in a deployment that prefers page objects, which have other limits. Everything
 * else has its default type.
 */
export const ACCEPT = 'application/vnd.muster.array+json, */*;q=0.9';

const withArrays: Middleware = {
  onRequest({ request }) {
    if (!request.headers.has('accept')) request.headers.set('accept', ACCEPT);
  },
};

const ofPageProject: Middleware = {
  onRequest({ request }) {
    // An API key, with which a session is started, has a project of its own.
    if (request.headers.has('authorization')) return;
    for (const [name, value] of Object.entries(projectHeaders())) request.headers.set(name, value);
  },
};

/** A response whose `json` keeps every digit of numbers. */
class ExactResponse extends Response {
  override async json(): Promise<unknown> {
    return parseJson(await this.text());
  }
}

const exactBodies: Middleware = {
  async onResponse({ response }) {
    if (response.status === 204) return undefined;
    const text = await response.text();
    if (!response.ok) throw parseApiError(response, text);
    const headers = new Headers(response.headers);
    // Without a length the library would parse the body itself.
    headers.set('content-length', String(text.length));
    return new ExactResponse(text, { status: response.status, headers });
  },
  onError: ({ error }) => networkError(error),
};

/** Requests to the API, typed by its description. Use it with `unwrap`. */
export const api = createClient<paths>({ baseUrl: serviceUrl, querySerializer: queryString });
api.use(withArrays, ofPageProject, exactBodies);

interface Result<T> {
  readonly data?: T;
  readonly response: Response;
}

/** The body of a successful response. @throws ApiError, NetworkError */
export async function unwrap<T>(result: Promise<Result<T>>): Promise<T> {
  return (await unwrapResponse(result)).data;
}

/** A successful response and its body. @throws ApiError, NetworkError */
export async function unwrapResponse<T>(
  result: Promise<Result<T>>,
): Promise<{ readonly data: T; readonly response: Response }> {
  const { data, response } = await result;
  if (data === undefined) throw parseApiError(response, '');
  return { data, response };
}
