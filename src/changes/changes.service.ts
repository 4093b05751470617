import { Inject, Injectable } from '@nestjs/common';
import { ProjectPolicies } from '../auth/project-policies';
import { ChangePreview, type WriteOutcome, type WriteResult } from '../core/write-result';
import type { PreviewPage, RequestContext } from '../core/context/request-context';
import { AppMetrics } from '../core/app-metrics';
import { Database, type Transaction, type WriteOptions } from '../database/database';
import { TableAnalyzer } from '../database/table-statistics';
import { BatchedChange } from './batched-change';
import { TouchedResourceCounts, diffChange, type ChangeDiff } from './change-diff';
import { assertReason } from './change-reason';
import { storeChange } from './change-record-store';
import { ChangeSet, reasonOf } from './change-set';
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
    await operation.check?.();
    try {
      return await this.write(ctx, operation);
    } finally {
      for (const cache of operation.invalidates ?? []) cache.invalidate();
    }
  }

  private async write<T>(ctx: RequestContext, { note, run }: Operation<T>): Promise<WriteResult<T>> {
    // A command may have no project. Read before the transaction: transactions that wait for a second connection could
    // deadlock on the pool.
    const own = ctx.projectId === '' ? undefined : await this.policies.get(ctx.projectId);
    let written = NOTHING;
    const { result, ...commit } = await this.commit<T | ChangePreview>(ctx, async (tx) => {
      // A root user may write to another project by the id of one of its resources.
      const policyOf = (projectId: string) =>
        projectId === ctx.projectId ? Promise.resolve(own) : this.policies.readUncached(tx, projectId);
      const change = new ChangeSet(ctx, tx, note);
      const result = await run(change);
      const diff = await diffChange(change, policyOf);
      if (ctx.preview) {
        await validateChange(diff, this.writePolicies);
        return this.preview(diff, change.warnings, ctx.preview);
      }
      const checks = await checkChange(diff, this.writePolicies);
      const { id: changeId, warnings } = await storeChange(diff, await this.impacts.count(diff), checks);
      written = { counts: new TouchedResourceCounts().add(diff.objects), warnings };
      return resultOf(result, { tx, changeId });
    });
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
   * @returns the result, and what the response says about the commit
   */
  private async commit<T>(
    ctx: RequestContext,
    work: (tx: Transaction) => Promise<T>,
    inTransaction: InTransaction<T> = (once, options) => this.database.transaction(once, options),
  ): Promise<IdempotentResult<T> & Pick<WriteOutcome, 'position'>> {
    if (ctx.preview) {
      const dryRun = async (tx: Transaction) => ({ result: await work(tx), replayed: false });
      const rolledBack = await inTransaction(dryRun, { caller: ctx, isRolledBack: true });
      return { ...rolledBack, position: undefined };
    }
    const committed = await inTransaction((tx) => this.idempotency.execute(ctx, tx, () => work(tx)), {
      caller: ctx,
    });
    return { ...committed, position: await this.database.committedPosition(ctx) };
  }
}
