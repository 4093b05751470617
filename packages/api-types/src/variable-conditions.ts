/** One condition of the filter `vars`: `rack.row:4`. */
export interface VarsCondition {
  readonly path: string;
  /** The name of the variable. */
  readonly key: string;
  /** As JSON. */
  readonly value: string;
}

const CONDITION = /^\s*((?:"((?:[^"\\]|\\.)*)"|([^.:[\s]+))[^:]*?)\s*:\s*(.+?)\s*$/s;
/** Scalars other than texts. */
const SCALAR = /^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;
/** The scalars of a list. */
const SCALARS = /"(?:[^"\\]|\\.)*"|[^\s,[\]"]+/gs;

const keyOf = (quoted: string | undefined, plain: string): string =>
  quoted === undefined ? plain : String(JSON.parse(`"${quoted}"`));

/** Parses a filter that the service has accepted: its keys and values contain neither `:` nor `,`. */
export const parseConditions = (filter: string): VarsCondition[] =>
  filter.split(',').flatMap((text) => {
    const [, path = '', quoted, plain = '', value = ''] = CONDITION.exec(text) ?? [];
    return path === '' ? [] : [{ path, key: keyOf(quoted, plain), value }];
  });

/** One condition of the filter `where`: `kernel < "6.12"`. */
export interface WhereCondition extends VarsCondition {
  /** Of a comparison with one value, or `in` with a list of values; absent: another form. */
  readonly operator?: string;
}

const WHERE =
  /^\s*((?:"((?:[^"\\]|\\.)*)"|([^\s.[=!<>^~"]+))[^=!<>^~]*?)\s*(?:([=!^~<>]=|[=<>]|in\b)\s*(.+?)|exists)\s*$/s;

/** Parses a condition that the service has accepted; undefined for `missing`, which unknown keys meet. */
export function parseWhere(text: string): WhereCondition | undefined {
  const [, path = '', quoted, plain = '', operator, value = ''] = WHERE.exec(text) ?? [];
  if (path === '') return undefined;
  return { path, key: keyOf(quoted, plain), value, ...(operator === undefined ? {} : { operator }) };
}

/**
 * The same value with the other type: `6.8` for `"6.8"`, and the reverse; of a list, each value that has one. Undefined for
 * other texts, and if the operator does not compare with the other type.
 */
export function valueOfOtherType(value: string, operator?: string): string | undefined {
  if (value.startsWith('[')) {
    const values = value.match(SCALARS) ?? [];
    const others = values.map((one) => valueOfOtherType(one) ?? one);
    return others.join() === values.join() ? undefined : `[${others.join(', ')}]`;
  }
  // Only texts have a beginning.
  if (operator === '^=' || operator === '~=') return undefined;
  if (SCALAR.test(value)) return JSON.stringify(value);
  const text: unknown = value.startsWith('"') ? JSON.parse(value) : undefined;
  if (typeof text !== 'string' || !SCALAR.test(text)) return undefined;
  // Booleans and null have no order.
  return operator !== undefined && /[<>]/.test(operator) && !/\d/.test(text) ? undefined : text;
}
