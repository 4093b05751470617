import type { RequestContext } from '../core/context/request-context';
import { ConcurrentModificationError } from '../database/errors/postgres-error';
import type { Transaction } from '../database/database';
import { list, raw, sql, type Sql } from '../database/sql';
import { from, ofKind } from '../database/resource-sql';
import type { ResourceShape } from '../database/resource-shape';
import { ChangeSet } from './change-set';
import { beginRecord, endRecord, storeBatch } from './change-record-store';
import { groupByShape, diffChange, assertVisible, type ChangeDiff, ChangeCounts } from './change-diff';
import type { ChangeHead, ImpactAccumulator, PreviewedImpact } from './impact-registry';
import type { WritePolicies } from './write-policies';

/**
 * A change that may be too large to be held in memory. It is made part by part, in one transaction and under one
 * record: each part is a change set of its own, which is described, governed, recorded and forgotten before the next.
 *
 * A record's id is drawn when everything is locked: of two changes of one resource, the later one has the greater id.
 * So whoever makes such a change first holds all that is there already and that it is going to touch.
 */
export class BatchedChange {
  private moment: string | undefined;
  /** The id of its record, once there is anything to record. */
  private record: number | undefined;
  private objects = 0;
  /** What its parts have recorded. */
  private readonly counts = new ChangeCounts();

  constructor(
    private readonly head: ChangeHead,
    private readonly rules: WritePolicies,
    private readonly tally: ImpactAccumulator,
  ) {}

  get ctx(): RequestContext {
    return this.head.ctx;
  }

  get tx(): Transaction {
    return this.head.tx;
  }

  get projectId(): string {
    return this.head.projectId;
  }

  /** How many resources its parts have touched. */
  get touched(): number {
    return this.objects;
  }

  /**
   * Locks resources that are going to be updated, all before the first part. @returns their ids, in order
   * @param condition over `t`
   */
  async lockExisting(shape: ResourceShape, condition: Sql): Promise<number[]> {
    if (this.moment !== undefined) throw new Error('a change held a resource after its first part');
    const rows = await this.tx.rows<{ id: number }>(
      sql`SELECT t.id ${from(shape)} WHERE t.project_id = ${this.projectId} AND ${ofKind(shape)} AND ${condition}
      ORDER BY t.id FOR NO KEY UPDATE OF t`,
      'custom',
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Makes a part, and records it. If it throws, nothing of the part has happened, and others may follow. Parts that
   * alter what devices inherit come before those with devices.
   * @param work touches resources of the change's project alone; a part that touches nothing leaves nothing
   * @throws InventoryError what the project's rules say of the part
   */
  async inBatch<T>(work: (change: ChangeSet) => Promise<T>): Promise<T> {
    const moment = (this.moment ??= await this.now());
    const change = new ChangeSet(this.ctx, this.tx, this.head.reason, moment);
    const [result, part] = await this.orNothing(async () => [
      await work(change),
      await this.governed(change),
    ]);
    if (part) await this.store(part);
    return result;
  }

  private async governed(change: ChangeSet): Promise<ChangeDiff | undefined> {
    if (change.trackedResources.length === 0) return undefined;
    const part = await diffChange(change, () => Promise.resolve(this.head.policy));
    assertVisible(part);
    await this.rules.check(part);
    return part;
  }

  private async store(part: ChangeDiff): Promise<void> {
    if (!this.ctx.preview) {
      this.record ??= await beginRecord(this.head);
      await this.requireLatest(part, this.record);
      await storeBatch(part, this.record, this.objects);
    }
    this.counts.add(part.objects);
    await this.tally.add(part);
    this.objects += part.objects.length;
  }

  private async orNothing<T>(work: () => Promise<T>): Promise<T> {
    await this.tx.execute(sql`SAVEPOINT part`);
    try {
      const result = await work();
      await this.tx.execute(sql`RELEASE SAVEPOINT part`);
      return result;
    } catch (error) {
      await this.tx.execute(sql`ROLLBACK TO SAVEPOINT part`);
      // It would stay otherwise, below those of all later parts.
      await this.tx.execute(sql`RELEASE SAVEPOINT part`);
      throw error;
    }
  }

  /** Ends the record, with the impact of all parts. @returns its id; undefined if nothing was touched */
  async end(): Promise<number | undefined> {
    if (this.record !== undefined)
      await endRecord(this.head, this.record, await this.tally.count(), this.objects);
    return this.record;
  }

  /** What it has recorded; undefined if nothing was touched. */
  get recorded(): ChangeCounts | undefined {
    return this.record === undefined ? undefined : this.counts;
  }

  /** What all parts do to devices, for whoever only tries them. */
  async impact(): Promise<PreviewedImpact> {
    return this.tally.page();
  }

  /** Everything that it touches bears one time, which is before its record's: who asks for the latter finds it all. */
  private async now(): Promise<string> {
    const [row] = await this.tx.rows<{ moment: string }>(sql`SELECT clock_timestamp() AS moment`);
    if (!row) throw new Error('the database has no time');
    return row.moment;
  }

  /**
   * What was not held may have been changed since the record's id was drawn. Then the change is made anew.
   * @throws Overtaken
   */
  private async requireLatest(part: ChangeDiff, id: number): Promise<void> {
    for (const group of groupByShape(part.objects.filter(({ before }) => before !== undefined))) {
      const [{ shape } = { shape: undefined }] = group;
      if (!shape || shape.idType === 'uuid') continue;
      const [later] = await this.tx.rows(sql`
        SELECT FROM unnest(${list(group.map((object) => object.id))}::bigint[]) AS touched (id)
        WHERE EXISTS (SELECT FROM change_objects o WHERE o.project_id = ${this.projectId} AND o.kind = ${shape.kind}
          AND o.object_id = touched.id AND o.change_id > ${id} OFFSET 0) ${raw('LIMIT 1')}`);
      if (later) throw new ConcurrentModificationError();
    }
  }
}
