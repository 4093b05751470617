import { Injectable } from '@nestjs/common';
import { ProjectPolicies, type ProjectPolicy } from '../auth/project-policies';
import { ChangePreview, type WriteResult } from '../core/change-preview';
import type { RequestContext } from '../core/context/request-context';
import { Measurements } from '../core/app-metrics';
import { Database, type Transaction, type WriteOptions } from '../database/database';
import { ChangeSet, reasonOf } from './change-set';
import { requireReason } from './change-reason';
import { storeChange } from './change-record-store';
import { describe, requireVisible, type DescribedChange } from './change-diff';
import { Impacts, type PreviewedImpact } from './impact-assessor';
import { PartedChange } from './batched-change';
import { RecordedCounts } from './change-metrics';
import { previewOf } from './dry-run-response';
import { StoredAnswers, type Answered } from './idempotency-store';
import { WriteRules } from './write-policies';

/** A change that is recorded, and not yet committed. */
interface Recorded<T> {
  readonly tx: Transaction;
  /** The id of its record. */
  readonly changeId: number;
  /** What its work answered. */
  readonly result: T;
  readonly counts: RecordedCounts;
}

/** Runs something in a transaction. */
type InTransaction<T> = (
  work: (tx: Transaction) => Promise<Answered<T>>,
  options: WriteOptions,
) => Promise<Answered<T>>;

/** A change of any size that was written in batches, or tried in a dry run. */
export interface BatchedWrite<T> {
  readonly result: T;
  /** The impact, if it was a dry run. */
  readonly preview: PreviewedImpact | undefined;
}

/** Writes: each in one transaction, governed, and with its change record inside. */
@Injectable()
export class Changes {
  constructor(
    private readonly database: Database,
    private readonly policies: ProjectPolicies,
    private readonly impacts: Impacts,
    private readonly rules: WriteRules,
    private readonly answers: StoredAnswers,
    private readonly measurements: Measurements,
  ) {}

  /**
   * Runs `work` in one transaction and records what it touched; if anything fails, nothing has happened.
   * `work` may be run again when it loses against a simultaneous change. A request makes one change: where it has an
   * `Idempotency-Key` and was answered before, it gets the same result again, and nothing is done.
   * @param note the reason in the request's body, which counts where the header gives none
   * @param work what it answers to a `POST` must be plain JSON
   * @throws InventoryError 400 for a reason that the project's settings do not allow, 403 for a private variable, 409
   * for the key of another request
   */
  async write<T>(
    ctx: RequestContext,
    note: string | null | undefined,
    work: (change: ChangeSet) => Promise<T>,
  ): Promise<WriteResult<T>> {
    return this.writeThen(ctx, note, work, ({ result }) => Promise.resolve(result));
  }

  /**
   * The same, where the result depends on the change record.
   * @param finish returns the result, within the same transaction. A dry run does not call it.
   */
  async writeThen<T, A>(
    ctx: RequestContext,
    note: string | null | undefined,
    work: (change: ChangeSet) => Promise<T>,
    finish: (recorded: Recorded<T>) => Promise<A>,
  ): Promise<WriteResult<A>> {
    // A command may be in no project. Asked beforehand: a transaction that waited for a second connection could wait for others that do the same.
    const own = ctx.projectId === '' ? undefined : await this.policies.of(ctx.projectId);
    let counts: RecordedCounts | undefined;
    const outcome = await this.commit<WriteResult<A>>(ctx, async (tx) => {
      // Root may have named another project by nothing but an id in it.
      const policyOf = (projectId: string) =>
        projectId === ctx.projectId ? Promise.resolve(own) : this.policies.within(tx, projectId);
      const recorded = await this.record(new ChangeSet(ctx, tx, note), work, policyOf);
      if (recorded instanceof ChangePreview) return recorded;
      ({ counts } = recorded);
      return finish(recorded);
    });
    counts?.committed(this.measurements);
    return outcome;
  }

  /**
   * The same as `write` for a change of any size: `work` makes it part by part, in the project of the request, and none
   * of it is held in memory. If its parts touch nothing, no record is left.
   * @throws InventoryError 400 for a reason that the project's settings do not allow, 409 for the key of another request
   */
  async writeInParts<T>(
    ctx: RequestContext,
    note: string | null | undefined,
    work: (change: PartedChange) => Promise<T>,
  ): Promise<BatchedWrite<T>> {
    const { projectId } = ctx;
    const policy = await this.policies.of(projectId);
    const reason = reasonOf(ctx, note);
    requireReason(policy?.reason, reason);
    let counts: RecordedCounts | undefined;
    let preview: PreviewedImpact | undefined;
    const write = async (tx: Transaction): Promise<T> => {
      const head = { ctx, tx, projectId, reason, policy };
      const change = new PartedChange(head, this.rules, this.impacts.tally(head, ctx.preview));
      const result = await work(change);
      if (ctx.preview) {
        preview = await change.impact();
        return result;
      }
      await change.end();
      counts = change.recorded;
      return result;
    };
    const result = await this.commit(ctx, write, (once, options) =>
      this.database.longTransaction(once, options),
    );
    counts?.committed(this.measurements);
    return { result, preview };
  }

  /**
   * Does a request's work once, in one transaction, and issues the consistency token of its commit. The transaction of
   * a dry run is rolled back.
   */
  private async commit<T>(
    ctx: RequestContext,
    work: (tx: Transaction) => Promise<T>,
    transact: InTransaction<T> = (once, options) => this.database.transaction(once, options),
  ): Promise<T> {
    if (ctx.preview) {
      const dryRun = async (tx: Transaction) => ({ result: await work(tx), replayed: false });
      return (await transact(dryRun, { isRolledBack: true })).result;
    }
    const { result, replayed } = await transact((tx) => this.answers.once(ctx, tx, () => work(tx)), {});
    if (replayed) ctx.idempotency?.replayed();
    await this.database.mark(ctx);
    return result;
  }

  private async record<T>(
    change: ChangeSet,
    work: (change: ChangeSet) => Promise<T>,
    policyOf: (projectId: string) => Promise<ProjectPolicy | undefined>,
  ): Promise<Recorded<T> | ChangePreview> {
    const { ctx, tx } = change;
    const result = await work(change);
    const described = await describe(change, policyOf);
    await this.govern(described);
    if (ctx.preview) {
      const { devices, body } = await this.impacts.page(described, ctx.preview);
      return previewOf(described, devices, body);
    }
    const changeId = await storeChange(described, await this.impacts.count(described));
    return { tx, changeId, result, counts: new RecordedCounts().add(described.objects) };
  }

  private async govern(change: DescribedChange): Promise<void> {
    requireReason(change.policy?.reason, change.reason);
    requireVisible(change);
    await this.rules.check(change);
  }
}
