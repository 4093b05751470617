import { Injectable } from '@nestjs/common';
import type { ChangeDiff, ObjectDiff } from '../../changes/change-diff';
import { lockDefinitions } from '../../changes/definition-lock';
import type { DeferredCheck, WritePolicy } from '../../changes/write-policy';
import type { ErrorDetail } from '../../core/error-details';
import { InventoryError } from '../../core/errors';
import type { Transaction } from '../../database/database';
import { arrayParameter, sql, type Sql } from '../../database/sql';
import { JsonSchemaValidator, ValidationTimeoutError, type SchemaCheck } from '../schemas/schema-validation';
import type { SchemaViolation } from '../schemas/compile-schema';
import { matchingPatterns } from '../../core/context/variable-keys';
import { variableDefinitionMapping } from './variable-definition.entity';

/** A variable that a change sets. The value is a JSON text. */
interface SetVariable {
  readonly object: ObjectDiff;
  readonly key: string;
  readonly value: string;
}

/** A variable that a change sets, and one definition that applies to it. */
interface VariableCheck extends SchemaCheck {
  readonly object: ObjectDiff;
  readonly key: string;
  /** The definition's key: the variable's own key, or a prefix and `*`. */
  readonly definition: string;
}

/** Limit per project. Every change that sets variables reads the keys of all definitions. */
const MAX_DEFINITIONS = 1_000;
/** Limit on the violations that one error reports. */
const MAX_DETAILS = 100;

/**
 * Rejects changes that set variables to values that violate their definitions. It runs for every change. It validates
 * only the values that the change sets, so existing violations do not block other changes.
 */
@Injectable()
export class DefinitionPolicy implements WritePolicy {
  constructor(private readonly schemas: JsonSchemaValidator) {}

  /** @throws InventoryError 400 with the path of each violation, 409 if the project has too many definitions */
  async check(change: ChangeDiff): Promise<DeferredCheck | undefined> {
    const { tx, projectId, objects } = change;
    const changesDefinitions = objects.some(isDefinition);
    if (!objects.some(setsVariables) && !changesDefinitions) return undefined;
    if (changesDefinitions) await lockDefinitions(tx, projectId, 'exclusive');
    else if (!change.holdsDefinitionLock) await lockDefinitions(tx, projectId, 'shared');
    const verify = (patterns: readonly string[]) => this.validate(change, patterns);
    return { read: definedPatterns(projectId), verify };
  }

  private async validate({ tx, projectId, objects }: ChangeDiff, patterns: readonly string[]): Promise<void> {
    if (patterns.length === 0) return;
    if (patterns.length > MAX_DEFINITIONS && objects.some(isNewDefinition)) throw tooManyDefinitions();
    const setVariables = objects.flatMap(setVariablesOf);
    const matching = matchingPatterns(patterns, new Set(setVariables.map(({ key }) => key)));
    if (matching.size === 0) return;
    const schemas = await schemasOf(tx, projectId, new Set([...matching.values()].flat()));
    const checks = setVariables.flatMap((variable) =>
      (matching.get(variable.key) ?? []).map((definition): VariableCheck => ({
        ...variable,
        definition,
        schema: schemas.get(definition) ?? missingDefinition(definition),
      })),
    );
    const details = (await this.violations(checks)).slice(0, MAX_DETAILS);
    if (details.length > 0)
      throw new InventoryError(
        'invalid_request',
        details.map(({ field, message }) => `${field}: ${message}`).join('; '),
        details,
      );
  }

  private async violations(checks: readonly VariableCheck[]): Promise<ErrorDetail[]> {
    const hasManyObjects = new Set(checks.map(({ object }) => object)).size > 1;
    const detail = (
      { object, key, definition }: VariableCheck,
      { path, message, types }: SchemaViolation,
    ): ErrorDetail => ({
      field: `variables.${key}${path}`,
      code: 'schema_violation',
      message: `${hasManyObjects ? `${object.mapping.kind} ${object.name}: ` : ''}${message} (definition of ${definition})`,
      ...(types && { expected_types: types }),
    });
    const details = (violations: readonly (SchemaViolation | undefined)[]) =>
      violations.flatMap((violation, i) => {
        const check = checks[i];
        return violation && check ? [detail(check, violation)] : [];
      });
    try {
      return details(await this.schemas.validate(checks));
    } catch (error) {
      if (!(error instanceof ValidationTimeoutError)) throw error;
      return details([...error.violations, { path: '', message: error.message }]);
    }
  }
}

const setsVariables = ({ variables }: ObjectDiff): boolean =>
  variables.some(({ after }) => after !== undefined);

const setVariablesOf = (object: ObjectDiff): SetVariable[] =>
  object.variables.flatMap(({ key, after: value }): SetVariable[] =>
    value === undefined ? [] : [{ object, key: JSON.parse(key) as string, value }],
  );

const isDefinition = ({ mapping }: ObjectDiff): boolean => mapping.kind === variableDefinitionMapping.kind;
const isNewDefinition = (object: ObjectDiff): boolean => isDefinition(object) && object.action === 'create';

/** The keys and prefixes of the project's definitions, up to one more than the limit, as an expression. */
const definedPatterns = (projectId: string): Sql => sql`ARRAY(
  SELECT d.key FROM variable_definitions d WHERE d.project_id = ${projectId} ORDER BY d.key LIMIT ${MAX_DEFINITIONS + 1})`;

/** Reads only the schemas that apply: schemas are long, and most changes need few of them. */
async function schemasOf(
  tx: Transaction,
  projectId: string,
  patterns: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.rows<{ key: string; schema: string }>(sql`
    SELECT d.key, d.schema::text AS schema FROM variable_definitions d
    WHERE d.project_id = ${projectId} AND d.key = ANY(${arrayParameter([...patterns])}::text[])`);
  return new Map(rows.map(({ key, schema }) => [key, schema]));
}

function missingDefinition(definition: string): never {
  throw new Error(`the variable definition ${definition} disappeared while definitions were locked`);
}

const tooManyDefinitions = (): InventoryError =>
  new InventoryError(
    'conflict',
    `A project can have at most ${String(MAX_DEFINITIONS)} variable definitions. Replace several of them with one for a key prefix, such as ntp_*.`,
  );
