import { shellWord } from '@muster/api-types';
import { queryString } from './client';
import { serviceUrl } from './page-project';
import { headersOf, type PlainRequest } from './request';

/** The `curl` command that sends a request. The API key comes from the environment. */
export function curlCommand(request: PlainRequest): string {
  const { method, path, query = {}, body } = request;
  const parameters = queryString(query);
  const url = new URL(`${serviceUrl}${path}${parameters === '' ? '' : `?${parameters}`}`).href;
  return [
    `curl -sS -X ${method} ${shellWord(url)}`,
    `-H "Authorization: Bearer $MUSTER_TOKEN"`,
    ...Object.entries(headersOf(request)).map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [body instanceof Blob ? '--data-binary @FILE' : `-d ${shellWord(body)}`]),
  ].join(' \\\n  ');
}
