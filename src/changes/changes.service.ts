import { Inject, Injectable } from '@nestjs/common';
import { ProjectPolicies } from '../auth/project-policies';
import { ChangePreview, type WriteOutcome, type WriteResult } from '../core/write-result';
import type { PreviewPage, RequestContext } from '../core/context/request-context';
import { AppMetrics } from '../core/app-metrics';
import { Database, type Transaction, type WriteOptions } from '../database/database';
import { TableAnalyzer } from '../database/table-statistics';
import { assertApproved, findRequiredApproval, isGoverned, ruleSubject } from './approval-check';
import { LargeChange, type LargePreview } from './large-change';
import { changesNothing, TouchedResourceCounts, diffChange, type ChangeDiff } from './change-diff';
import { assertReason, findRejectedReason, reasonOf } from './change-reason';
import { storeChange } from './change-record-store';
import { ChangeSet } from './change-set';
import { checkChange, validateChange } from './change-validation';
import { IMPACT_ASSESSOR, type ImpactAssessor } from './impact-assessor';
import { WRITE_POLICIES, type WritePolicy } from './write-policy';
import { IdempotencyStore, type IdempotentResult } from './idempotency-store';
import type { LargeOperation } from './large-operation';
import { type Operation, resultOf } from './operation';
import {
  type RejectedOperation,
  type SequencedOperation,
  type SequenceHooks,
  type SequenceResult,
  sequenceOf,
} from './operation-sequence';
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

/** A defect of the service: a write whose roles were not checked would have been committed. */
class UncheckedRolesError extends Error {
  constructor() {
    super('a write that was prepared without checking roles can only be previewed');
  }
}

/** How often an update is tried while concurrent changes alter and restore what it writes. */
const MAX_TRIES = 3;

/** Runs the check of an operation, then its write, and finally invalidates caches and releases what the check has reserved. */
async function checked<T, R>(operation: Operation<T>, write: () => Promise<R>): Promise<R> {
  const { check, release, invalidates = [] } = operation;
  try {
    await check?.();
    return await write();
  } finally {
    for (const cache of invalidates) cache.invalidate();
    await release?.();
  }
}

const NOTHING: CommitSummary = { counts: undefined, warnings: [] };

/** A change of any size that was written in parts, or executed as a dry run. */
export interface LargeWrite<T> extends WriteOutcome {
  readonly result: T;
  /** Set if it was a dry run. */
  readonly preview: LargePreview | undefined;
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

  /**
   * Runs operations in order, in one change: all are done, or none. Each is checked as if it ran alone.
   * @throws OperationsError of the first operation that fails; in a dry run, of all that fail
   */
  async runSequence(
    ctx: RequestContext,
    operations: readonly (SequencedOperation | RejectedOperation)[],
    note: string | null | undefined,
    { reasonField, ...hooks }: SequenceHooks = {},
  ): Promise<WriteResult<SequenceResult>> {
    const policy = await this.policies.get(ctx.projectId);
    // Within the transaction, because a repeated request gets its stored response whatever the settings are now.
    const begin = ({ reason }: ChangeSet) => {
      if (!ctx.preview) assertReason(policy?.reason, reason, reasonField);
    };
    const validate = async (part: ChangeSet) => {
      const diff = await diffChange(part, () => Promise.resolve(policy));
      await validateChange(diff, this.writePolicies);
      return diff;
    };
    return this.run(ctx, sequenceOf(operations, { ...hooks, note, begin, validate }));
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
    { note, run, inspect, skipsRoleChecks = false }: Operation<T>,
    effect?: Effect,
  ): Promise<WriteResult<T>> {
    if (skipsRoleChecks && !ctx.preview) throw new UncheckedRolesError();
    // A command may have no project. Read before the transaction: transactions that wait for a second connection could
    // deadlock on the pool.
    const own = ctx.projectId === '' ? undefined : await this.policies.get(ctx.projectId);
    let written = NOTHING;
    const work = async (tx: Transaction): Promise<T | ChangePreview> => {
      // A root user may write to another project by the id of one of its resources.
      const policyOf = (projectId: string) =>
        projectId === ctx.projectId ? Promise.resolve(own) : this.policies.readUncached(tx, projectId);
      const change = new ChangeSet(ctx, tx, note, { keepsVersions: effect === 'nothing' });
      const result = await run(change);
      const diff = await diffChange(change, policyOf);
      const isUnchanged =
        diff.objects.length === 0 ||
        (effect !== undefined && !change.writesUnrecorded && changesNothing(diff));
      if (effect !== undefined && isUnchanged !== (effect === 'nothing')) throw new OtherEffectError();
      const { preview, impact: inspected, ...inspection } = (await inspect?.(diff)) ?? {};
      if (preview) return preview;
      const inspectedDiff = { ...diff, ...inspection };
      if (isUnchanged) {
        await validateChange(diff, this.writePolicies);
        return ctx.preview
          ? this.preview({ ...inspectedDiff, objects: [] }, change.warnings, ctx.preview)
          : resultOf(result, { tx, changeId: undefined });
      }
      // Parts were validated one by one.
      const policies = change.hasParts ? [] : this.writePolicies;
      if (ctx.preview) {
        await validateChange(diff, policies);
        return this.preview(inspectedDiff, change.warnings, ctx.preview);
      }
      const checks = await checkChange(diff, policies);
      const impact = inspected ?? (await this.impacts.count(diff));
      const override = await assertApproved(inspectedDiff, () => ruleSubject(diff, impact));
      const { id: changeId, warnings } = await storeChange(
        { ...inspectedDiff, override: override ?? inspection.override },
        impact,
        checks,
      );
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
    const required = await findRequiredApproval(diff, async () =>
      ruleSubject(diff, await this.impacts.assess(diff)),
    );
    const all = [...warnings, ...(await findSimilarNames(diff.tx, diff))];
    const { override } = diff.ctx;
    const reason = findRejectedReason(diff.policy?.reason, diff.reason);
    return override === undefined
      ? renderPreview(diff, impact, { approval: required, reason }, all)
      : renderPreview(
          { ...diff, override: diff.override ?? (required && override) },
          impact,
          { approval: undefined, reason },
          all,
        );
  }

  /**
   * Like `run`, for a change of any size: the operation writes it in parts, and only one part is in memory. If the
   * parts touch nothing, no record is stored.
   * @throws InventoryError like `run`; 409 also if more devices than the maximum would be affected
   */
  async runLarge<T>(
    ctx: RequestContext,
    { note, maxDevices = Infinity, run }: LargeOperation<T>,
  ): Promise<LargeWrite<T>> {
    const { projectId } = ctx;
    const policy = await this.policies.get(projectId);
    const reason = reasonOf(ctx, note);
    let written = NOTHING;
    let preview: LargePreview | undefined;
    const work = async (tx: Transaction): Promise<T> => {
      // A repeated request gets its stored response, whatever the settings are now.
      if (!ctx.preview) assertReason(policy?.reason, reason);
      // Its record begins before it is known which rules it meets.
      const override = isGoverned({ ctx, policy }) ? ctx.override : undefined;
      const head = { ctx, tx, projectId, reason, policy, override };
      const accumulator = this.impacts.accumulate(head, ctx.preview, maxDevices < Infinity);
      const change = new LargeChange(head, this.writePolicies, accumulator);
      const result = await run(change);
      if (ctx.preview) preview = await change.preview(maxDevices);
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
    if (ctx.skipsRoleChecks === true) throw new UncheckedRolesError();
    const committed = await inTransaction((tx) => this.idempotency.execute(ctx, tx, () => work(tx)), {
      caller: ctx,
      isRolledBack: isWithoutEffect && ctx.idempotency === undefined,
    });
    return { ...committed, position: await this.database.committedPosition(ctx) };
  }
}
