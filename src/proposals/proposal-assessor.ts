import { Inject, Injectable } from '@nestjs/common';
import { withoutRoleChecks } from '../auth/access';
import { ProjectPolicies } from '../auth/project-policies';
import { parseStoredOperations } from '../batch/batch-request';
import { BatchService, type PreparedOperation, toSequencedOperation } from '../batch/batch.service';
import type { ChangeDiff } from '../changes/change-diff';
import { assertReason, REASON_MEMBER } from '../changes/change-reason';
import type { ChangeSet } from '../changes/change-set';
import { ChangesService } from '../changes/changes.service';
import {
  IMPACT_ASSESSOR,
  type ImpactAssessor,
  type ImpactCount,
  type PreviewedImpact,
} from '../changes/impact-assessor';
import type { SequencedOperation } from '../changes/operation-sequence';
import { renderChange } from '../changes/preview-rendering';
import { resourceKey } from '../changes/touched-resources';
import { ConcurrencyLimiter } from '../core/concurrency';
import { type PreviewPage, type RequestContext, UNSHOWN_PAGE } from '../core/context/request-context';
import { InventoryError } from '../core/errors';
import { ChangePreview } from '../core/write-result';
import type { Queryable } from '../database/database';
import { timestampText } from '../database/resource-mapping';
import { raw, sql } from '../database/sql';
import { visibilityOf } from './author-visibility';
import { type Conflict, findConflicts } from './conflicts';
import { type Effects, impactDigest, resourceEffects, visibleEffects } from './impact-digest';
import type { StoredRevision } from './stored-proposal';
import { Requirement } from './requirement';

/** The part of a revision that its operations depend on. */
export type AssessedRevision = Pick<
  StoredRevision,
  'operations' | 'new_ids' | 'base_at' | 'author_sees' | 'reason' | 'secret'
>;

/** What the operations of a proposal do in the inventory as it is. */
export interface Assessment {
  readonly effects: Effects;
  /** The digest of all effects, and of those that the caller sees. */
  readonly digest: string;
  readonly shownDigest: string;
  readonly requirement: Requirement;
  readonly conflicts: readonly Conflict[];
  /** The time of the database. */
  readonly time: string;
  /** The change and its impact as the caller sees them, as JSON text and with its page of devices. */
  readonly change: string;
  readonly impact: PreviewedImpact;
  /** The impact, as the change record has it. */
  readonly count: ImpactCount;
}

/** The assessment of operations, or the error of those that fail. */
export interface DryRunResult {
  /** Undefined if an operation fails, unless only its precondition does not hold. */
  readonly assessment: Assessment | undefined;
  readonly error: InventoryError | undefined;
  /** The ids that are reserved for new resources. */
  readonly newIds: AssessedRevision['new_ids'];
}

/** How operations are run. */
interface DryRunOptions {
  readonly page?: PreviewPage;
  readonly checksRoles?: boolean;
  readonly reasonField?: string;
}

/** Operations that were prepared, and which of them writes which resource, by `resourceKey`. */
export interface PreparedOperations {
  readonly prepared: readonly PreparedOperation[];
  readonly sequence: readonly SequencedOperation[];
  readonly operationOf: ReadonlyMap<string, number>;
}

/** The maximum number of concurrent dry runs per process. */
const MAX_CONCURRENT = 4;

/** Runs the operations of proposals as dry runs, and assesses what they do. */
@Injectable()
export class ProposalAssessor {
  /** Everybody can start one, and it locks what the operations write until it ends. */
  private readonly limiter = new ConcurrencyLimiter({
    maxConcurrent: MAX_CONCURRENT,
    queue: { maxLength: 40, timeoutMs: 10_000 },
    message: 'Too many proposals are being previewed. Try again.',
    retryAfterSeconds: 5,
    shares: { maxPerUser: 1, maxPerProject: 2, callsName: 'previews of proposals' },
  });

  constructor(
    private readonly batches: BatchService,
    private readonly changes: ChangesService,
    private readonly policies: ProjectPolicies,
    @Inject(IMPACT_ASSESSOR) private readonly impacts: ImpactAssessor,
  ) {}

  /** Runs a dry run, of which only a few run at a time. @throws InventoryError 503 */
  async runLimited<T>(ctx: RequestContext, dryRun: () => Promise<T>): Promise<T> {
    return this.limiter.run(dryRun, { caller: ctx });
  }

  /**
   * Runs the operations of a revision as a dry run.
   * @param page the page of affected devices
   * @param checksRoles whether the caller must be allowed to do them
   * @param reasonField what has the reason of the change, for its error
   */
  async dryRun(
    ctx: RequestContext,
    revision: AssessedRevision,
    options: DryRunOptions = {},
  ): Promise<DryRunResult> {
    return this.runLimited(ctx, async () => {
      const result = await this.runOnce(ctx, revision, options, false);
      if (result.error?.code !== 'version_mismatch') return result;
      // Without the preconditions, the conflicts are known.
      const { assessment } = await this.runOnce(ctx, revision, options, true);
      return { ...result, assessment };
    });
  }

  private async runOnce(
    ctx: RequestContext,
    revision: AssessedRevision,
    { page = UNSHOWN_PAGE, checksRoles = false, reasonField = REASON_MEMBER }: DryRunOptions,
    ignoresVersions: boolean,
  ): Promise<DryRunResult> {
    const own = { ...ctx, preview: page, idempotency: undefined, propose: undefined, reason: undefined };
    const context = await this.contextFor(checksRoles ? own : withoutRoleChecks(own), revision);
    let assessment: Assessment | undefined;
    let newIds: AssessedRevision['new_ids'] = revision.new_ids;
    try {
      const { prepared, sequence, operationOf } = await this.prepare(context, revision, ignoresVersions);
      newIds = newIdsOf(prepared);
      const inspect = async (diff: ChangeDiff) => {
        assessment = await this.assess(ctx, revision, diff, operationOf, page);
        return { preview: new ChangePreview('') };
      };
      // Other dry runs only say that a reason is rejected.
      const before = async ({ reason }: ChangeSet) => {
        assertReason((await this.policies.get(ctx.projectId))?.reason, reason, reasonField);
      };
      await this.changes.runSequence(context, sequence, revision.reason, { inspect, before });
    } catch (error) {
      if (!(error instanceof InventoryError) || error.status >= 500) throw error;
      return { assessment: undefined, newIds, error };
    }
    return { assessment, newIds, error: undefined };
  }

  /**
   * The context in which operations are prepared and run: they see what both the author and the caller see. So nobody can
   * use the rights of somebody else to read a hidden variable, such as by a filter.
   */
  async contextFor(ctx: RequestContext, { author_sees: sees }: AssessedRevision): Promise<RequestContext> {
    const policy = await this.policies.get(ctx.projectId);
    return { ...ctx, visibility: visibilityOf(policy, sees).and(ctx.visibility) };
  }

  /** @throws OperationsError of the operations that are invalid */
  async prepare(
    ctx: RequestContext,
    revision: Pick<StoredRevision, 'operations' | 'new_ids'>,
    ignoresVersions = false,
  ): Promise<PreparedOperations> {
    const parsed = parseStoredOperations(revision.operations);
    const operations = ignoresVersions ? parsed.map((operation) => ({ ...operation, headers: {} })) : parsed;
    const reserved = new Map(Object.entries(revision.new_ids));
    const prepared = await this.batches.prepare(ctx, operations, 'proposal', reserved);
    const operationOf = new Map<string, number>();
    const sequence = prepared
      .map(toSequencedOperation)
      .map(({ operation, ...rest }, index): SequencedOperation => ({
        ...rest,
        operation: {
          ...operation,
          run: async (change) => {
            const result = await operation.run(change);
            for (const { mapping, projectId, id } of change.trackedResources) {
              const key = resourceKey(mapping, projectId, id);
              if (!operationOf.has(key)) operationOf.set(key, index);
            }
            return result;
          },
        },
      }));
    return { prepared, sequence, operationOf };
  }

  /**
   * Finds out what a change does that was made and not yet recorded.
   * @param ctx the caller, as whom it is described
   */
  async assess(
    ctx: RequestContext,
    { base_at: since, secret }: Pick<AssessedRevision, 'base_at' | 'secret'>,
    diff: ChangeDiff,
    operationOf: ReadonlyMap<string, number>,
    page: PreviewPage = UNSHOWN_PAGE,
  ): Promise<Assessment> {
    const conflicts = await findConflicts(diff, since, operationOf);
    const found = await this.impacts.effects(diff);
    const effects = { groups: found.groups, resources: resourceEffects(diff) };
    const shown = visibleEffects(effects, ctx.visibility);
    const impact = await found.page(page, ctx.visibility, page !== UNSHOWN_PAGE);
    const digest = impactDigest(secret, effects);
    return {
      effects,
      digest,
      shownDigest: ctx.visibility.seesEverything ? digest : impactDigest(secret, shown),
      requirement: Requirement.of(diff, found.groups),
      conflicts,
      time: await databaseTime(diff.tx),
      change: await renderChange(
        { ...diff, ctx: { ...diff.ctx, visibility: ctx.visibility } },
        impact.devices,
      ),
      impact,
      count: found.count,
    };
  }
}

const newIdsOf = (prepared: readonly PreparedOperation[]): AssessedRevision['new_ids'] =>
  Object.fromEntries(
    prepared.flatMap(({ id, newId }) => (id === undefined || newId === undefined ? [] : [[id, newId]])),
  );

/** While the resources that a change has touched are locked: a later change of them is later. */
async function databaseTime(on: Queryable): Promise<string> {
  const [row] = await on.rows<{ time: string }>(
    sql`SELECT ${raw(timestampText('clock_timestamp()'))} AS time`,
  );
  if (!row) throw new Error('the database returned no time');
  return row.time;
}
