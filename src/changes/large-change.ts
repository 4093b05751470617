import { awaitBoth } from '../core/concurrency';
import type { RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors';
import { ConcurrentModificationError } from '../database/errors/postgres-error';
import type { Transaction } from '../database/database';
import { arrayParameter, raw, sql, type Sql } from '../database/sql';
import { inSavepoint } from '../database/transaction';
import { FilledTables } from '../database/table-statistics';
import type { ResourceMapping } from '../database/resource-mapping';
import { assertApproved, findRequiredApproval, WrittenSubject, type PreviewedRules } from './approval-check';
import type { RuleSubject } from './approval-rules';
import { findRejectedReason } from './change-reason';
import { ChangeSet } from './change-set';
import { beginRecord, endRecord, storePart } from './change-record-store';
import { findSimilarNames } from './similar-names';
import { groupByMapping, diffChange, type ChangeDiff, TouchedResourceCounts } from './change-diff';
import { validateChange } from './change-validation';
import { lockIdsStatement } from './row-statements';
import type { ChangeHead, ImpactAccumulator, PreviewedImpact } from './impact-assessor';
import type { WritePolicy } from './write-policy';

/** What a dry run of a large change responds with. */
export interface LargePreview extends PreviewedImpact {
  readonly rules: PreviewedRules;
}

/**
 * A change that may be too large for memory. It is written in parts, in one transaction and with one record. Each
 * part is a change set of its own, which is compared, validated, recorded and discarded before the next one.
 *
 * The record's id is assigned after all locks are taken: of two changes to one resource, the later one has the greater
 * id. The caller therefore first locks all existing resources that the change is going to touch.
 */
export class LargeChange {
  private timestamp: string | undefined;
  /** The id of the record. Undefined until a part has touched something. */
  private recordId: number | undefined;
  private objectCount = 0;
  /** What the caller should know about the names that the parts gave. */
  readonly warnings: string[] = [];
  /** What the parts have recorded. */
  private readonly counts = new TouchedResourceCounts();
  private readonly filledTables: FilledTables;
  /** What the rules of the project look at. */
  private readonly written: WrittenSubject;

  constructor(
    private readonly head: ChangeHead,
    private readonly writePolicies: readonly WritePolicy[],
    private readonly impactAccumulator: ImpactAccumulator,
  ) {
    this.filledTables = new FilledTables(head.tx);
    this.written = new WrittenSubject(head);
  }

  get ctx(): RequestContext {
    return this.head.ctx;
  }

  get tx(): Transaction {
    return this.head.tx;
  }

  get projectId(): string {
    return this.head.projectId;
  }

  /** How many resources the parts have touched. */
  get touched(): number {
    return this.objectCount;
  }

  /**
   * Locks resources that are going to be updated. Must be called before the first part. @returns their ids, in order
   * @param condition over `t`
   */
  async lockExisting(mapping: ResourceMapping, condition: Sql): Promise<number[]> {
    if (this.timestamp !== undefined) throw new Error('lockExisting was called after the first part');
    const statement = lockIdsStatement(mapping, this.projectId, condition);
    const rows = await this.tx.rows<{ id: number }>(statement, 'custom');
    return rows.map(({ id }) => id);
  }

  /**
   * Writes and records a part. If it throws, the part is rolled back, and other parts may follow. Parts that alter what
   * devices inherit must come before parts with devices.
   * @param work must touch resources of the change's project only. If it touches nothing, nothing is recorded
   * @throws InventoryError if the part violates a policy of the project
   */
  async inPart<T>(work: (change: ChangeSet) => Promise<T>): Promise<T> {
    const timestamp = (this.timestamp ??= await this.readTimestamp());
    const change = new ChangeSet(this.ctx, this.tx, this.head.reason, { fixedTimestamp: timestamp });
    const tryWork = async () => {
      try {
        return { result: await work(change), diff: await this.validate(change) };
      } catch (error) {
        if (error instanceof Error) return { error };
        throw error;
      }
    };
    const tried = await inSavepoint(this.tx, tryWork, (done) => 'result' in done);
    if ('error' in tried) throw tried.error;
    if (tried.diff) await this.store(tried.diff);
    return tried.result;
  }

  private async validate(change: ChangeSet): Promise<ChangeDiff | undefined> {
    if (change.trackedResources.length === 0) return undefined;
    const diff = await diffChange(change, () => Promise.resolve(this.head.policy), true);
    await validateChange(diff, this.writePolicies);
    return diff;
  }

  private async store(diff: ChangeDiff): Promise<void> {
    // Before the names are compared with others: without statistics, PostgreSQL would compare each with all of them.
    for (const group of groupByMapping(diff.objects.filter(({ action }) => action === 'create'))) {
      const [first] = group;
      if (first) await this.filledTables.created(first.mapping, group.length);
    }
    if (this.ctx.preview) {
      this.warnings.push(...(await findSimilarNames(this.tx, diff)));
      await this.impactAccumulator.add(diff);
    } else {
      this.recordId ??= await beginRecord(this.head);
      await this.assertLatest(diff, this.recordId);
      // The impact of new devices is computed while the database stores the record.
      const [warnings] = await awaitBoth(
        storePart(diff, this.recordId, this.objectCount),
        this.impactAccumulator.add(diff),
      );
      this.warnings.push(...warnings);
    }
    this.written.add(diff.objects);
    this.counts.add(diff.objects);
    this.objectCount += diff.objects.length;
  }

  /**
   * Completes the record with the impact of all parts.
   * @param maxDevices the maximum number of devices whose resolved values may change
   * @throws InventoryError 403 if it needs approvals, 409 if there are more devices
   */
  async end(maxDevices: number): Promise<void> {
    if (this.recordId === undefined) return;
    const impact = await this.impactAccumulator.count();
    assertImpact(impact.visibleDevices, maxDevices);
    await assertApproved(this.head, () => this.ruleSubject());
    await endRecord(this.head, this.recordId, impact, this.objectCount);
  }

  /** What the record contains; undefined if nothing was touched. */
  get recorded(): TouchedResourceCounts | undefined {
    return this.recordId === undefined ? undefined : this.counts;
  }

  /** The impact of all parts, for a dry run. @throws InventoryError 409, like `end` */
  async preview(maxDevices: number): Promise<LargePreview> {
    const impact = await this.impactAccumulator.page();
    assertImpact(impact.devices, maxDevices);
    const required = await findRequiredApproval(this.head, () => this.ruleSubject());
    const { policy, reason } = this.head;
    return {
      ...impact,
      rules: {
        approval: this.ctx.override === undefined ? required : undefined,
        reason: findRejectedReason(policy?.reason, reason),
      },
    };
  }

  private async ruleSubject(): Promise<RuleSubject> {
    return this.written.with(await this.impactAccumulator.assess());
  }

  /**
   * One timestamp for everything that the change touches. It is earlier than the record's, so that a read as of the
   * record's time includes all of the change.
   */
  private async readTimestamp(): Promise<string> {
    const [row] = await this.tx.rows<{ moment: string }>(sql`SELECT clock_timestamp() AS moment`);
    if (!row) throw new Error('the database returned no timestamp');
    return row.moment;
  }

  /**
   * A resource that was not locked may have been changed since the record's id was assigned. Then the change is
   * retried.
   * @throws ConcurrentModificationError
   */
  private async assertLatest(diff: ChangeDiff, id: number): Promise<void> {
    for (const group of groupByMapping(diff.objects.filter(({ before }) => before !== undefined))) {
      const [{ mapping } = { mapping: undefined }] = group;
      if (!mapping || mapping.idType === 'uuid') continue;
      const [later] = await this.tx.rows(sql`
        SELECT FROM unnest(${arrayParameter(group.map((object) => object.id))}::bigint[]) AS touched (id)
        WHERE EXISTS (SELECT FROM change_objects o WHERE o.project_id = ${this.projectId} AND o.kind = ${mapping.kind}
          AND o.object_id = touched.id AND o.change_id > ${id} OFFSET 0) ${raw('LIMIT 1')}`);
      if (later) throw new ConcurrentModificationError();
    }
  }
}

/** The parameter that limits the impact of a change. */
export const MAX_AFFECTED_DEVICES = 'max_affected_devices';

/** @throws InventoryError 409 */
function assertImpact(devices: number, maxDevices: number): void {
  if (devices <= maxDevices) return;
  const message = `the resolved values of ${String(devices)} device${devices === 1 ? '' : 's'} would change, but at most ${String(maxDevices)} may`;
  throw new InventoryError('conflict', `${MAX_AFFECTED_DEVICES}: ${message}`, [
    { field: MAX_AFFECTED_DEVICES, code: 'limit_exceeded', message },
  ]);
}
