import { Injectable } from '@nestjs/common';
import type { ChangeSet } from '../../changes/change-set';
import { deletion, type Operation } from '../../changes/operation';
import type { RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors';
import type { Precondition } from '../../http/preconditions';
import type { JsonInput } from '../../database/json-input';
import { sql } from '../../database/sql';
import { from } from '../../database/resource-sql';
import { ResourceReader, type RenderedResource } from '../../resources/resource-reader';
import { Audit, audits, auditMapping } from './audit.entity';
import type { CreateAudit, UpdateAudit } from './audit.dto';
import { type Expectation, ExpectationValidator, referencedKeys } from './expectation';

/** The stored members of an audit that refer to variables. */
interface StoredReferences {
  readonly [column: string]: unknown;
  readonly vars: string | null;
  readonly where: readonly string[] | null;
  readonly expectation: Expectation;
}

/** Reads and writes audits. `AuditRunService` runs them. */
@Injectable()
export class AuditsService {
  constructor(
    private readonly reader: ResourceReader,
    private readonly validator: ExpectationValidator,
  ) {}

  /**
   * @throws InventoryError 400 if `value` does not meet the expectation, 403 for a variable that is hidden from the
   * caller, 409 if the project already has an audit with this name
   */
  prepareCreate(ctx: RequestContext, body: CreateAudit): Operation<RenderedResource> {
    const { name, description, kind, vars, where, expectation } = body;
    const keys = referencedKeys({ vars, where }, expectation.parsed as Expectation);
    assertVisible(ctx, keys);
    const run = async (change: ChangeSet) => {
      await this.assertMeetsExpectation(change, expectation);
      const members = { name, description, kind, vars, where, expectation, keys };
      const id = await change.insert(auditMapping, Audit, { project_id: ctx.projectId, ...members });
      return this.reader.showWritten(ctx, audits, id, change.tx);
    };
    return { check: () => this.validator.assertUsable(ctx, expectation.parsed as Expectation), run };
  }

  /** @throws InventoryError 400 if `value` does not meet the expectation, 403 for a hidden variable, 404, 409, 412 */
  prepareUpdate(
    ctx: RequestContext,
    id: number,
    body: UpdateAudit,
    precondition: Precondition,
  ): Operation<RenderedResource> {
    const { name, description, kind, vars, where, expectation } = body;
    const run = async (change: ChangeSet) => {
      const audit = await change.lock(auditMapping, id, precondition);
      const stored = await readReferences(change, audit.projectId, id);
      const keys = referencedKeys(
        { vars: vars === undefined ? stored.vars : vars, where: where === undefined ? stored.where : where },
        expectation ? (expectation.parsed as Expectation) : stored.expectation,
      );
      assertVisible(ctx, keys);
      if (expectation) await this.assertMeetsExpectation(change, expectation);
      await change.update(audit, Audit, { name, description, kind, vars, where, expectation, keys });
      return this.reader.showWritten(ctx, audits, id, change.tx);
    };
    return {
      check: expectation && (() => this.validator.assertUsable(ctx, expectation.parsed as Expectation)),
      run,
    };
  }

  /** @throws InventoryError 404, 412 */
  prepareDelete(_ctx: RequestContext, id: number, precondition: Precondition): Operation<void> {
    return deletion(auditMapping, id, precondition);
  }

  /** The value that a remediation sets must meet the expectation itself. @throws InventoryError 400 */
  private async assertMeetsExpectation({ tx }: ChangeSet, body: JsonInput): Promise<void> {
    const expectation = body.parsed as Expectation;
    if (!('value' in expectation)) return;
    const violation = await this.validator.violationOf(
      tx,
      expectation,
      body.member('value', expectation.value),
    );
    if (!violation) return;
    const { path, message } = violation;
    throw InventoryError.invalid(
      'expectation',
      'schema_violation',
      `value${path}: ${message} (expectation of the audit)`,
    );
  }
}

async function readReferences(change: ChangeSet, projectId: string, id: number): Promise<StoredReferences> {
  const [row] = await change.tx.rows<StoredReferences>(sql`
    SELECT t.vars, t.where, t.expectation ${from(auditMapping)} WHERE t.project_id = ${projectId} AND t.id = ${id}`);
  if (!row) throw new Error(`the locked audit ${String(id)} does not exist`);
  return row;
}

/**
 * A caller cannot audit a variable that is hidden from them, whether or not it is set.
 * @throws InventoryError 403
 */
function assertVisible({ visibility }: RequestContext, keys: readonly string[]): void {
  const hidden = keys.find((key) => !visibility.sees(key));
  if (hidden === undefined) return;
  throw InventoryError.forbidden(
    `The variable ${JSON.stringify(hidden)} is private: auditing it needs a role for the variable.`,
    [hidden],
  );
}
