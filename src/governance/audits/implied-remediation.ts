import { isObject } from '../../core/context/variable-keys';
import { JsonInput } from '../../database/json-input';
import { expectedWholeValue } from '../../variables/filter/variable-filter';
import type { StoredAudit } from './audit-target';
import { filtersOf } from './written-filters';

/** What a remediation sets. */
export interface ImpliedRemediation {
  readonly key: string;
  /** Undefined if the audit accepts several values. */
  readonly value: JsonInput | undefined;
}

/**
 * What a remediation sets without a value of its own: the audit's `value`, else the value that follows from the
 * expectation (a schema's `const` or `default`, or a filter for a whole value).
 * @returns undefined if the expectation covers several variables
 */
export function impliedRemediation({
  expectation,
  expectationText,
}: Pick<StoredAudit, 'expectation' | 'expectationText'>): ImpliedRemediation | undefined {
  const stored = (path: readonly string[], parsed: unknown) => JsonInput.at(expectationText, path, parsed);
  const own = 'value' in expectation ? stored(['value'], expectation.value) : undefined;
  if ('key' in expectation) {
    const { key, schema } = expectation;
    const keyword = ['const', 'default'].find((member) => isObject(schema) && Object.hasOwn(schema, member));
    const fromSchema =
      keyword !== undefined && isObject(schema) ? stored(['schema', keyword], schema[keyword]) : undefined;
    return { key, value: own ?? fromSchema };
  }
  const [first, ...others] = filtersOf(expectation);
  if (!first || others.some(({ key }) => key !== first.key)) return undefined;
  const whole = others.length === 0 ? expectedWholeValue(first) : undefined;
  const fromFilter = whole === undefined ? undefined : JsonInput.at(whole, [], JSON.parse(whole));
  return { key: first.key, value: own ?? fromFilter };
}
