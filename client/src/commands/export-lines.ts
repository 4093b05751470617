import { asObject, exactJson } from '../api/exact-json';
import type { Muster, RequestOptions } from '../api/muster';
import { splitLines } from '../files/split-lines';
import type { Row } from '../output/formats';
import { readBytes } from './long-requests';

/** Iterates over the resources of an export. @throws ApiError, NetworkError */
export async function* exportLines(muster: Muster, query: RequestOptions['query']): AsyncGenerator<Row> {
  const response = await muster.open('get', '/v1/export', { query });
  for await (const lines of splitLines(readBytes(response, false, 'The export was truncated.')))
    for (const line of lines) yield asObject(exactJson.parse(line.toString('utf8')));
}
