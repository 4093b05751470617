import { InventoryError } from '../../core/errors/inventory-error';
import { parseFilters } from '../../variables/filter/filter-parser';
import { isObject, jsonFault, keyFault } from '../../core/context/variable-key';
import { schemaFault } from '../schemas/compile-schema';

/** The condition that an audit checks, as it is stored. */
export type Expectation =
  | { readonly vars: string; readonly value?: unknown }
  | { readonly key: string; readonly schema: unknown; readonly value?: unknown };

const MAX_FILTER_LENGTH = 10_000;

/** Why a text of filters is rejected; undefined if it is accepted. */
export function filtersFault(text: unknown): string | undefined {
  if (typeof text !== 'string') return 'must be a string';
  if (text.length > MAX_FILTER_LENGTH) return `must be at most ${String(MAX_FILTER_LENGTH)} characters`;
  if (!text.isWellFormed() || text.includes('\u0000')) return 'must not contain NUL or lone surrogates';
  try {
    parseFilters(text);
    return undefined;
  } catch (error) {
    if (error instanceof InventoryError) return error.details.map(({ message }) => message).join('; ');
    throw error;
  }
}

/** Why an expectation is rejected; undefined if it is accepted. */
export function expectationFault(value: unknown): string | undefined {
  const members = isObject(value) ? Object.keys(value).filter((member) => member !== 'value') : [];
  const form = members.sort().join(' ');
  if (!isObject(value) || (form !== 'vars' && form !== 'key schema'))
    return 'must have either vars, or key and schema; value is optional';
  const memberFault = (member: string, fault: string | undefined) => fault && `${member}: ${fault}`;
  const fault =
    form === 'vars'
      ? memberFault('vars', filtersFault(value['vars']))
      : (memberFault('key', keyTextFault(value['key'])) ??
        memberFault('schema', schemaFault(value['schema'])));
  return fault ?? memberFault('value', jsonFault(value['value']));
}

const keyTextFault = (key: unknown): string | undefined =>
  typeof key === 'string' ? keyFault(key) : 'must be a string';

/** The variables that a text of filters refers to. */
const keysOfFilters = (text: string | null): string[] =>
  text === null ? [] : parseFilters(text).map(({ key }) => key);

/** The variables that an audit refers to, sorted. */
export function keysNamed(vars: string | null, expectation: Expectation): string[] {
  const expected = 'key' in expectation ? [expectation.key] : keysOfFilters(expectation.vars);
  return [...new Set([...keysOfFilters(vars), ...expected])].sort();
}
