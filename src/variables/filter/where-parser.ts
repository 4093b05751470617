import { InventoryError } from '../../core/errors';
import {
  hintForAlternative,
  hintForAlternatives,
  hintForNegation,
  hintForOperand,
  hintForRest,
  hintForSeparator,
  hintForSymbol,
  hintForWord,
  MAX_HINT_LENGTH,
} from './where-hints';
import { EXPECTED_KEY, PathParser } from './path-parser';
import { isStorableScalar, type Operator, type Predicate, type VariableFilter } from './variable-filter';

/** The maximum number of conditions in all values of the parameter together. */
export const MAX_CONDITIONS = 16;
/** The maximum number of values of `in`. */
export const MAX_ALTERNATIVES = 100;

const BLANKS = /[ \t\r\n]*/y;
const SYMBOL = /[=!<>~^:*$@&|%?]+/y;
const WORD = /\p{ID_Start}\p{ID_Continue}*/uy;

const EXPECTED_OPERATOR = 'expected =, !=, <, <=, >, >=, ^=, ~=, in, exists or missing';
const EXPECTED_SCALAR = 'expected a JSON string, number, true, false or null';

/**
 * Parses the `where` parameter, each value of which is one condition: `<path> <operator> <value>`, `<path> in [<value>, …]`,
 * `<path> exists` or `<path> missing`.
 * @throws InventoryError 400 with the position of the error, the expected token and, if it can be guessed, the right form
 */
export function parseConditions(texts: readonly string[], parameter = 'where'): VariableFilter[] {
  if (texts.length > MAX_CONDITIONS)
    throw InventoryError.invalid(
      parameter,
      'too_long',
      `at most ${String(MAX_CONDITIONS)} conditions are allowed`,
    );
  return texts.map((text, i) =>
    new ConditionParser(text, parameter, texts.length > 1 ? i + 1 : undefined).condition(),
  );
}

/** Parses one condition. @throws InventoryError 400 like `parseConditions` */
export const parseCondition = (text: string, parameter = 'where'): VariableFilter =>
  new ConditionParser(text, parameter).condition();

class ConditionParser extends PathParser {
  /** @param number the number of the condition, if there are several */
  constructor(text: string, parameter: string, number?: number) {
    super(text, parameter, 0, number === undefined ? '' : `condition ${String(number)}, `);
  }

  condition(): VariableFilter {
    this.skipBlanks();
    const start = this.at;
    if (this.peek('!')) this.fail(`${EXPECTED_KEY}${hintForNegation(this.restForHint)}`);
    const path = this.pathFromKey(() => (this.peek('-') || this.peek('*') ? this.pathProblem() : undefined));
    const written = this.text.slice(start, this.at);
    this.skipBlanks();
    const predicate = this.predicate(written);
    this.skipBlanks();
    if (!this.isAtEnd) this.fail(`expected the end${hintForRest(this.restForHint)}`);
    return { ...path, predicate };
  }

  /** Why a path ends before a character that cannot follow it. */
  private pathProblem(): string {
    if (this.text.startsWith('**', this.at)) return 'the double asterisk is not supported';
    return this.peek('-')
      ? `${EXPECTED_OPERATOR}: a key with a hyphen needs double quotes`
      : `${EXPECTED_OPERATOR}: "*" must be a whole leg`;
  }

  /** @param path as it is written */
  private predicate(path: string): Predicate {
    const start = this.at;
    const symbol = this.match(SYMBOL);
    if (symbol !== undefined) {
      this.skipBlanks();
      if (isComparison(symbol)) return this.comparison(path, symbol);
      return this.fail(`${EXPECTED_OPERATOR}${hintForSymbol(path, symbol, this.restForHint)}`, start);
    }
    const word = this.match(WORD);
    if (word === undefined)
      return this.fail(`${EXPECTED_OPERATOR}${this.isAtEnd ? `: for example ${path} exists` : ''}`);
    if (word === 'exists' || word === 'missing') return { operator: word };
    this.skipBlanks();
    if (word === 'in') return { operator: word, values: this.alternatives(path) };
    return this.fail(`${EXPECTED_OPERATOR}${hintForWord(path, word, this.restForHint)}`, start);
  }

  private comparison(path: string, operator: Comparison): Predicate {
    const start = this.at;
    const isText = operator === '^=' || operator === '~=';
    const value = this.scalarBefore(/^(?:[\s,;&|]|$)/u);
    if (value === undefined) {
      const expected = isText ? 'expected a JSON string' : EXPECTED_SCALAR;
      return this.fail(
        `${expected}${hintForOperand(path, operator, this.text.slice(0, start).trimStart(), this.restForHint)}`,
      );
    }
    if (operator === '=' || operator === '!=') return { operator, value };
    if (value.startsWith('"')) return { operator, value };
    if (isText) return this.fail(`${operator} compares texts: write ${path} ${operator} "${value}"`, start);
    if (/^[-\d]/.test(value)) return { operator, value };
    return this.fail(`${operator} compares numbers and texts: expected a JSON number or string`, start);
  }

  /** The values of `in`. */
  private alternatives(path: string): string[] {
    const start = this.at;
    if (!this.skip('[')) this.fail(`expected "["${hintForAlternatives(path, this.restForHint)}`);
    const values: string[] = [];
    do {
      this.skipBlanks();
      if (values.length === MAX_ALTERNATIVES)
        this.fail(`at most ${String(MAX_ALTERNATIVES)} values are allowed`);
      const value = this.scalarBefore(/^\s*(?:[,;|\]]|$)/u);
      if (value === undefined) this.fail(`${EXPECTED_SCALAR}${hintForAlternative(this.restForHint)}`);
      values.push(value);
      this.skipBlanks();
    } while (this.skip(','));
    if (!this.skip(']'))
      this.fail(`expected "," or "]"${hintForSeparator(path, this.text.slice(start), this.restForHint)}`);
    return values;
  }

  /**
   * A JSON scalar; undefined if there is none. A text without quotes can begin with a number or a word: `6.8-rc`.
   * @param end what follows a number or a word
   */
  private scalarBefore(end: RegExp): string | undefined {
    const start = this.at;
    const value = this.scalar();
    if (value === undefined || value.startsWith('"') || end.test(this.rest)) return value;
    this.at = start;
    return undefined;
  }

  protected stringProblem(string: string): string | undefined {
    return isStorableScalar(JSON.stringify(string))
      ? undefined
      : 'a text cannot contain NUL or an unpaired surrogate';
  }

  /** As much of the rest as a hint can repeat: hints are patterns of what follows, and a request can be long. */
  private get restForHint(): string {
    return this.text.slice(this.at, this.at + MAX_HINT_LENGTH + 1);
  }

  private get rest(): string {
    return this.text.slice(this.at);
  }

  private skipBlanks(): void {
    this.match(BLANKS);
  }
}

type Comparison = Exclude<Operator, 'in' | 'exists' | 'missing'>;

const COMPARISONS: readonly string[] = ['=', '!=', '^=', '~=', '<', '<=', '>', '>='] satisfies Comparison[];

const isComparison = (symbol: string): symbol is Comparison => COMPARISONS.includes(symbol);
