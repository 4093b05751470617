import { splitJsonObject } from '../../core/json/json-text';
import type { TypesOfKey } from '../../database/variable-values';
import type { ImportLine } from './line-kinds';

/** A column of a table with a value of another type than the variable has elsewhere. */
export interface UnusualType {
  readonly key: string;
  /** The first line with such a value. */
  readonly line: number;
  /** The beginning of that value, as in a cell without quotes. */
  readonly cell: string;
  readonly type: 'string' | 'number' | 'boolean';
}

/** Numbers and booleans, which can be meant as texts; and texts. */
type ValueClass = 'ambiguous' | 'text';
type FirstValues = Partial<Record<ValueClass, UnusualType>>;

/** In characters: how much of a cell is reported. */
const MAX_CELL_LENGTH = 100;

/** A copy: a slice of a text keeps all of it in memory. */
const beginningOf = (cell: string): string => Buffer.from(cell.slice(0, MAX_CELL_LENGTH)).toString();

/**
 * The variables that a table sets on resources that did not set them, as their cells are by themselves: `6.8` is a number, and `6.10` a
 * text. It keeps the first value of each type, to compare the types with those elsewhere.
 */
export class NewValues {
  private readonly firsts = new Map<string, FirstValues>();

  /** @param newKeys those that the resource did not set; undefined: it is new */
  add(
    { line, body, text }: Pick<ImportLine, 'line' | 'body' | 'text'>,
    newKeys: readonly string[] | undefined,
  ): void {
    const variables = (body['variables'] ?? {}) as Readonly<Record<string, unknown>>;
    let texts: ReadonlyMap<string, string> | undefined;
    for (const key of newKeys ?? Object.keys(variables)) {
      const value = variables[key];
      const type = typeof value;
      if (type !== 'string' && type !== 'number' && type !== 'boolean') continue;
      const valueClass = type === 'string' ? 'text' : 'ambiguous';
      const found = this.firsts.get(key);
      if ((found?.[valueClass]?.line ?? Infinity) <= line) continue;
      // A parsed number can have lost digits.
      texts ??= splitJsonObject(splitJsonObject(text).get('variables') ?? '{}');
      const cell = beginningOf(typeof value === 'string' ? value : (texts.get(key) ?? '').trim());
      this.firsts.set(key, { ...found, [valueClass]: { key, line, cell, type } });
    }
  }

  clear(): void {
    this.firsts.clear();
  }

  /**
   * Numbers and booleans where others are texts, in the table or in the project; and texts where all others are numbers and booleans.
   * @param keys those of the columns
   * @param elsewhere the types of values that resources of the project had before
   */
  unusualTypes(keys: readonly string[], elsewhere: ReadonlyMap<string, TypesOfKey>): UnusualType[] {
    return keys.flatMap((key) => {
      const { ambiguous, text } = this.firsts.get(key) ?? {};
      const types = elsewhere.get(key);
      const hasTexts = types?.has_texts === true;
      if (ambiguous) return text || hasTexts ? [ambiguous] : [];
      const hasOthers = types?.has_numbers === true || types?.has_booleans === true;
      return text && hasOthers && !hasTexts ? [text] : [];
    });
  }
}
