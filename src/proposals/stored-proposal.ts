import type { RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors';
import type { Queryable } from '../database/database';
import { timestampText } from '../database/resource-mapping';
import { scopeOfResource } from '../database/resource-scope';
import { from, inScope, isReadable } from '../database/resource-sql';
import { raw, sql } from '../database/sql';
import { namesHidden } from './hidden-operations';
import { proposalMapping } from './proposal.entity';
import type { ProposalState } from './proposal-states';

/** A proposal with its present revision, as it is stored. */
export interface StoredRevision {
  readonly [column: string]: unknown;
  readonly id: number;
  readonly project_id: string;
  readonly version: number;
  readonly title: string;
  readonly state: ProposalState;
  readonly revision: number;
  readonly reason: string | null;
  readonly author_id: number;
  readonly author_username: string;
  readonly keys: readonly string[];
  readonly comments_total: number;
  readonly bytes: number;
  readonly secret: Buffer;
  /** The array of operations, as JSON text. */
  readonly operations: string;
  /** The ids that are reserved for new resources, by the names of the operations that create them. */
  readonly new_ids: Readonly<Record<string, number>>;
  /** When the operations were last compared with the inventory. */
  readonly base_at: string;
  /** The roles of the author for variables; null: the author sees all variables. */
  readonly author_sees: readonly string[] | null;
}

/** @throws InventoryError 404 if the caller cannot see the proposal */
export async function readProposal(ctx: RequestContext, id: number, on: Queryable): Promise<StoredRevision> {
  const [row] = await on.rows<StoredRevision>(sql`
    SELECT t.id, t.project_id, t.version, t.title, t.state, t.revision, t.reason, t.author_id, t.author_username, t.keys,
      t.comments_total, t.bytes, t.secret, r.operations, r.new_ids, ${raw(timestampText('r.base_at'))} AS base_at, r.author_sees
    ${from(proposalMapping)} JOIN proposal_revisions r
      ON r.project_id = t.project_id AND r.proposal_id = t.id AND r.revision = t.revision
    WHERE ${inScope(proposalMapping, await scopeOfResource(ctx, proposalMapping, id, on))}
      AND ${isReadable(proposalMapping, ctx)} AND t.id = ${id}`);
  if (!row) throw InventoryError.notFound(proposalMapping.kind, id);
  return row;
}

/**
 * Like `readProposal`, for what runs its operations: they belong to the project of the request, and are not hidden.
 * @throws InventoryError 404; 403 if an operation is hidden from the caller; 400 if it belongs to another project than the request
 */
export async function readOwnProposal(
  ctx: RequestContext,
  id: number,
  on: Queryable,
): Promise<StoredRevision> {
  const proposal = await readProposal(ctx, id, on);
  const { project_id: projectId, author_id: author, operations } = proposal;
  if (projectId === ctx.projectId) {
    // Variables can become private after it was proposed.
    if (author === ctx.principal.userId || !namesHidden(operations, ctx.visibility)) return proposal;
    throw InventoryError.forbidden('An operation of the proposal names a private variable.', []);
  }
  throw InventoryError.invalid(
    'id',
    'inconsistent',
    `belongs to the project ${projectId}, but the request is for ${ctx.projectId}: send it for that project`,
  );
}
