import { Inject, Injectable } from '@nestjs/common';
import { ProjectPolicies } from '../auth/project-policies';
import { ChangePreview, type WriteOutcome, type WriteResult } from '../core/write-result';
import type { PreviewPage, RequestContext } from '../core/context/request-context';
import { AppMetrics } from '../core/app-metrics';
import { Database, type Transaction, type WriteOptions } from '../database/database';
import { TableAnalyzer } from '../database/table-statistics';
import { BatchedChange } from './batched-change';
import { changesNothing, TouchedResourceCounts, diffChange, type ChangeDiff } from './change-diff';
import { assertReason, reasonOf } from './change-reason';
import { storeChange } from './change-record-store';
import { ChangeSet } from './change-set';
import { checkChange, validateChange } from './change-validation';
import { IMPACT_ASSESSOR, type ImpactAssessor, type PreviewedImpact } from './impact-assessor';
import { WRITE_POLICIES, type WritePolicy } from './write-policy';
import { IdempotencyStore, type IdempotentResult } from './idempotency-store';
import { type BatchedOperation, type Operation, resultOf } from './operation';
import { renderPreview } from './preview-rendering';
import { findSimilarNames } from './similar-names';

/** Runs something in a transaction. */
type InTransaction<T> = (
  work: (tx: Transaction) => Promise<IdempotentResult<T>>,
  options: WriteOptions,
) => Promise<IdempotentResult<T>>;

/** What a transaction wrote. */
interface CommitSummary {
  /** Undefined if it stored no record. */
  readonly counts: TouchedResourceCounts | undefined;
  readonly warnings: readonly string[];
}

/** The effect of an update on the inventory. */
type Effect = 'change' | 'nothing';

/** An update did not have the expected effect. Its transaction is rolled back. */
class OtherEffectError extends Error {
  override readonly name = 'OtherEffectError';
}

/** How often an update is tried while concurrent changes alter and restore what it writes. */
const MAX_TRIES = 3;

/** Runs the check of an operation, then its write, and finally invalidates caches. */
async function checked<T, R>({ check, invalidates = [] }: Operation<T>, write: () => Promise<R>): Promise<R> {
  await check?.();
  try {
    return await write();
  } finally {
    for (const cache of invalidates) cache.invalidate();
  }
}

const NOTHING: CommitSummary = { counts: undefined, warnings: [] };

/** A change of any size that was written in batches, or executed as a dry run. */
export interface BatchedWrite<T> extends WriteOutcome {
  readonly result: T;
  /** The impact, if it was a dry run. */
  readonly preview: PreviewedImpact | undefined;
}

/**
 * Runs operations. Each request is one transaction, which validates the change and stores its record. `ChangesController`
 * shows the records.
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
   * Runs an operation in one transaction and records what it touched. Any error rolls everything back. The operation runs
   * again if it conflicts with a concurrent change. A request makes one change: a request with an `Idempotency-Key` that
   * was completed before gets the stored result, and nothing is done.
   * @throws InventoryError 400 for a reason that the project's settings do not allow, 403 for a private variable, 409
   * if a different request used the key; and the errors of the operation
   */
  async run<T>(ctx: RequestContext, operation: Operation<T>): Promise<WriteResult<T>> {
    return checked(operation, () => this.write(ctx, operation));
  }

  /**
   * Like `run`, for an update of resources. If it leaves all of them as they are, no version rises and no record is
   * stored; its result is the current state. All checks are the same.
   *
   * An update that turns out to change nothing is rolled back, and done again without raising versions, so other writes
   * pay nothing for it.
   */
  async update<T>(ctx: RequestContext, operation: Operation<T>): Promise<WriteResult<T>> {
    return checked(operation, async () => {
      for (let tries = 0; tries < MAX_TRIES; tries++)
        for (const effect of ['change', 'nothing'] as const) {
          const done = await this.tryWrite(ctx, operation, effect);
          if (done) return done;
        }
      // At worst, the version rises and a record without a difference is stored.
      return this.write(ctx, operation);
    });
  }

  /** @returns undefined if it did not have the effect: a concurrent change may have altered what it writes */
  private async tryWrite<T>(
    ctx: RequestContext,
    operation: Operation<T>,
    effect: Effect,
  ): Promise<WriteResult<T> | undefined> {
    try {
      return await this.write(ctx, operation, effect);
    } catch (error) {
      if (error instanceof OtherEffectError) return undefined;
      throw error;
    }
  }

  /** @param effect the effect that it must have; absent: any */
  private async write<T>(
    ctx: RequestContext,
    { note, run }: Operation<T>,
    effect?: Effect,
  ): Promise<WriteResult<T>> {
    // A command may have no project. Read before the transaction: transactions that wait for a second connection could
    // deadlock on the pool.
    const own = ctx.projectId === '' ? undefined : await this.policies.get(ctx.projectId);
    let written = NOTHING;
    const work = async (tx: Transaction): Promise<T | ChangePreview> => {
      // A root user may write to another project by the id of one of its resources.
      const policyOf = (projectId: string) =>
        projectId === ctx.projectId ? Promise.resolve(own) : this.policies.readUncached(tx, projectId);
      const change = new ChangeSet(ctx, tx, note, undefined, effect === 'nothing');
      const result = await run(change);
      const diff = await diffChange(change, policyOf);
      const isUnchanged = effect !== undefined && !change.writesUnrecorded && changesNothing(diff);
      if (effect !== undefined && isUnchanged !== (effect === 'nothing')) throw new OtherEffectError();
      if (isUnchanged) {
        await validateChange(diff, this.writePolicies);
        return ctx.preview
          ? this.preview({ ...diff, objects: [] }, change.warnings, ctx.preview)
          : resultOf(result, { tx, changeId: undefined });
      }
      if (ctx.preview) {
        await validateChange(diff, this.writePolicies);
        return this.preview(diff, change.warnings, ctx.preview);
      }
      const checks = await checkChange(diff, this.writePolicies);
      const { id: changeId, warnings } = await storeChange(diff, await this.impacts.count(diff), checks);
      written = { counts: new TouchedResourceCounts().add(diff.objects), warnings };
      return resultOf(result, { tx, changeId });
    };
    const { result, ...commit } = await this.commit(ctx, work, undefined, effect === 'nothing');
    if (result instanceof ChangePreview) return result;
    await this.afterCommit(ctx, written);
    return { result, ...commit, warnings: written.warnings };
  }

  private async preview(
    diff: ChangeDiff,
    warnings: readonly string[],
    page: PreviewPage,
  ): Promise<ChangePreview> {
    const impact = await this.impacts.page(diff, page);
    return renderPreview(diff, impact, [...warnings, ...(await findSimilarNames(diff.tx, diff))]);
  }

  /**
   * Like `run`, for a change of any size: the operation writes it in batches, and only one batch is in memory. If the
   * batches touch nothing, no record is stored.
   * @throws InventoryError like `run`; 409 also if more devices than the maximum would be affected
   */
  async runInBatches<T>(
    ctx: RequestContext,
    { note, maxDevices = Infinity, run }: BatchedOperation<T>,
  ): Promise<BatchedWrite<T>> {
    const { projectId } = ctx;
    const policy = await this.policies.get(projectId);
    const reason = reasonOf(ctx, note);
    assertReason(policy?.reason, reason);
    let written = NOTHING;
    let preview: PreviewedImpact | undefined;
    const work = async (tx: Transaction): Promise<T> => {
      const head = { ctx, tx, projectId, reason, policy };
      const accumulator = this.impacts.accumulate(head, ctx.preview, maxDevices < Infinity);
      const change = new BatchedChange(head, this.writePolicies, accumulator);
      const result = await run(change);
      if (ctx.preview) preview = await change.impact(maxDevices);
      else await change.end(maxDevices);
      written = { counts: ctx.preview ? undefined : change.recorded, warnings: change.warnings };
      return result;
    };
    const commit = await this.commit(ctx, work, (once, options) =>
      this.database.longTransaction(once, options),
    );
    await this.afterCommit(ctx, written);
    return { ...commit, warnings: written.warnings, preview };
  }

  private async afterCommit({ projectId }: RequestContext, { counts }: CommitSummary): Promise<void> {
    if (!counts) return;
    counts.report(this.metrics);
    await this.analyzer.analyzeAfter(projectId, counts.written);
  }

  /**
   * Does a request's work once, in one transaction. The transaction of a dry run is rolled back.
   * @param isWithoutEffect the transaction is rolled back, too, unless it stores a response
   * @returns the result, and what the response says about the commit
   */
  private async commit<T>(
    ctx: RequestContext,
    work: (tx: Transaction) => Promise<T>,
    inTransaction: InTransaction<T> = (once, options) => this.database.transaction(once, options),
    isWithoutEffect = false,
  ): Promise<IdempotentResult<T> & Pick<WriteOutcome, 'position'>> {
    if (ctx.preview) {
      const dryRun = async (tx: Transaction) => ({ result: await work(tx), replayed: false });
      const rolledBack = await inTransaction(dryRun, { caller: ctx, isRolledBack: true });
      return { ...rolledBack, position: undefined };
    }
    const committed = await inTransaction((tx) => this.idempotency.execute(ctx, tx, () => work(tx)), {
      caller: ctx,
      isRolledBack: isWithoutEffect && ctx.idempotency === undefined,
    });
    return { ...committed, position: await this.database.committedPosition(ctx) };
  }
}
