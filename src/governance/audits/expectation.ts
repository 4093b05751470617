import { InventoryError } from '../../core/errors/inventory-error';
import { parseFilters } from '../../variables/filter/filter-parser';
import { isObject, jsonFault, keyFault } from '../../core/context/variable-key';
import { schemaFault } from '../schemas/compile-schema';

/** What an audit expects of devices, as it is stored. */
export type Expectation =
  | { readonly vars: string; readonly value?: unknown }
  | { readonly key: string; readonly schema: unknown; readonly value?: unknown };

const LONGEST_FILTER = 10_000;

/** What is wrong with a text of filters; undefined if nothing is. */
export function filtersFault(text: unknown): string | undefined {
  if (typeof text !== 'string') return 'must be a string';
  if (text.length > LONGEST_FILTER) return `must be at most ${String(LONGEST_FILTER)} characters`;
  if (!text.isWellFormed() || text.includes('\u0000')) return 'must not contain NUL or lone surrogates';
  try {
    parseFilters(text);
    return undefined;
  } catch (error) {
    if (error instanceof InventoryError) return error.details.map(({ message }) => message).join('; ');
    throw error;
  }
}

/** What is wrong with an expectation; undefined if nothing is. */
export function expectationFault(value: unknown): string | undefined {
  const members = isObject(value) ? Object.keys(value).filter((member) => member !== 'value') : [];
  const form = members.sort().join(' ');
  if (!isObject(value) || (form !== 'vars' && form !== 'key schema'))
    return 'must have vars, or key and schema, and may have a value';
  const said = (member: string, fault: string | undefined) => fault && `${member}: ${fault}`;
  const fault =
    form === 'vars'
      ? said('vars', filtersFault(value['vars']))
      : (said('key', keyTextFault(value['key'])) ?? said('schema', schemaFault(value['schema'])));
  return fault ?? said('value', jsonFault(value['value']));
}

const keyTextFault = (key: unknown): string | undefined =>
  typeof key === 'string' ? keyFault(key) : 'must be a string';

/** The keys of variables that a text of filters names. */
const keysOfFilters = (text: string | null): string[] =>
  text === null ? [] : parseFilters(text).map(({ key }) => key);

/** The keys of variables that an audit names, in the order of the alphabet. */
export function keysNamed(vars: string | null, expectation: Expectation): string[] {
  const expected = 'key' in expectation ? [expectation.key] : keysOfFilters(expectation.vars);
  return [...new Set([...keysOfFilters(vars), ...expected])].sort();
}
