import { jsonText } from '../api/exact-json';
import { kindWords } from '../api/kinds';
import type { PlannedWrite } from './planned-write';

/** The media type of imports: one JSON document per line. */
export const NDJSON = 'application/x-ndjson';

/** One line for each resource. */
export const linesOf = (resources: readonly unknown[]): readonly string[] =>
  resources.map((resource) => `${jsonText(resource)}\n`);

/** A resource that an import names. */
interface NamedResource {
  readonly kind: string;
  readonly name: string;
}

/**
 * The plan of an import that comes from no file: all resources are written, or none.
 * @param nameOf how errors name a resource; by default by its name
 */
export function planImport<T extends NamedResource>(
  title: string,
  resources: readonly T[],
  nameOf: (resource: T) => string = ({ name }) => name,
): Pick<PlannedWrite, 'title' | 'request' | 'lines'> {
  const kinds = new Set(resources.map(({ kind }) => kind));
  const [kind] = kinds.size === 1 ? kinds : [];
  const nameOfLine = (line: number) => {
    const resource = resources[line - 1];
    return resource ? nameOf(resource) : `Line ${line}`;
  };
  return {
    title,
    request: { method: 'POST', path: '/v1/import', contentType: NDJSON, body: linesOf(resources).join('') },
    lines: { noun: kind === undefined ? 'resource' : kindWords(kind), titleOf: nameOfLine },
  };
}
