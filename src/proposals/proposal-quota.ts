import { Injectable } from '@nestjs/common';
import { hasNoRoles } from '../auth/access';
import type { ChangeSet } from '../changes/change-set';
import { Environment } from '../config/environment';
import { InventoryError } from '../core/errors';
import { sql } from '../database/sql';
import { PROPOSAL_KIND } from './proposal-kind';

const MIB = 1024 * 1024;

/** The maximum size of the operations of all revisions of one proposal, in bytes. */
const MAX_PROPOSAL_BYTES = 32 * MIB;
/**
 * The same of all proposals of one user that are open, approved or rejected, or were withdrawn within `WITHDRAWN_DAYS`:
 * these stay readable, so a user must not be able to make any number of them.
 */
const MAX_USER_BYTES = 256 * MIB;
/** The same of a user without roles: twice the operations that one proposal can have. */
const MAX_BYTES_WITHOUT_ROLES = 16 * MIB;
const WITHDRAWN_DAYS = 30;
/** How many changes of proposals a user without roles can make within 24 hours, for each of `PROPOSALS_PER_USER`. */
const CHANGES_PER_PROPOSAL = 2;

/**
 * Limits what a user stores with proposals. Nobody needs a role for these, so users without roles, who write nothing else, have
 * lower limits, also for the number of records. Simultaneous requests of a user are counted one after the other.
 */
@Injectable()
export class ProposalQuota {
  constructor(private readonly environment: Environment) {}

  /** @throws InventoryError 409 if the caller cannot make another proposal */
  async assertNewProposal(change: ChangeSet, bytes: number): Promise<void> {
    await lockProposals(change);
    await this.assertRecentChanges(change);
    const stored = await readStoredProposals(change);
    assertBytes(change, stored.bytes + bytes);
    const max = this.environment.PROPOSALS_PER_USER;
    if (stored.count >= max)
      throw limitError(
        `You have ${String(max)} proposals in this project that are open or were withdrawn within a day, which is the limit.`,
        'propose',
        `must be one of at most ${String(max)} open proposals`,
      );
  }

  /** @param stored the size of the earlier revisions @throws InventoryError 409 if operations are too large for another revision */
  async assertNewRevision(change: ChangeSet, stored: number, bytes: number): Promise<void> {
    if (stored + bytes > MAX_PROPOSAL_BYTES)
      throw tooMuch('the revisions of this proposal', MAX_PROPOSAL_BYTES);
    await lockProposals(change);
    await this.assertRecentChanges(change);
    assertBytes(change, (await readStoredProposals(change)).bytes + bytes);
  }

  /** @throws InventoryError 409 if the caller has no roles, and has made too many changes of proposals within 24 hours */
  async assertChangeQuota(change: ChangeSet): Promise<void> {
    if (!hasNoRoles(change.ctx.principal)) return;
    await lockProposals(change);
    await this.assertRecentChanges(change);
  }

  /** Requires `lockProposals`. @throws InventoryError 409 like `assertChangeQuota` */
  private async assertRecentChanges({ ctx, tx }: ChangeSet): Promise<void> {
    const { projectId, principal } = ctx;
    if (!hasNoRoles(principal)) return;
    const max = this.environment.PROPOSALS_PER_USER * CHANGES_PER_PROPOSAL;
    // Not by the name, which can change. A user who had roles can have written anything.
    const reached = await tx.rows(sql`
      SELECT FROM changes c
      WHERE c.project_id = ${projectId} AND c.actor_id = ${principal.userId} AND c.created_at > now() - interval '24 hours'
        AND EXISTS (SELECT FROM change_objects o
          WHERE o.project_id = c.project_id AND o.change_id = c.id AND o.kind = ${PROPOSAL_KIND})
      OFFSET ${max - 1} LIMIT 1`);
    if (reached.length > 0)
      throw limitError(
        `Without a role, you can change proposals ${String(max)} times in this project within 24 hours.`,
        'propose',
        `must be one of at most ${String(max)} changes of proposals within 24 hours`,
      );
  }
}

/** Locks what the caller proposes in the project, until the transaction ends. */
async function lockProposals({ ctx, tx }: ChangeSet): Promise<void> {
  const proposals = `proposals of ${String(ctx.principal.userId)} in ${ctx.projectId}`;
  await tx.rows(sql`SELECT pg_advisory_xact_lock(hashtextextended(${proposals}, 0))`);
}

/** What a user has proposed in a project. */
interface StoredProposals {
  /** The number of proposals that are open, or were withdrawn within a day. */
  readonly count: number;
  /** The size of their operations, and of those that were withdrawn within `WITHDRAWN_DAYS`. */
  readonly bytes: number;
}

/** Reads what the caller has proposed. Requires `lockProposals`. */
async function readStoredProposals({ ctx, tx }: ChangeSet): Promise<StoredProposals> {
  const [stored] = await tx.rows<{ count: number; bytes: number }>(sql`
    SELECT count(*) FILTER (WHERE p.state <> 'withdrawn' OR p.created_at > now() - interval '1 day') AS count,
      COALESCE(sum(p.bytes), 0)::bigint AS bytes
    FROM proposals p
    WHERE p.project_id = ${ctx.projectId} AND p.author_id = ${ctx.principal.userId} AND p.state <> 'applied'
      AND (p.state <> 'withdrawn' OR p.updated_at > now() - make_interval(days => ${WITHDRAWN_DAYS}))`);
  if (!stored) throw new Error('the proposals of a user were not counted');
  return stored;
}

/** @param bytes the size of all that the caller proposes @throws InventoryError 409 if that is too much */
function assertBytes({ ctx }: ChangeSet, bytes: number): void {
  const max = hasNoRoles(ctx.principal) ? MAX_BYTES_WITHOUT_ROLES : MAX_USER_BYTES;
  if (bytes > max) throw tooMuch('your proposals that are not applied', max);
}

const limitError = (message: string, field: string, detail: string): InventoryError =>
  new InventoryError('conflict', message, [{ field, code: 'limit_exceeded', message: detail }]);

const tooMuch = (what: string, bytes: number): InventoryError =>
  limitError(
    `The operations of ${what} would have more than ${String(bytes)} bytes.`,
    'operations',
    `must have at most ${String(bytes)} bytes together`,
  );
