import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { DescribedChange, DescribedObject } from '../../changes/change-diff';
import { WriteRules, type WriteRule } from '../../changes/write-policies';
import { InventoryError, type ErrorDetail } from '../../core/errors/inventory-error';
import type { Transaction } from '../../database/database';
import { list, sql } from '../../database/sql';
import { JsonSchemas, TooHard, type Checked } from '../schemas/schema-validation';
import type { Fault } from '../schemas/compile-schema';
import { matchingPatterns } from './matching-patterns';
import { variableDefinitionShape } from './variable-definition';

/** A variable that a change sets, and what it is held against. */
interface Question extends Checked {
  readonly object: DescribedObject;
  readonly key: string;
  /** The definition's key: the variable's own, or a prefix. */
  readonly definition: string;
}

/** Every change that sets variables reads the keys of all definitions. */
const MOST_DEFINITIONS = 1_000;
/** Faults that one answer tells of. */
const MOST_DETAILS = 100;

/**
 * Refuses values that break the definitions of their keys. It is asked by every change, whatever made it: only the
 * values that the change sets are looked at, so what was there before stays.
 */
@Injectable()
export class DefinitionRule implements WriteRule, OnModuleInit {
  constructor(
    private readonly rules: WriteRules,
    private readonly schemas: JsonSchemas,
  ) {}

  onModuleInit(): void {
    this.rules.add(this);
  }

  /** @throws InventoryError 400 with the path of each fault, 409 for more definitions than a project may have */
  async check(change: DescribedChange): Promise<void> {
    const { tx, projectId, objects } = change;
    const set = objects.flatMap((object) =>
      object.variables.flatMap(({ key, after: value }) =>
        value === undefined ? [] : [{ object, key: JSON.parse(key) as string, value }],
      ),
    );
    const defines = objects.some(isDefinition);
    if (set.length === 0 && !defines) return;
    await takeTurns(tx, projectId, defines);
    const patterns = await definedPatterns(tx, projectId);
    if (patterns.length > MOST_DEFINITIONS && objects.some(isNewDefinition)) throw tooMany();
    const matching = matchingPatterns(patterns, new Set(set.map(({ key }) => key)));
    if (matching.size === 0) return;
    const schemas = await schemasOf(tx, projectId, new Set([...matching.values()].flat()));
    const questions = set.flatMap((variable) =>
      (matching.get(variable.key) ?? []).map((definition): Question => ({
        ...variable,
        definition,
        schema: schemas.get(definition) ?? notThere(definition),
      })),
    );
    const details = this.faults(questions).slice(0, MOST_DETAILS);
    if (details.length > 0)
      throw new InventoryError(
        'invalid_request',
        details.map(({ field, message }) => `${field}: ${message}`).join('; '),
        details,
      );
  }

  private faults(questions: readonly Question[]): ErrorDetail[] {
    const several = new Set(questions.map(({ object }) => object)).size > 1;
    const detail = (question: Question, { path, message }: Fault): ErrorDetail => ({
      field: `variables.${question.key}${path}`,
      message: `${several ? `${question.object.shape.kind} ${question.object.name}: ` : ''}${message} (definition of ${question.definition})`,
    });
    const details = (faults: readonly (Fault | undefined)[]) =>
      faults.flatMap((fault, i) => {
        const question = questions[i];
        return fault && question ? [detail(question, fault)] : [];
      });
    try {
      return details(this.schemas.faults(questions));
    } catch (error) {
      if (!(error instanceof TooHard)) throw error;
      return details([...error.faults, { path: '', message: error.message }]);
    }
  }
}

const isDefinition = ({ shape }: DescribedObject): boolean => shape.kind === variableDefinitionShape.kind;
const isNewDefinition = (object: DescribedObject): boolean =>
  isDefinition(object) && object.action === 'create';

/**
 * Changes that set variables wait for one that changes a definition, and it waits for them: whichever comes later sees
 * what the other did. Variables do not wait for each other. The definitions are read by a statement of its own, after
 * the wait: one that waits itself would not see them as they are by then.
 */
async function takeTurns(tx: Transaction, projectId: string, defines: boolean): Promise<void> {
  const turn = sql`hashtextextended(${`variable definitions of ${projectId}`}, 0)`;
  await tx.rows(
    defines ? sql`SELECT pg_advisory_xact_lock(${turn})` : sql`SELECT pg_advisory_xact_lock_shared(${turn})`,
  );
}

/** The keys and prefixes that are defined: one more than there may be, if there are as many. */
async function definedPatterns(tx: Transaction, projectId: string): Promise<string[]> {
  const rows = await tx.rows<{ key: string }>(sql`
    SELECT d.key FROM variable_definitions d WHERE d.project_id = ${projectId}
    ORDER BY d.key LIMIT ${MOST_DEFINITIONS + 1}`);
  return rows.map(({ key }) => key);
}

/** Schemas are long and most are not asked for, so they are read apart from their keys, by these. */
async function schemasOf(
  tx: Transaction,
  projectId: string,
  patterns: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.rows<{ key: string; schema: string }>(sql`
    SELECT d.key, d.schema::text AS schema FROM variable_definitions d
    WHERE d.project_id = ${projectId} AND d.key = ANY(${list([...patterns])}::text[])`);
  return new Map(rows.map(({ key, schema }) => [key, schema]));
}

function notThere(definition: string): never {
  throw new Error(`the definition of ${definition} is gone, although nobody may change one now`);
}

const tooMany = (): InventoryError =>
  new InventoryError(
    'conflict',
    `A project has at most ${String(MOST_DEFINITIONS)} variable definitions: one of a prefix can stand for several.`,
  );
