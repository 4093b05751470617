import { arrayParameter, sql, type Sql } from './sql';

/**
 * A JSON value of a request, for the database. The database extracts it from the text of the request, so that numbers
 * keep all digits. `parsed` is the value in JavaScript, for checks only.
 */
export class JsonInput {
  private constructor(
    /** The value as JavaScript sees it; its numbers may have lost digits. */
    readonly parsed: unknown,
    /** A JSON text that holds the value … */
    readonly text: string,
    /** … at this path. */
    readonly path: readonly string[],
    /** If set, the value is an object with this key as its only member. */
    readonly key?: string,
  ) {}

  /** The value at `path` in the text of a request. */
  static at(text: string, path: readonly string[], parsed: unknown): JsonInput {
    return new JsonInput(parsed, text, path);
  }

  /** A value of the program itself. */
  static of(value: unknown): JsonInput {
    return new JsonInput(value, JSON.stringify(value), []);
  }

  /** The member of an object. */
  member(name: string, parsed: unknown): JsonInput {
    return new JsonInput(parsed, this.text, [...this.path, name]);
  }

  /** An object with this value as its only member. */
  under(key: string): JsonInput {
    return new JsonInput({ [key]: this.parsed }, this.text, this.path, key);
  }

  /** A `jsonb` expression. */
  get sql(): Sql {
    const value = sql`(${this.text}::jsonb #> ${arrayParameter(this.path)}::text[])`;
    return this.key === undefined ? value : sql`jsonb_build_object(${this.key}::text, ${value})`;
  }
}
