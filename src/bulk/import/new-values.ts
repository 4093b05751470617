import { splitJsonObject } from '../../core/json/json-text';
import type { TypesOfKey } from '../../database/variable-values';
import type { ImportLine } from './line-kinds';

/**
 * The member of a staged line that lists the variables whose cells begin like a list or object, but are not JSON. No request has it.
 * Its siblings in line-kinds.ts load Nest, which unit tests of this file cannot.
 */
export const INVALID_JSON_KEYS = 'invalid_json_variables';

/** New values of one type class in a column: the first one, and their number. */
interface TypeSample {
  /** The first line with such a value. */
  readonly line: number;
  /** The beginning of that value, as in a cell without quotes. */
  readonly cell: string;
  readonly type: 'string' | 'number' | 'boolean';
  /** How many such values the table sets on resources that did not set the variable. */
  readonly count: number;
}

/** A column of a table with values of another type than the variable has elsewhere. */
export interface UnusualType extends TypeSample {
  readonly key: string;
  /**
   * Why texts are unusual, if not because of numbers or booleans: they begin like lists or objects, but are not JSON; or the project
   * has lists or objects.
   */
  readonly reason?: 'invalid_json' | 'arrays_or_objects_elsewhere';
  /** The other values of the column; absent if only resources of the project have some. */
  readonly others?: TypeSample;
}

type ValueClass = 'ambiguous' | 'text' | 'broken';
type SamplesByClass = Partial<Record<ValueClass, TypeSample>>;

/** In characters: how much of a cell is reported. */
const MAX_CELL_LENGTH = 100;

/** A copy: a slice of a text keeps all of it in memory. */
const beginningOf = (cell: string): string => Buffer.from(cell.slice(0, MAX_CELL_LENGTH)).toString();

/**
 * The variables that a table sets on resources that did not set them, as their cells are by themselves: `6.8` is a number, and `6.10` a
 * text. It keeps the first value and the number of each type, to compare the types with those elsewhere.
 */
export class NewValues {
  private readonly values = new Map<string, SamplesByClass>();

  /** @param keysToCheck those that the resource did not set, and those with invalid JSON that change; undefined: all, the resource is new */
  add(
    { line, body, text }: Pick<ImportLine, 'line' | 'body' | 'text'>,
    keysToCheck: readonly string[] | undefined,
  ): void {
    const variables = (body['variables'] ?? {}) as Readonly<Record<string, unknown>>;
    const broken = new Set((body[INVALID_JSON_KEYS] ?? []) as readonly string[]);
    let texts: ReadonlyMap<string, string> | undefined;
    for (const key of keysToCheck ?? Object.keys(variables)) {
      const value = variables[key];
      const type = typeof value;
      if (type !== 'string' && type !== 'number' && type !== 'boolean') continue;
      const valueClass = broken.has(key) ? 'broken' : type === 'string' ? 'text' : 'ambiguous';
      const found = this.values.get(key);
      const earlier = found?.[valueClass];
      const count = (earlier?.count ?? 0) + 1;
      if (earlier && earlier.line <= line) {
        this.values.set(key, { ...found, [valueClass]: { ...earlier, count } });
        continue;
      }
      // A parsed number can have lost digits.
      texts ??= splitJsonObject(splitJsonObject(text).get('variables') ?? '{}');
      const cell = beginningOf(typeof value === 'string' ? value : (texts.get(key) ?? '').trim());
      this.values.set(key, { ...found, [valueClass]: { line, cell, type, count } });
    }
  }

  clear(): void {
    this.values.clear();
  }

  /**
   * A text that is likely a broken list or object is always unusual, apart from the other values. Another text is unusual if the project
   * has values, but no texts. Otherwise a number or boolean is unusual if the column or the project has texts.
   * @param keys those of the columns
   * @param elsewhere the types of values that resources of the project had before
   */
  unusualTypes(keys: readonly string[], elsewhere: ReadonlyMap<string, TypesOfKey>): UnusualType[] {
    return keys.flatMap((key) => {
      const { broken } = this.values.get(key) ?? {};
      const mixed = this.mixedTypes(key, elsewhere.get(key));
      return [...(broken ? [{ key, ...broken, reason: 'invalid_json' as const }] : []), ...mixed];
    });
  }

  private mixedTypes(key: string, types: TypesOfKey | undefined): UnusualType[] {
    const { ambiguous, text } = this.values.get(key) ?? {};
    const hasTexts = types?.has_texts === true;
    const hasOthers = types?.has_numbers === true || types?.has_booleans === true;
    if (text && !hasTexts && hasOthers) return [{ key, ...text, ...(ambiguous && { others: ambiguous }) }];
    if (text && !hasTexts && types?.has_arrays_or_objects === true)
      return [{ key, ...text, reason: 'arrays_or_objects_elsewhere' }];
    return ambiguous && (text ?? hasTexts) ? [{ key, ...ambiguous, ...(text && { others: text }) }] : [];
  }
}
