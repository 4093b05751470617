import { characterCount } from '../../core/text';
import { InventoryError } from '../../core/errors';
import { variableKeyError, type Visibility } from '../../core/context/variable-keys';

/** One step of a path: any key, or a key with an optional index or wildcard for the elements of an array. */
type Leg = { readonly anyKey: true } | { readonly key: string; readonly element?: number | 'every' };

/** `<path>:<value>`. */
export interface VariableFilter {
  /** The key of the variable, which is the first leg. */
  readonly key: string;
  readonly legs: readonly Leg[];
  /** A JSON scalar as text. */
  readonly value: string;
}

/** The maximum number of filters in all values of the parameter together. */
export const MAX_FILTERS = 16;
const MAX_LEGS = 16;
/** The largest array index in a jsonpath of PostgreSQL. */
const MAX_INDEX = 2_147_483_647;

const IDENTIFIER = /[\p{ID_Start}_][\p{ID_Continue}]*/uy;
const IS_IDENTIFIER = new RegExp(`^${IDENTIFIER.source}$`, 'u');
/** This also matches control characters, which the JSON parser then rejects. */
const STRING = /"(?:[^"\\]|\\.)*"/suy;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\p{ID_Continue}.])/uy;
const WORD = /(?:true|false|null)(?![\p{ID_Continue}])/uy;
const INDEX = /\d+/y;

/**
 * Parses the `vars` parameter: filters `<path>:<value>` separated by `,`, a path's legs separated by `.`.
 * @throws InventoryError 400 with the position of the error and the expected token
 */
export function parseFilters(text: string): VariableFilter[] {
  return new Parser(text).filters();
}

/** The name of the first leg while a path inside a value is parsed. */
const VALUE = 'value';

/**
 * Parses a path inside the value of a variable, in the syntax of filters without wildcards: `rack.row`, `[0].mac`.
 * @returns a PostgreSQL jsonpath over the value
 * @throws InventoryError 400 with the position of the error
 */
export function parseValuePath(parameter: string, path: string): string {
  const prefix = path.startsWith('[') ? VALUE : `${VALUE}.`;
  const legs = new Parser(prefix + path, parameter, prefix.length).path();
  if (legs.some((leg) => 'anyKey' in leg || leg.element === 'every'))
    throw InventoryError.invalid(parameter, 'invalid_format', 'must not contain wildcards');
  if (!legs.every((leg) => 'key' in leg && isStorableScalar(JSON.stringify(leg.key))))
    throw InventoryError.invalid(
      parameter,
      'invalid_format',
      'must not contain NUL or an unpaired surrogate',
    );
  return `$${legs.map(legStep).join('').slice(`."${VALUE}"`.length)}`;
}

class Parser {
  private at = 0;

  /**
   * @param parameter the query parameter that contains the text
   * @param hidden the number of characters before the text that the client sent
   */
  constructor(
    private readonly text: string,
    private readonly parameter = 'vars',
    private readonly hidden = 0,
  ) {}

  /** A path without a value. */
  path(): Leg[] {
    const legs = this.legs();
    if (this.at < this.text.length) this.fail('expected "." or the end');
    return legs;
  }

  filters(): VariableFilter[] {
    const filters = [this.filter()];
    while (this.skip(',')) {
      if (filters.length === MAX_FILTERS) this.fail(`at most ${String(MAX_FILTERS)} filters are allowed`);
      filters.push(this.filter());
    }
    if (this.at < this.text.length) this.fail('expected "," or the end');
    return filters;
  }

  private filter(): VariableFilter {
    const start = this.at;
    const legs = this.legs();
    if (!this.skip(':')) this.fail(this.expectedAfter(legs.at(-1)));
    const [first] = legs;
    if (!first || 'anyKey' in first)
      this.fail('expected the key of a variable: a path cannot begin with "*"', start);
    return { key: first.key, legs, value: this.value() };
  }

  private legs(): Leg[] {
    const legs = [this.leg('first')];
    while (this.skip('.')) {
      if (legs.length === MAX_LEGS) this.fail(`a path has at most ${String(MAX_LEGS)} legs`);
      legs.push(this.leg());
    }
    return legs;
  }

  private leg(position?: 'first'): Leg {
    if (this.skip('*')) {
      if (this.peek('*')) this.fail('the double asterisk is not supported');
      return { anyKey: true };
    }
    const key = this.key(position);
    if (!this.skip('[')) return { key };
    const element = this.element();
    if (!this.skip(']'))
      this.fail(this.peek(':') ? 'expected "]": array slices are not supported' : 'expected "]"');
    return { key, element };
  }

  private key(position?: 'first'): string {
    if (this.peek('"')) return this.string('a key');
    const key = this.match(IDENTIFIER);
    // A path cannot begin with a wildcard.
    const alternative = position === 'first' ? '' : ', or "*"';
    if (key === undefined)
      this.fail(`expected a key (an identifier, or a string in double quotes)${alternative}`);
    return key;
  }

  private element(): number | 'every' {
    if (this.skip('*')) return 'every';
    if (this.peek(':')) this.fail('expected "*" or an index: array slices are not supported');
    const start = this.at;
    const index = this.match(INDEX);
    if (index === undefined) this.fail('expected "*" or an index, which is a whole number');
    const element = Number(index);
    if (element > MAX_INDEX) this.fail('the index is too large', start);
    return element;
  }

  private value(): string {
    if (this.peek('"')) return JSON.stringify(this.string('a value'));
    const value = this.match(WORD) ?? this.number();
    if (value !== undefined) return value;
    if (this.peek('*')) return this.fail('wildcards in a value are not supported');
    if (this.at === this.text.length) return this.fail('expected a value after ":"');
    return this.fail('expected a JSON string, number, true, false or null: a string needs double quotes');
  }

  private number(): string | undefined {
    const start = this.at;
    const number = this.match(NUMBER);
    if (number !== undefined && !isStorableNumber(number)) this.fail('the number has too many digits', start);
    return number;
  }

  private string(what: string): string {
    const start = this.at;
    const literal = this.match(STRING);
    if (literal === undefined) this.fail('expected a JSON string with a closing double quote');
    const string = parseString(literal);
    if (string === undefined) this.fail('expected a JSON string: an escape in it is not valid', start);
    if (/[:,]/.test(string)) this.fail(`":" and "," cannot be used in ${what}`, start);
    return string;
  }

  private expectedAfter(leg: Leg | undefined): string {
    if (this.text.startsWith('**', this.at)) return 'the double asterisk is not supported';
    const isWhole = leg !== undefined && ('anyKey' in leg || leg.element !== undefined);
    const expected = isWhole ? 'expected "." or ":"' : 'expected ".", "[" or ":"';
    if (this.peek('-')) return `${expected}: a key with a hyphen needs double quotes`;
    if (this.peek('*')) return `${expected}: "*" must be a whole leg`;
    return `${expected} and a value`;
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const [found] = pattern.exec(this.text) ?? [];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  private peek(character: string): boolean {
    return this.text[this.at] === character;
  }

  private skip(character: string): boolean {
    if (!this.peek(character)) return false;
    this.at++;
    return true;
  }

  private fail(message: string, at = this.at): never {
    const position = characterCount(this.text.slice(this.hidden, at)) + 1;
    throw InventoryError.invalid(
      this.parameter,
      'invalid_format',
      `at character ${String(position)}: ${message}`,
    );
  }
}

function parseString(literal: string): string | undefined {
  try {
    return JSON.parse(literal) as string;
  } catch (error) {
    // A SyntaxError means that the literal is invalid. Other errors are unexpected.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Whether PostgreSQL can store a number: the numbers of digits before and after the decimal point are limited. */
function isStorableNumber(number: string): boolean {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE](.+))?$/.exec(number) ?? [];
  return whole.length + Number(exponent) <= 131_072 && fraction.length - Number(exponent) <= 16_383;
}

/** Converts a filter to a PostgreSQL jsonpath over a whole document. It is passed to the database as a parameter. */
export const toJsonPath = ({ legs, value }: VariableFilter): string =>
  `$${legs.map(legStep).join('')} ? (@ == ${value})`;

const legStep = (leg: Leg): string =>
  'anyKey' in leg ? '.*' : `.${JSON.stringify(leg.key)}${elementStep(leg)}`;

function elementStep({ element }: { readonly element?: number | 'every' }): string {
  if (element === undefined) return '';
  return element === 'every' ? '[*]' : `[${String(element)}]`;
}

/** Formats a filter in the syntax of the `vars` parameter. */
export function formatFilter({ legs, value }: VariableFilter): string {
  const path = legs.map((leg) => {
    if ('anyKey' in leg) return '*';
    const key = IS_IDENTIFIER.test(leg.key) ? leg.key : JSON.stringify(leg.key);
    if (leg.element === undefined) return key;
    return `${key}[${leg.element === 'every' ? '*' : String(leg.element)}]`;
  });
  return `${path.join('.')}:${value}`;
}

/** Whether a filter compares the whole value of a variable, and not a part of it. */
export const comparesWholeValue = ({ legs: [first, ...rest] }: VariableFilter): boolean =>
  rest.length === 0 && first !== undefined && 'key' in first && first.element === undefined;

/** Whether a filter can match. A filter with an invalid key or a string that cannot be stored matches nothing. */
export const canMatch = (filter: VariableFilter): boolean =>
  variableKeyError(filter.key) === undefined &&
  [filter.value, ...filter.legs.map((leg) => ('key' in leg ? JSON.stringify(leg.key) : ''))].every(
    isStorableScalar,
  );

/** Whether PostgreSQL can store a JSON scalar: it rejects strings with NUL or with an unpaired surrogate. */
function isStorableScalar(json: string): boolean {
  const value: unknown = json.startsWith('"') ? JSON.parse(json) : '';
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\u0000');
}

/** The filter for a query: it matches nothing if the key is hidden. See `Visibility.keyOrUnmatchable`. */
export function searchableFilter(filter: VariableFilter, visibility: Visibility): VariableFilter {
  const key = visibility.keyOrUnmatchable(filter.key);
  const [first, ...rest] = filter.legs;
  return key === filter.key || first === undefined
    ? filter
    : { ...filter, key, legs: [{ ...first, key }, ...rest] };
}

/**
 * Whether the GIN index of documents can answer the filter. It contains whole paths, so it has no wildcard for keys.
 */
export const isIndexable = ({ legs }: VariableFilter): boolean => !legs.some((leg) => 'anyKey' in leg);
