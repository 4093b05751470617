import type { WriteResult } from '../../core/change-preview';
import { Injectable } from '@nestjs/common';
import type { ChangeSet } from '../../changes/change-set';
import { Changes } from '../../changes/changes.service';
import type { RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors/inventory-error';
import type { Precondition } from '../../http/etag';
import type { JsonInput } from '../../database/json-input';
import { sql } from '../../database/sql';
import { from } from '../../database/resource-sql';
import type { Creation } from '../../resources/resource-creation';
import { ResourceReader, type Shown } from '../../resources/resource-reader';
import { Audit, audits, auditShape } from './audit';
import type { CreateAudit, UpdateAudit } from './audit.dto';
import { keysNamed, type Expectation } from './expectation';
import { ExpectedValues } from './expected-values';

interface Named {
  readonly [column: string]: unknown;
  readonly vars: string | null;
  readonly expectation: Expectation;
}

/** Saved expectations. What comes of them is found out by `AuditRunService`. */
@Injectable()
export class AuditsService {
  constructor(
    private readonly changes: Changes,
    private readonly reader: ResourceReader,
    private readonly expected: ExpectedValues,
  ) {}

  /**
   * @throws InventoryError 400 for a value that is not as expected, 403 for a key that the caller does not see, 409 if
   * the project has an audit of this name
   */
  creation(ctx: RequestContext, body: CreateAudit): Creation {
    const { name, description, kind, vars, expectation } = body;
    const keys = keysNamed(vars ?? null, expectation.parsed as Expectation);
    requireSeen(ctx, keys);
    const make = async (change: ChangeSet) => {
      await this.requireExpected(change, expectation);
      const members = { name, description, kind, vars, expectation, keys };
      const id = await change.insert(auditShape, Audit, { project_id: ctx.projectId, ...members });
      return this.reader.written(ctx, audits, id, change.tx);
    };
    return { make };
  }

  /** @throws InventoryError 400 for a value that is not as expected, 403 for a key that is not seen, 404, 409, 412 */
  async update(
    ctx: RequestContext,
    id: number,
    body: UpdateAudit,
    precondition: Precondition,
  ): Promise<WriteResult<Shown>> {
    const { name, description, kind, vars, expectation } = body;
    return this.changes.write(ctx, undefined, async (change) => {
      const audit = await change.lock(auditShape, id, precondition);
      const now = await named(change, audit.projectId, id);
      const keys = keysNamed(
        vars === undefined ? now.vars : vars,
        expectation ? (expectation.parsed as Expectation) : now.expectation,
      );
      requireSeen(ctx, keys);
      if (expectation) await this.requireExpected(change, expectation);
      await change.update(audit, Audit, { name, description, kind, vars, expectation, keys });
      return this.reader.written(ctx, audits, id, change.tx);
    });
  }

  /** @throws InventoryError 404, 412 */
  async delete(ctx: RequestContext, id: number, precondition: Precondition): Promise<WriteResult<void>> {
    return this.changes.write(ctx, undefined, async (change) => {
      await change.delete(await change.lockForDelete(auditShape, id, precondition));
    });
  }

  /** What a remediation would set has to be what is expected. @throws InventoryError 400 */
  private async requireExpected({ tx }: ChangeSet, body: JsonInput): Promise<void> {
    const expectation = body.parsed as Expectation;
    if (!('value' in expectation)) return;
    const fault = await this.expected.fault(tx, expectation, body.member('value', expectation.value));
    if (!fault) return;
    const { path, message } = fault;
    throw InventoryError.invalid('expectation', `value${path}: ${message} (expectation of the audit)`);
  }
}

async function named(change: ChangeSet, projectId: string, id: number): Promise<Named> {
  const [row] = await change.tx.rows<Named>(sql`
    SELECT t.vars, t.expectation ${from(auditShape)} WHERE t.project_id = ${projectId} AND t.id = ${id}`);
  if (!row) throw new Error('an audit that is locked is not there');
  return row;
}

/**
 * Who does not see a key cannot ask for it, either. It is the same whether the key is set or not.
 * @throws InventoryError 403
 */
function requireSeen({ visibility }: RequestContext, keys: readonly string[]): void {
  const hidden = keys.find((key) => !visibility.sees(key));
  if (hidden === undefined) return;
  throw new InventoryError(
    'forbidden',
    `An audit of the variable ${JSON.stringify(hidden)} needs a role for the variable: it is private.`,
  );
}
