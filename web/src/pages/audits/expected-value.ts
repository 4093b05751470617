import type { Audit } from '../../api/audits';
import { parseJson } from '../../api/exact-json';
import { isObject } from '../../components/is-object';
import { filterTexts } from './audit-texts';

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
  if (value === undefined) return undefined;
  try {
    return { value: parseJson(value) };
  } catch {
    // Another filter than for a JSON value: the service says what is wrong with it.
    return undefined;
  }
}
