import { variableKeyError, type Visibility } from '../../core/context/variable-keys';

/** One step of a path: any key, or a key with an optional index or wildcard for the elements of an array. */
export type Leg = { readonly anyKey: true } | { readonly key: string; readonly element?: number | 'every' };

/** What a filter asks of the values at its path. Operands are JSON scalars as text. */
export type Predicate =
  /** Equal; at least one value, and none equal. */
  | { readonly operator: '=' | '!='; readonly value: string }
  | { readonly operator: 'in'; readonly values: readonly string[] }
  /** Begins with a text; contains it, ignoring case. `value` is a JSON string. */
  | { readonly operator: '^=' | '~='; readonly value: string }
  /** Numbers by value, texts in natural order. `value` is a JSON number or string. */
  | { readonly operator: '<' | '<=' | '>' | '>='; readonly value: string }
  | { readonly operator: 'exists' | 'missing' };

export type Operator = Predicate['operator'];

/** A condition on resolved variables: a filter of `vars`, which is an equality, or of `where`. */
export interface VariableFilter {
  /** The key of the variable, which is the first leg. */
  readonly key: string;
  readonly legs: readonly Leg[];
  readonly predicate: Predicate;
}

const IS_IDENTIFIER = /^[\p{ID_Start}_][\p{ID_Continue}]*$/u;

/** The path of a filter as a PostgreSQL jsonpath over a whole document, without its predicate. */
export const pathOf = ({ legs }: Pick<VariableFilter, 'legs'>): string => `$${legs.map(legStep).join('')}`;

/** A leg as a step of a jsonpath. */
export const legStep = (leg: Leg): string =>
  'anyKey' in leg ? '.*' : `.${JSON.stringify(leg.key)}${elementStep(leg)}`;

function elementStep({ element }: { readonly element?: number | 'every' }): string {
  if (element === undefined) return '';
  return element === 'every' ? '[*]' : `[${String(element)}]`;
}

/** Formats a filter in the syntax of the `where` parameter. */
export function formatCondition(filter: VariableFilter): string {
  const { predicate } = filter;
  const path = formatPath(filter);
  if ('value' in predicate) return `${path} ${predicate.operator} ${predicate.value}`;
  if ('values' in predicate) return `${path} in [${predicate.values.join(', ')}]`;
  return `${path} ${predicate.operator}`;
}

function formatPath({ legs }: VariableFilter): string {
  const path = legs.map((leg) => {
    if ('anyKey' in leg) return '*';
    const key = IS_IDENTIFIER.test(leg.key) ? leg.key : JSON.stringify(leg.key);
    if (leg.element === undefined) return key;
    return `${key}[${leg.element === 'every' ? '*' : String(leg.element)}]`;
  });
  return path.join('.');
}

/** Whether a path leads to the whole value of a variable, and not to a part of it. */
export const isWholeValue = ({ legs: [first, ...rest] }: VariableFilter): boolean =>
  rest.length === 0 && first !== undefined && 'key' in first && first.element === undefined;

/** The values of which one must equal that at the path: one for `=`, several for `in`. Undefined for other operators. */
export function equalValues({ predicate }: VariableFilter): readonly string[] | undefined {
  if (predicate.operator === '=') return [predicate.value];
  return predicate.operator === 'in' ? predicate.values : undefined;
}

/** The value that the whole value of a variable must equal; undefined for other filters. */
export const expectedWholeValue = (filter: VariableFilter): string | undefined =>
  filter.predicate.operator === '=' && isWholeValue(filter) ? filter.predicate.value : undefined;

/** Whether a filter matches where no level sets its key. */
export const matchesUnset = ({ predicate }: VariableFilter): boolean => predicate.operator === 'missing';

/**
 * Whether an equality can match. One with an invalid key, or a string that PostgreSQL cannot store, matches nothing. `where`
 * rejects such strings, and nobody sets an invalid key, so its other conditions need no check.
 */
export const canMatch = ({ key, legs, predicate }: VariableFilter): boolean =>
  predicate.operator !== '=' ||
  (variableKeyError(key) === undefined &&
    [predicate.value, ...legs.map((leg) => ('key' in leg ? JSON.stringify(leg.key) : ''))].every(
      isStorableScalar,
    ));

/** Whether PostgreSQL can store a JSON scalar: it rejects strings with NUL or with an unpaired surrogate. */
export function isStorableScalar(json: string): boolean {
  const value: unknown = json.startsWith('"') ? JSON.parse(json) : '';
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\u0000');
}

/** The filter for a query: it searches for a key that nobody sets if the key is hidden. See `Visibility.keyOrUnmatchable`. */
export function searchableFilter(filter: VariableFilter, visibility: Visibility): VariableFilter {
  const key = visibility.keyOrUnmatchable(filter.key);
  const [first, ...rest] = filter.legs;
  return key === filter.key || first === undefined
    ? filter
    : { ...filter, key, legs: [{ ...first, key }, ...rest] };
}

/**
 * Whether the GIN index of documents can answer the filter. It contains whole paths with their scalars, so it has no wildcard
 * for keys, and can only answer equality.
 */
export const isIndexable = (filter: VariableFilter): boolean =>
  equalValues(filter) !== undefined && !filter.legs.some((leg) => 'anyKey' in leg);
