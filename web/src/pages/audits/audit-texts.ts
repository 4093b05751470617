import { jsonText, parseJson } from '../../api/exact-json';
import { deviceKind, kindWords } from '../../api/kinds';
import { isObject } from '../../components/is-object';
import { variableFiltersOf } from '../../components/variable-filters';
import { jsonProblem } from '../../components/variable-write';
import type { Audit } from '../../api/audits';

/** The devices that an audit checks, before its filters. */
export const kindText = (kind: Audit['kind']): string =>
  kind === null ? 'devices of every kind' : kindWords(deviceKind(kind)?.collection ?? kind);

/** The list of the devices that an audit checks; undefined: the first one. */
export const collectionOf = (kind: Audit['kind']) =>
  kind === null ? undefined : deviceKind(kind)?.collection;

/** Filters of an audit or of its expectation. */
interface Filters {
  readonly vars?: string | null;
  readonly where?: readonly string[] | null;
}

/** Filters as the parameters of a list. */
export const searchOf = ({ vars, where }: Filters) => ({
  vars: vars ?? undefined,
  where: where ? [...where] : undefined,
});

/** The texts of filters. */
export const filterTexts = (filters: Filters): readonly string[] =>
  variableFiltersOf(searchOf(filters)).map(({ text }) => text);

/** What an audit expects of them. */
export const expectedText = ({ expectation }: Pick<Audit, 'expectation'>): string =>
  expectation.schema === undefined
    ? filterTexts(expectation).join(' and ')
    : `${expectation.key ?? ''}: ${jsonText(expectation.schema)}`;

/** `kernel:"6.8"` or `kernel = "6.8"`: a filter for the whole value of a variable. */
const WHOLE_VALUE = /^(?:[\p{L}_][\p{L}\p{N}_-]*|"(?:[^"\\]|\\.)*")\s*[:=](.+)$/su;

/** The value that a remediation sets without another one, as the service finds it; undefined if the expectation allows several. */
export function expectedValue({
  expectation,
}: Pick<Audit, 'expectation'>): { readonly value: unknown } | undefined {
  if ('value' in expectation) return { value: expectation.value };
  const { schema } = expectation;
  if (schema !== undefined) {
    const keyword = ['const', 'default'].find((member) => isObject(schema) && Object.hasOwn(schema, member));
    return keyword !== undefined && isObject(schema) ? { value: schema[keyword] } : undefined;
  }
  const [filter, ...others] = filterTexts(expectation);
  const value = others.length === 0 ? WHOLE_VALUE.exec(filter ?? '')?.[1] : undefined;
  return value === undefined || jsonProblem(value) !== undefined ? undefined : { value: parseJson(value) };
}
