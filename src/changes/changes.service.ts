import { Injectable } from '@nestjs/common';
import { ProjectPolicies, type ProjectPolicy } from '../auth/project-policies';
import type { RequestContext } from '../core/context/request-context';
import { type Answer, Interruption } from '../http/response';
import { Measurements } from '../core/app-metrics';
import { Database, type Transaction } from '../database/database';
import { ChangeSet, reasonOf } from './change-set';
import { requireReason } from './change-reason';
import { storeChange } from './change-record-store';
import { describe, requireVisible, type DescribedChange } from './change-diff';
import { Impacts, type PreviewedImpact } from './impact-assessor';
import { PartedChange } from './batched-change';
import { RecordedCounts } from './change-metrics';
import { previewAnswer } from './dry-run-response';
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
type InTransaction<T> = (work: (tx: Transaction) => Promise<Answered<T>>) => Promise<Answered<T>>;

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
   * @throws Interruption with what the change would do, if it is only tried
   */
  async write<T>(
    ctx: RequestContext,
    note: string | null | undefined,
    work: (change: ChangeSet) => Promise<T>,
  ): Promise<T> {
    return this.writeThen(ctx, note, work, ({ result }) => Promise.resolve(result));
  }

  /**
   * The same, where the answer depends on the record that the change leaves.
   * @param tell makes the answer, within the same transaction
   */
  async writeThen<T, A>(
    ctx: RequestContext,
    note: string | null | undefined,
    work: (change: ChangeSet) => Promise<T>,
    tell: (recorded: Recorded<T>) => Promise<A>,
  ): Promise<A> {
    // A command may be in no project. Asked beforehand: a transaction that waited for a second connection could wait for others that do the same.
    const own = ctx.projectId === '' ? undefined : await this.policies.of(ctx.projectId);
    let counts: RecordedCounts | undefined;
    const told = await this.commit(ctx, async (tx) => {
      // Root may have named another project by nothing but an id in it.
      const policyOf = (projectId: string) =>
        projectId === ctx.projectId ? Promise.resolve(own) : this.policies.within(tx, projectId);
      const recorded = await this.record(new ChangeSet(ctx, tx, note), work, policyOf);
      ({ counts } = recorded);
      return tell(recorded);
    });
    counts?.committed(this.measurements);
    return told;
  }

  /**
   * The same as `write` for a change of any size: `work` makes it part by part, in the project of the request, and none
   * of it is held in memory. If its parts touch nothing, no record is left.
   * @param preview the answer if the change is only tried
   * @throws InventoryError 400 for a reason that the project's settings do not allow, 409 for the key of another request
   */
  async writeInParts<T>(
    ctx: RequestContext,
    note: string | null | undefined,
    work: (change: PartedChange) => Promise<T>,
    preview: (result: T, impact: PreviewedImpact) => Answer,
  ): Promise<T> {
    const { projectId } = ctx;
    const policy = await this.policies.of(projectId);
    const reason = reasonOf(ctx, note);
    requireReason(policy?.reason, reason);
    let counts: RecordedCounts | undefined;
    const write = async (tx: Transaction): Promise<T> => {
      const head = { ctx, tx, projectId, reason, policy };
      const change = new PartedChange(head, this.rules, this.impacts.tally(head, ctx.preview));
      const made = await work(change);
      if (ctx.preview) throw new Interruption(preview(made, await change.impact()));
      await change.end();
      counts = change.recorded;
      return made;
    };
    const made = await this.commit(ctx, write, (once) => this.database.longTransaction(once));
    counts?.committed(this.measurements);
    return made;
  }

  /** Does a request's work once, in one transaction, and tells the client from where on reads show it. */
  private async commit<T>(
    ctx: RequestContext,
    work: (tx: Transaction) => Promise<T>,
    transact: InTransaction<T> = (once) => this.database.transaction(once),
  ): Promise<T> {
    const { result, replayed } = await transact((tx) => this.answers.once(ctx, tx, () => work(tx)));
    if (replayed) ctx.idempotency?.replayed();
    await this.database.mark(ctx);
    return result;
  }

  private async record<T>(
    change: ChangeSet,
    work: (change: ChangeSet) => Promise<T>,
    policyOf: (projectId: string) => Promise<ProjectPolicy | undefined>,
  ): Promise<Recorded<T>> {
    const { ctx, tx } = change;
    const result = await work(change);
    const described = await describe(change, policyOf);
    await this.govern(described);
    if (ctx.preview) {
      const { devices, body } = await this.impacts.page(described, ctx.preview);
      throw new Interruption(await previewAnswer(described, devices, body));
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
