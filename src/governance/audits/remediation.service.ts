import type { Operation } from '../../changes/operation';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors';
import type { Precondition } from '../../http/preconditions';
import type { JsonInput } from '../../database/json-input';
import type { Queryable } from '../../database/database';
import { sql } from '../../database/sql';
import { from, ofKind } from '../../database/resource-sql';
import { VariablesService, type VariablesDocument } from '../../variables/variables.service';
import { levelOf, type LevelReference, type Remediation } from './audit.dto';
import { impliedRemediation } from './implied-remediation';
import { ExpectationValidator } from './expectation';
import { readAudit, type StoredAudit } from './audit-target';

/** Sets the value that an audit expects, on the level that the caller chooses. */
@Injectable()
export class RemediationService {
  constructor(
    private readonly variables: VariablesService,
    private readonly validator: ExpectationValidator,
  ) {}

  /**
   * Sets the audit's variable on a level. It is an ordinary change of that level's variables, which are the result.
   * @throws InventoryError 400 if the audit defines no value, 403, 404, 405 if the level does not exist, 412
   */
  prepareRemediate(
    ctx: RequestContext,
    id: number,
    { level, value: given, note }: Remediation,
    precondition: Precondition,
  ): Operation<VariablesDocument> {
    // Runs inside the change, so that a repeated request (Idempotency-Key) succeeds even if the audit was deleted.
    const findValue = async (on: Queryable): Promise<JsonInput> => {
      const audit = await readAudit(ctx, id, on);
      const implied = impliedRemediation(audit) ?? severalVariables();
      const value = given ?? implied.value ?? noValue();
      await this.assertMeetsExpectation(on, audit, value);
      await assertLevelExists(on, audit, level);
      return value.under(implied.key);
    };
    const owner = levelOf(level.kind);
    return { ...this.variables.preparePutComputed(ctx, owner, level.id, findValue, precondition), note };
  }

  /** Rejects a value with which the audit would still fail. @throws InventoryError 400 */
  private async assertMeetsExpectation(
    on: Queryable,
    { expectation, schemaText }: StoredAudit,
    value: JsonInput,
  ): Promise<void> {
    const violation = await this.validator.violationOf(on, expectation, value, schemaText ?? undefined);
    if (violation)
      throw InventoryError.invalid(
        `value${violation.path}`,
        'schema_violation',
        `${violation.message} (expectation of the audit)`,
      );
  }
}

/** The level must belong to the audit's project. @throws InventoryError 405 */
async function assertLevelExists(
  on: Queryable,
  { projectId }: StoredAudit,
  { kind, id }: LevelReference,
): Promise<void> {
  const { mapping } = levelOf(kind).definition;
  const rows = await on.rows(
    sql`SELECT ${from(mapping)} WHERE t.project_id = ${projectId} AND ${ofKind(mapping)} AND t.id = ${id}`,
  );
  if (rows.length === 0)
    throw InventoryError.validationException(
      'level',
      'not_found',
      `there is no ${kind} ${String(id)} in this project`,
    );
}

function noValue(): never {
  throw InventoryError.invalid(
    'value',
    'required',
    'is required, because the audit defines no value for its variable',
  );
}

/** @throws InventoryError 400 */
function severalVariables(): never {
  throw InventoryError.invalid(
    'id',
    'inconsistent',
    'the audit covers several variables; set the value of each variable separately',
  );
}
