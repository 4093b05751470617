import { characterCount } from '../../core/text';
import { InventoryError } from '../../core/errors';
import type { Leg } from './variable-filter';

const MAX_LEGS = 16;
/** The largest array index in a jsonpath of PostgreSQL. */
const MAX_INDEX = 2_147_483_647;

const IDENTIFIER = /[\p{ID_Start}_][\p{ID_Continue}]*/uy;
/** This also matches control characters, which the JSON parser then rejects. */
const STRING = /"(?:[^"\\]|\\.)*"/suy;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\p{ID_Continue}.])/uy;
const WORD = /(?:true|false|null)(?![\p{ID_Continue}])/uy;
const INDEX = /\d+/y;

/** The start of the message where a path lacks a key. */
export const EXPECTED_KEY = 'expected a key (an identifier, or a string in double quotes)';

/** A path to values, from the key of a variable. */
export interface Path {
  /** The key of the variable, which is the first leg. */
  readonly key: string;
  readonly legs: readonly Leg[];
}

/** Parses what `vars` and `where` have in common: paths, and JSON scalars. */
export abstract class PathParser {
  protected at = 0;

  /**
   * @param parameter the query parameter that contains the text
   * @param hidden the number of characters before the text that the client sent
   * @param context what errors name before the position
   */
  constructor(
    protected readonly text: string,
    private readonly parameter: string,
    private readonly hidden = 0,
    private readonly context = '',
  ) {}

  /** A path whose first leg is a key. @param expected names what can follow the last leg */
  protected pathFromKey(expected: (last: Leg | undefined) => string | undefined): Path {
    const start = this.at;
    const legs = this.legs();
    const problem = expected(legs.at(-1));
    if (problem !== undefined) this.fail(problem);
    const [first] = legs;
    if (!first || 'anyKey' in first)
      this.fail('expected the key of a variable: a path cannot begin with "*"', start);
    return { key: first.key, legs };
  }

  protected legs(): Leg[] {
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
    if (key === undefined) this.fail(`${EXPECTED_KEY}${alternative}`);
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

  /** A JSON scalar as text; undefined if there is none. */
  protected scalar(): string | undefined {
    if (this.peek('"')) return JSON.stringify(this.string('a value'));
    return this.match(WORD) ?? this.number();
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
    const problem = this.stringProblem(string, what);
    if (problem !== undefined) this.fail(problem, start);
    return string;
  }

  /** Why a parameter does not accept a string as a key or a value; undefined if it does. */
  protected abstract stringProblem(string: string, what: string): string | undefined;

  protected match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const [found] = pattern.exec(this.text) ?? [];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  protected peek(character: string): boolean {
    return this.text[this.at] === character;
  }

  protected skip(character: string): boolean {
    if (!this.peek(character)) return false;
    this.at++;
    return true;
  }

  protected get isAtEnd(): boolean {
    return this.at === this.text.length;
  }

  protected fail(message: string, at = this.at): never {
    const position = characterCount(this.text.slice(this.hidden, at)) + 1;
    throw InventoryError.invalid(
      this.parameter,
      'invalid_format',
      `${this.context}at character ${String(position)}: ${message}`,
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
