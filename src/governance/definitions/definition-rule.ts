import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { DescribedChange, DescribedObject } from '../../changes/described-change';
import { WriteRules, type WriteRule } from '../../changes/write-rules';
import { KeyPatterns } from '../../shared/context/key-patterns';
import { InventoryError, type ErrorDetail } from '../../shared/errors/inventory-error';
import type { Transaction } from '../../shared/persistence/database';
import { list, sql } from '../../shared/persistence/sql';
import { JsonSchemas, TooHard, type Checked } from '../schemas/json-schemas';
import type { Fault } from '../schemas/json-schema';
import { variableDefinitionShape } from './variable-definition';

/** A variable that a change sets, and what it is held against. */
interface Question extends Checked {
  readonly object: DescribedObject;
  readonly key: string;
  /** The definition's key: the variable's own, or a prefix. */
  readonly definition: string;
}

interface Definition {
  /** As it is written: a key, or a prefix. */
  readonly key: string;
  readonly keys: KeyPatterns;
  readonly schema: string;
}

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

  /** @throws InventoryError 400 with the path of each fault */
  async check(change: DescribedChange): Promise<void> {
    const { tx, projectId, objects } = change;
    const set = objects.flatMap((object) =>
      object.variables.flatMap(({ key, after: value }) =>
        value === undefined ? [] : [{ object, key: JSON.parse(key) as string, value }],
      ),
    );
    const defines = objects.some(({ shape }) => shape.kind === variableDefinitionShape.kind);
    if (set.length === 0 && !defines) return;
    await takeTurns(tx, projectId, defines);
    if (set.length === 0) return;
    const definitions = await definitionsOf(tx, projectId, [...new Set(set.map(({ key }) => key))]);
    if (definitions.length === 0) return;
    const questions = set.flatMap((variable) =>
      definitions
        .filter(({ keys }) => keys.covers(variable.key))
        .map(({ key, schema }): Question => ({ ...variable, definition: key, schema })),
    );
    const details = this.faults(questions);
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

/** The definitions that a project has of keys: of each key itself, and of what it begins with. */
async function definitionsOf(
  tx: Transaction,
  projectId: string,
  keys: readonly string[],
): Promise<Definition[]> {
  const rows = await tx.rows<{ key: string; schema: string }>(sql`
    SELECT d.key, d.schema::text AS schema FROM variable_definitions d
    WHERE d.project_id = ${projectId} AND EXISTS (SELECT FROM unnest(${list(keys)}::text[]) AS k (key)
      WHERE k.key = d.key OR (right(d.key, 1) = '*' AND starts_with(k.key, left(d.key, -1))))
    ORDER BY d.key`);
  return rows.map(({ key, schema }) => ({ key, schema, keys: new KeyPatterns([key]) }));
}
