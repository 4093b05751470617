import { InventoryError } from '../../core/errors';
import { PathParser } from './path-parser';
import { isStorableScalar, type Leg, legStep, type VariableFilter } from './variable-filter';
import { parseCondition } from './where-parser';

/** The maximum number of filters in all values of a parameter together. */
export const MAX_FILTERS = 16;

/**
 * Parses the `vars` parameter: filters `<path>:<value>` separated by `,`, a path's legs separated by `.`.
 * @throws InventoryError 400 with the position of the error and the expected token
 */
export function parseFilters(text: string): VariableFilter[] {
  return new VarsParser(text).filters();
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
  const legs = new VarsParser(prefix + path, parameter, prefix.length).path();
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

class VarsParser extends PathParser {
  constructor(text: string, parameter = 'vars', hidden = 0) {
    super(text, parameter, hidden);
  }

  /** A path without a value. */
  path(): Leg[] {
    const legs = this.legs();
    if (!this.isAtEnd) this.fail('expected "." or the end');
    return legs;
  }

  filters(): VariableFilter[] {
    const filters = [this.filter()];
    while (this.skip(',')) {
      if (filters.length === MAX_FILTERS) this.fail(`at most ${String(MAX_FILTERS)} filters are allowed`);
      filters.push(this.filter());
    }
    if (!this.isAtEnd) this.fail('expected "," or the end');
    return filters;
  }

  private filter(): VariableFilter {
    const start = this.at;
    const path = this.pathFromKey((last) => (this.skip(':') ? undefined : this.expectedAfter(last, start)));
    return { ...path, predicate: { operator: '=', value: this.value() } };
  }

  private value(): string {
    const value = this.scalar();
    if (value !== undefined) return value;
    if (this.peek('*')) return this.fail('wildcards in a value are not supported');
    if (this.isAtEnd) return this.fail('expected a value after ":"');
    return this.fail('expected a JSON string, number, true, false or null: a string needs double quotes');
  }

  /** The grammar of the reference excludes these characters. */
  protected stringProblem(string: string, what: string): string | undefined {
    return /[:,]/.test(string) ? `":" and "," cannot be used in ${what}, but where accepts them` : undefined;
  }

  /** @param start where the filter begins */
  private expectedAfter(leg: Leg | undefined, start: number): string {
    if (this.text.startsWith('**', this.at)) return 'the double asterisk is not supported';
    const isWhole = leg !== undefined && ('anyKey' in leg || leg.element !== undefined);
    const expected = isWhole ? 'expected "." or ":"' : 'expected ".", "[" or ":"';
    if (this.peek('-')) return `${expected}: a key with a hyphen needs double quotes`;
    if (this.peek('*')) return `${expected}: "*" must be a whole leg`;
    return `${expected} and a value${isCondition(this.text.slice(start)) ? ': this is a condition of where' : ''}`;
  }
}

/** Whether the parameter `where` accepts a text. */
function isCondition(text: string): boolean {
  try {
    parseCondition(text);
    return true;
  } catch (error) {
    if (error instanceof InventoryError) return false;
    throw error;
  }
}
