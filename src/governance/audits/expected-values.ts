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

/** Holds values that are to be set against what audits expect, as their runs hold those that are. */
@Injectable()
export class ExpectedValues {
  constructor(private readonly schemas: JsonSchemas) {}

  /**
   * What is wrong with a value of the variable that an audit is about; undefined if nothing is. Where the audit is
   * about several variables, no one value meets it, and nothing is wrong with any.
   * @param schemaText the expectation's schema as JSON text, if it is at hand
   */
  async fault(
    on: Queryable,
    expectation: Expectation,
    value: JsonInput,
    schemaText?: string,
  ): Promise<Fault | undefined> {
    if ('key' in expectation)
      return this.schemaFault(schemaText ?? JSON.stringify(expectation.schema), value.parsed);
    const filters = parseFilters(expectation.vars);
    if (new Set(filters.map(({ key }) => key)).size > 1) return undefined;
    const unmet = await firstUnmet(on, filters, value);
    return unmet && { path: '', message: `is not ${textOf(unmet)}` };
  }

  private schemaFault(schema: string, value: unknown): Fault | undefined {
    try {
      return this.schemas.faults([{ schema, value: JSON.stringify(value) }])[0];
    } catch (error) {
      if (error instanceof TooHard) return { path: '', message: error.message };
      throw error;
    }
  }
}

/** The first of several filters of one variable that a value does not meet: the database decides, as it does in lists. */
async function firstUnmet(
  on: Queryable,
  filters: readonly VariableFilter[],
  { text, path }: JsonInput,
): Promise<VariableFilter | undefined> {
  const impossible = filters.find((filter) => !canMatch(filter));
  if (impossible) return impossible;
  const [unmet] = await on.rows<{ n: number }>(sql`
    SELECT f.n FROM unnest(${list(filters.map(({ key }) => key))}::text[], ${list(filters.map(jsonPathOf))}::text[])
      WITH ORDINALITY AS f (key, path, n)
    WHERE NOT jsonb_path_exists(jsonb_build_object(f.key, ${text}::jsonb #> ${list(path)}::text[]),
      f.path::jsonpath, '{}', true)
    ORDER BY f.n LIMIT 1`);
  return unmet && filters[unmet.n - 1];
}
