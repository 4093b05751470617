import { jsonText } from '../api/exact-json';
import type { PlannedWrite } from './planned-write';

/** The media type of imports: one JSON document per line. */
export const NDJSON = 'application/x-ndjson';

/** One line for each resource. */
export const linesOf = (resources: readonly unknown[]): readonly string[] =>
  resources.map((resource) => `${jsonText(resource)}\n`);

/** The plan of an import: all resources are written, or none. */
export const planImport = (
  title: string,
  resources: readonly unknown[],
): Pick<PlannedWrite, 'title' | 'request'> => ({
  title,
  request: { method: 'POST', path: '/v1/import', contentType: NDJSON, body: linesOf(resources).join('') },
});
