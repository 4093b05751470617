import { Injectable } from '@nestjs/common';
import type { JsonInput } from '../../database/json-input';
import type { Queryable } from '../../database/database';
import { list, sql } from '../../database/sql';
import {
  canMatch,
  jsonPathOf,
  parseFilters,
  textOf,
  type VariableFilter,
} from '../../variables/filter/filter-parser';
import type { Fault } from '../schemas/compile-schema';
import { JsonSchemas, TooHard } from '../schemas/schema-validation';
import type { Expectation } from './expectation';

/** Validates new values against expectations, with the same rules as audit runs. */
@Injectable()
export class ExpectedValues {
  constructor(private readonly schemas: JsonSchemas) {}

  /**
   * Why a value does not meet an expectation; undefined if it does. An expectation on several variables accepts every
   * value, because a value of one variable cannot decide it.
   * @param schemaText the expectation's schema as JSON text, if the caller has it
   */
  async fault(
    on: Queryable,
    expectation: Expectation,
    value: JsonInput,
    schemaText?: string,
  ): Promise<Fault | undefined> {
    if ('key' in expectation)
      return this.validateSchema(schemaText ?? JSON.stringify(expectation.schema), value.parsed);
    const filters = parseFilters(expectation.vars);
    if (new Set(filters.map(({ key }) => key)).size > 1) return undefined;
    const filter = await firstUnmatched(on, filters, value);
    return filter && { path: '', message: `is not ${textOf(filter)}` };
  }

  private validateSchema(schema: string, value: unknown): Fault | undefined {
    try {
      return this.schemas.faults([{ schema, value: JSON.stringify(value) }])[0];
    } catch (error) {
      if (error instanceof TooHard) return { path: '', message: error.message };
      throw error;
    }
  }
}

/** The first of several filters on one variable that a value does not match. PostgreSQL evaluates them, as in lists. */
async function firstUnmatched(
  on: Queryable,
  filters: readonly VariableFilter[],
  { text, path }: JsonInput,
): Promise<VariableFilter | undefined> {
  const impossible = filters.find((filter) => !canMatch(filter));
  if (impossible) return impossible;
  const [row] = await on.rows<{ n: number }>(sql`
    SELECT f.n FROM unnest(${list(filters.map(({ key }) => key))}::text[], ${list(filters.map(jsonPathOf))}::text[])
      WITH ORDINALITY AS f (key, path, n)
    WHERE NOT jsonb_path_exists(jsonb_build_object(f.key, ${text}::jsonb #> ${list(path)}::text[]),
      f.path::jsonpath, '{}', true)
    ORDER BY f.n LIMIT 1`);
  return row && filters[row.n - 1];
}
