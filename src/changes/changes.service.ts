import { Inject, Injectable } from '@nestjs/common';
import { ProjectPolicies, type ProjectPolicy } from '../auth/project-policies';
import { ChangePreview, type WriteResult } from '../core/change-preview';
import type { RequestContext } from '../core/context/request-context';
import { AppMetrics } from '../core/app-metrics';
import { Database, type Transaction, type WriteOptions } from '../database/database';
import { TableAnalyzer } from '../database/table-statistics';
import { ChangeSet, reasonOf } from './change-set';
import { assertReason } from './change-reason';
import { storeChange } from './change-record-store';
import { findSimilarNames } from './similar-names';
import {
  assertVisible,
  TouchedResourceCounts,
  diffChange,
  diffText,
  type ChangeDiff,
  type ObjectDiff,
} from './change-diff';
import { IMPACT_ASSESSOR, type ImpactAssessor, type PreviewedImpact } from './impact-assessor';
import { checkPolicies, WRITE_POLICIES, type WritePolicy } from './write-policy';
import { BatchedChange } from './batched-change';
import { IdempotencyStore, type IdempotentResult } from './idempotency-store';
import { sql } from '../database/sql';
import { hasHiddenMembers, visibleMembersOf } from '../database/resource-sql';
import type { ResourceShape } from '../database/resource-shape';
import type { LockedResource, Snapshot } from './row-statements';
import type { Precondition } from '../http/preconditions';

/** A change that is recorded but not yet committed. */
interface Recorded<T> {
  readonly tx: Transaction;
  /** The id of its record. */
  readonly changeId: number;
  /** What `work` returned. */
  readonly result: T;
  readonly counts: TouchedResourceCounts;
  readonly warnings: readonly string[];
}

/** Runs something in a transaction. */
type InTransaction<T> = (
  work: (tx: Transaction) => Promise<IdempotentResult<T>>,
  options: WriteOptions,
) => Promise<IdempotentResult<T>>;

/** A change of any size that was written in batches, or executed as a dry run. */
export interface BatchedWrite<T> {
  readonly result: T;
  /** The impact, if it was a dry run. */
  readonly preview: PreviewedImpact | undefined;
}

/**
 * Executes writes. Each is one transaction, which validates the change and stores its record. `ChangesController` shows
 * the records.
 */
@Injectable()
export class ChangesService {
  constructor(
    private readonly database: Database,
    private readonly policies: ProjectPolicies,
    @Inject(IMPACT_ASSESSOR) private readonly impacts: ImpactAssessor,
    @Inject(WRITE_POLICIES) private readonly writePolicies: readonly WritePolicy[],
    private readonly idempotency: IdempotencyStore,
    private readonly metrics: AppMetrics,
    private readonly analyzer: TableAnalyzer,
  ) {}

  /**
   * Runs `work` in one transaction and records what it touched. Any error rolls everything back. `work` runs again if
   * it conflicts with a concurrent change. A request makes one change: a request with an `Idempotency-Key` that was
   * completed before gets the stored result, and nothing is done.
   * @param note the reason in the request's body, used if the request has no header for it
   * @param work its result for a `POST` must be plain JSON
   * @throws InventoryError 400 for a reason that the project's settings do not allow, 403 for a private variable, 409
   * if a different request used the key
   */
  async write<T>(
    ctx: RequestContext,
    note: string | null | undefined,
    work: (change: ChangeSet) => Promise<T>,
  ): Promise<WriteResult<T>> {
    return this.writeThen(ctx, note, work, ({ result }) => Promise.resolve(result));
  }

  /**
   * Deletes a resource.
   * @param prepare deletes what belongs to the locked resource
   * @throws InventoryError 404, 409 with the number of references of each kind, 412
   */
  async delete(
    ctx: RequestContext,
    shape: ResourceShape,
    id: number | string,
    precondition: Precondition,
    prepare?: (change: ChangeSet, resource: LockedResource) => Promise<void>,
  ): Promise<WriteResult<void>> {
    return this.write(ctx, undefined, async (change) => {
      const resource = await change.lockForDelete(shape, id, precondition);
      await prepare?.(change, resource);
      await change.delete(resource);
    });
  }

  /**
   * Like `write`, for a result that depends on the change record.
   * @param finish returns the result, within the same transaction. A dry run does not call it.
   */
  async writeThen<T, A>(
    ctx: RequestContext,
    note: string | null | undefined,
    work: (change: ChangeSet) => Promise<T>,
    finish: (recorded: Recorded<T>) => Promise<A>,
  ): Promise<WriteResult<A>> {
    // A command may have no project. Read before the transaction: transactions that wait for a second connection could
    // deadlock on the pool.
    const own = ctx.projectId === '' ? undefined : await this.policies.get(ctx.projectId);
    let counts: TouchedResourceCounts | undefined;
    let warnings: readonly string[] = [];
    const outcome = await this.commit<WriteResult<A>>(ctx, async (tx) => {
      // A root user may write to another project by the id of one of its resources.
      const policyOf = (projectId: string) =>
        projectId === ctx.projectId ? Promise.resolve(own) : this.policies.readUncached(tx, projectId);
      const recorded = await this.record(new ChangeSet(ctx, tx, note), work, policyOf);
      if (recorded instanceof ChangePreview) return recorded;
      ({ counts, warnings } = recorded);
      return finish(recorded);
    });
    await this.afterCommit(ctx, counts);
    ctx.warn?.(warnings);
    return outcome;
  }

  /**
   * Like `write`, for a change of any size: `work` writes it in batches, in the project of the request, and only one
   * batch is in memory. If the batches touch nothing, no record is stored.
   * @param maxDevices the maximum number of devices whose resolved values may change, as far as the caller sees them
   * @throws InventoryError 400 for a reason that the project's settings do not allow, 409 if a different request used
   * the key, or if more devices would be affected
   */
  async writeInBatches<T>(
    ctx: RequestContext,
    note: string | null | undefined,
    work: (change: BatchedChange) => Promise<T>,
    maxDevices = Infinity,
  ): Promise<BatchedWrite<T>> {
    const { projectId } = ctx;
    const policy = await this.policies.get(projectId);
    const reason = reasonOf(ctx, note);
    assertReason(policy?.reason, reason);
    let counts: TouchedResourceCounts | undefined;
    let preview: PreviewedImpact | undefined;
    let warnings: readonly string[] = [];
    const write = async (tx: Transaction): Promise<T> => {
      const head = { ctx, tx, projectId, reason, policy };
      const accumulator = this.impacts.accumulate(head, ctx.preview, maxDevices < Infinity);
      const change = new BatchedChange(head, this.writePolicies, accumulator);
      const result = await work(change);
      ({ warnings } = change);
      if (ctx.preview) {
        preview = await change.impact(maxDevices);
        return result;
      }
      await change.end(maxDevices);
      counts = change.recorded;
      return result;
    };
    const result = await this.commit(ctx, write, (once, options) =>
      this.database.longTransaction(once, options),
    );
    await this.afterCommit(ctx, counts);
    ctx.warn?.(warnings);
    return { result, preview };
  }

  private async afterCommit(
    { projectId }: RequestContext,
    counts: TouchedResourceCounts | undefined,
  ): Promise<void> {
    if (!counts) return;
    counts.report(this.metrics);
    await this.analyzer.analyzeAfter(projectId, counts.written);
  }

  /**
   * Does a request's work once, in one transaction, and issues the consistency token of its commit. The transaction of
   * a dry run is rolled back.
   */
  private async commit<T>(
    ctx: RequestContext,
    work: (tx: Transaction) => Promise<T>,
    inTransaction: InTransaction<T> = (once, options) => this.database.transaction(once, options),
  ): Promise<T> {
    if (ctx.preview) {
      const dryRun = async (tx: Transaction) => ({ result: await work(tx), replayed: false });
      return (await inTransaction(dryRun, { caller: ctx, isRolledBack: true })).result;
    }
    const { result, replayed } = await inTransaction(
      (tx) => this.idempotency.execute(ctx, tx, () => work(tx)),
      { caller: ctx },
    );
    if (replayed) ctx.idempotency?.markReplayed();
    await this.database.issueConsistencyToken(ctx);
    return result;
  }

  private async record<T>(
    change: ChangeSet,
    work: (change: ChangeSet) => Promise<T>,
    policyOf: (projectId: string) => Promise<ProjectPolicy | undefined>,
  ): Promise<Recorded<T> | ChangePreview> {
    const { ctx, tx } = change;
    const result = await work(change);
    const diff = await diffChange(change, policyOf);
    await this.validate(diff);
    if (ctx.preview) {
      const { devices, body } = await this.impacts.page(diff, ctx.preview);
      return previewChange(diff, devices, body, [...change.warnings, ...(await findSimilarNames(tx, diff))]);
    }
    const { id: changeId, warnings } = await storeChange(diff, await this.impacts.count(diff));
    return { tx, changeId, result, counts: new TouchedResourceCounts().add(diff.objects), warnings };
  }

  private async validate(change: ChangeDiff): Promise<void> {
    assertReason(change.policy?.reason, change.reason);
    assertVisible(change);
    await checkPolicies(this.writePolicies, change);
  }
}

/**
 * The preview of a change: the record that it would store, and its impact.
 * @param impact JSON text
 */
async function previewChange(
  change: ChangeDiff,
  devices: number,
  impact: string,
  warnings: readonly string[],
): Promise<ChangePreview> {
  const record = await recordText(change, devices);
  return new ChangePreview(`{"dry_run":true,"change":${record},"impact":${impact}}`, warnings);
}

/** A change record as JSON text, as the caller may see it. It has no id and no time, because it is never stored. */
async function recordText(change: ChangeDiff, devices: number): Promise<string> {
  const { ctx, projectId, reason, objects } = change;
  const { userId, username } = ctx.principal;
  const head = JSON.stringify({
    id: null,
    project_id: projectId,
    created_at: null,
    actor: { id: userId || null, username },
    request_id: ctx.requestId,
    reason: reason ?? null,
    impact: { devices },
    objects_total: objects.length,
  });
  const texts: string[] = [];
  for (const object of objects) texts.push(await objectText(change, object));
  return `${head.slice(0, -1)},"objects":[${texts.join(',')}]}`;
}

async function objectText(change: ChangeDiff, object: ObjectDiff): Promise<string> {
  const { shape, id, name, action, variables } = object;
  const { ctx, projectId } = change;
  const head = JSON.stringify({ kind: shape.kind, id: id || projectId, name, action });
  const before = await sideText(change, shape, object.before);
  const after = await sideText(change, shape, object.after);
  const visible = variables.filter(({ key }) => ctx.visibility.sees(JSON.parse(key) as string));
  return `${head.slice(0, -1)},"before":${before},"after":${after},"variables":${diffText(visible)}}`;
}

/** A resource before or after the change, as the caller may see it. */
async function sideText(
  { ctx, tx }: ChangeDiff,
  shape: ResourceShape,
  side: Snapshot | undefined,
): Promise<string> {
  if (!side) return 'null';
  if (ctx.visibility.seesEverything || !hasHiddenMembers(shape)) return side.members;
  const visible = visibleMembersOf(shape, ctx, sql`s.members`);
  const [row] = await tx.rows<{ text: string }>(
    sql`SELECT ${visible}::text AS text FROM (SELECT ${side.members}::jsonb AS members) s`,
  );
  if (!row) throw new Error('the query for one side of a record returned no row');
  return row.text;
}
