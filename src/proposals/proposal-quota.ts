import { Injectable } from '@nestjs/common';
import { hasNoRoles } from '../auth/access';
import type { ChangeSet } from '../changes/change-set';
import { Environment } from '../config/environment';
import { InventoryError } from '../core/errors';
import type { Queryable } from '../database/database';
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
    const count = await this.assertBytes(change, bytes);
    const max = this.environment.PROPOSALS_PER_USER;
    if (count >= max)
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
    await this.assertBytes(change, bytes);
  }

  /** @throws InventoryError 409 if the caller has no roles, and has made too many changes of proposals within 24 hours */
  async assertChange({ ctx, tx }: ChangeSet): Promise<void> {
    const { projectId, principal } = ctx;
    if (!hasNoRoles(principal)) return;
    await lockProposalsOf(tx, projectId, principal.userId);
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

  /** @returns the number of proposals that count */
  private async assertBytes(change: ChangeSet, bytes: number): Promise<number> {
    const { ctx, tx } = change;
    const { projectId, principal } = ctx;
    await this.assertChange(change);
    await lockProposalsOf(tx, projectId, principal.userId);
    const [stored] = await tx.rows<{ count: number; bytes: number }>(sql`
      SELECT count(*) FILTER (WHERE p.state <> 'withdrawn' OR p.created_at > now() - interval '1 day') AS count,
        COALESCE(sum(p.bytes), 0)::bigint AS bytes
      FROM proposals p
      WHERE p.project_id = ${projectId} AND p.author_id = ${principal.userId} AND p.state <> 'applied'
        AND (p.state <> 'withdrawn' OR p.updated_at > now() - make_interval(days => ${WITHDRAWN_DAYS}))`);
    if (!stored) throw new Error('the proposals of a user were not counted');
    const max = hasNoRoles(principal) ? MAX_BYTES_WITHOUT_ROLES : MAX_USER_BYTES;
    if (stored.bytes + bytes > max) throw tooMuch('your proposals that are not applied', max);
    return stored.count;
  }
}

/** Locks what a user proposes in a project, until the transaction ends. */
async function lockProposalsOf(tx: Queryable, projectId: string, userId: number): Promise<void> {
  await tx.rows(
    sql`SELECT pg_advisory_xact_lock(hashtextextended(${`proposals of ${String(userId)} in ${projectId}`}, 0))`,
  );
}

const limitError = (message: string, field: string, detail: string): InventoryError =>
  new InventoryError('conflict', message, [{ field, code: 'limit_exceeded', message: detail }]);

const tooMuch = (what: string, bytes: number): InventoryError =>
  limitError(
    `The operations of ${what} would have more than ${String(bytes)} bytes.`,
    'operations',
    `must have at most ${String(bytes)} bytes together`,
  );
