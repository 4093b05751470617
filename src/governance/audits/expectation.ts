import { fault, type Fault } from '../../core/error-details';
import { detailCodeOf, InventoryError } from '../../core/errors';
import { meetsTest, testColumns } from '../../variables/filter/document-test';
import { parseFilters } from '../../variables/filter/vars-parser';
import { parseConditions } from '../../variables/filter/where-parser';
import { canMatch, formatCondition, type VariableFilter } from '../../variables/filter/variable-filter';
import { isObject, jsonValueError, variableKeyError } from '../../core/context/variable-keys';
import { schemaFormFault, type SchemaViolation } from '../schemas/compile-schema';
import { filtersOf, type WrittenFilters } from './written-filters';
import { Injectable } from '@nestjs/common';
import type { JsonInput } from '../../database/json-input';
import type { RequestContext } from '../../core/context/request-context';
import type { Queryable } from '../../database/database';
import { arrayParameter, join, sql } from '../../database/sql';
import {
  assertUsableSchema,
  JsonSchemaValidator,
  ValidationTimeoutError,
} from '../schemas/schema-validation';

/** The condition that an audit checks, as it is stored. */
export type Expectation =
  | (WrittenFilters & { readonly value?: unknown })
  | { readonly key: string; readonly schema: unknown; readonly value?: unknown };

export const MAX_FILTER_LENGTH = 10_000;

/** The members of an expectation besides `value`, sorted. */
const EXPECTATION_FORMS: readonly string[] = ['vars', 'where', 'vars where', 'key schema'];

/** Why a text of filters is rejected; undefined if it is accepted. */
export function filtersFault(text: unknown): Fault | undefined {
  const error = textFault(text);
  if (error) return error;
  return parseFault(() => parseFilters(String(text)));
}

/** Why conditions are rejected; undefined if they are accepted. */
export function conditionsFault(texts: unknown): Fault | undefined {
  if (!Array.isArray(texts)) return fault('invalid_type', 'must be an array of strings');
  if (texts.length === 0) return fault('required', 'must have at least one condition');
  const error = texts.map(textFault).find((found) => found !== undefined);
  return error ?? parseFault(() => parseConditions(texts as string[]));
}

function textFault(text: unknown): Fault | undefined {
  if (typeof text !== 'string') return fault('invalid_type', 'must be a string');
  if (text.length > MAX_FILTER_LENGTH)
    return fault('too_long', `must be at most ${String(MAX_FILTER_LENGTH)} characters`);
  if (!text.isWellFormed() || text.includes('\u0000'))
    return fault('invalid_format', 'must not contain NUL or lone surrogates');
  return undefined;
}

function parseFault(parse: () => unknown): Fault | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    if (error instanceof InventoryError)
      return fault(detailCodeOf(error), error.details.map(({ message }) => message).join('; '));
    throw error;
  }
}

/** Why an expectation is rejected; undefined if it is accepted. The schema is not compiled: see `assertUsable`. */
export function expectationFault(value: unknown): Fault | undefined {
  const members = isObject(value) ? Object.keys(value).filter((member) => member !== 'value') : [];
  const form = members.sort().join(' ');
  if (!isObject(value) || !EXPECTATION_FORMS.includes(form))
    return fault(
      'invalid_type',
      'must have either vars, where or both, or key and schema; value is optional',
    );
  const memberFault = (member: string, error: Fault | undefined) =>
    error && fault(error.code, `${member}: ${error.message}`);
  const checks = { vars: filtersFault, where: conditionsFault, key: keyTextFault, schema: schemaFormFault };
  const error = Object.entries(checks)
    .map(([member, check]) => (member in value ? memberFault(member, check(value[member])) : undefined))
    .find((found) => found !== undefined);
  return error ?? memberFault('value', jsonValueError(value['value']));
}

const keyTextFault = (key: unknown): Fault | undefined =>
  typeof key === 'string' ? variableKeyError(key) : fault('invalid_type', 'must be a string');

/** The variables that an audit refers to, sorted. */
export function referencedKeys(target: WrittenFilters, expectation: Expectation): string[] {
  const keysOfFilters = (written: WrittenFilters) => filtersOf(written).map(({ key }) => key);
  const expected = 'key' in expectation ? [expectation.key] : keysOfFilters(expectation);
  return [...new Set([...keysOfFilters(target), ...expected])].sort();
}

/** The message of an audit for a value that does not match a filter. */
export const mismatchText = (filter: VariableFilter): string => `does not meet ${formatCondition(filter)}`;

/** Validates new values against expectations, with the same rules as audit runs. */
@Injectable()
export class ExpectationValidator {
  constructor(private readonly schemas: JsonSchemaValidator) {}

  /**
   * Why a value does not meet an expectation; undefined if it does. An expectation on several variables accepts every
   * value, because a value of one variable cannot decide it.
   * @param schemaText the expectation's schema as JSON text, if the caller has it
   */
  async violationOf(
    on: Queryable,
    expectation: Expectation,
    value: JsonInput,
    schemaText?: string,
  ): Promise<SchemaViolation | undefined> {
    if ('key' in expectation)
      return this.validateSchema(schemaText ?? JSON.stringify(expectation.schema), value.parsed);
    const filters = filtersOf(expectation);
    if (new Set(filters.map(({ key }) => key)).size > 1) return undefined;
    const filter = await firstUnmatched(on, filters, value);
    return filter && { path: '', message: mismatchText(filter) };
  }

  /** @throws InventoryError 400 if the schema of the expectation cannot be used */
  async assertUsable(ctx: RequestContext, expectation: Expectation): Promise<void> {
    if ('schema' in expectation)
      await assertUsableSchema(ctx, this.schemas, expectation.schema, 'expectation', 'schema: ');
  }

  private async validateSchema(schema: string, value: unknown): Promise<SchemaViolation | undefined> {
    try {
      return (await this.schemas.validate([{ schema, value: JSON.stringify(value) }]))[0];
    } catch (error) {
      if (error instanceof ValidationTimeoutError) return { path: '', message: error.message };
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
  const { arrays, names } = testColumns(filters);
  const document = sql`jsonb_build_object(f.key, ${text}::jsonb #> ${arrayParameter(path)}::text[])`;
  const [row] = await on.rows<{ n: number }>(sql`
    SELECT f.n FROM unnest(${arrayParameter(filters.map(({ key }) => key))}::text[], ${join(arrays)})
      WITH ORDINALITY AS f (key, ${names}, n)
    WHERE NOT ${meetsTest(document, 'f')} ORDER BY f.n LIMIT 1`);
  return row && filters[row.n - 1];
}
