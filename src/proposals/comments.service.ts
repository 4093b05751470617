import { Injectable } from '@nestjs/common';
import type { Operation } from '../changes/operation';
import type { RequestContext } from '../core/context/request-context';
import { shownTime } from '../core/context/times';
import { Database, type Transaction } from '../database/database';
import { timestampText } from '../database/resource-mapping';
import { raw, sql } from '../database/sql';
import type { ListPage, ListUrl } from '../lists/list-page';
import type { TableSource } from '../lists/selection';
import { ResourceReader } from '../resources/resource-reader';
import { proposalComments } from './comment.mapping';
import type { NewComment } from './proposal.dto';
import { Proposal } from './proposal.entity';
import { ProposalLocks } from './proposal-locks';
import { ProposalQuota } from './proposal-quota';
import { readProposal } from './stored-proposal';

/** A comment as JSON text, with its URL. */
interface WrittenComment {
  readonly text: string;
  readonly url: string;
}

/** The discussion of proposals. */
@Injectable()
export class CommentsService {
  constructor(
    private readonly database: Database,
    private readonly reader: ResourceReader,
    private readonly locks: ProposalLocks,
    private readonly quota: ProposalQuota,
  ) {}

  /** @throws InventoryError 400, 404 */
  async list(ctx: RequestContext, id: number, url: ListUrl): Promise<ListPage> {
    // As in every list, a malformed query fails before anything is looked up.
    this.reader.validateListQuery(proposalComments, url);
    const { project_id: project } = await readProposal(ctx, id, this.database.reader(ctx));
    const comments: TableSource = {
      kind: 'table',
      drivingRows: undefined,
      where: sql`t.proposal_id = ${id}`,
    };
    return this.reader.list(ctx, proposalComments, url, comments, { project });
  }

  /** Comments can be written in every state. @throws InventoryError 404, 409 */
  prepareCreate(ctx: RequestContext, id: number, { text }: NewComment): Operation<WrittenComment> {
    return {
      run: async (change) => {
        const { resource, proposal } = await this.locks.lock(change, id);
        await this.locks.assertCommentable(change, proposal);
        await this.quota.assertChangeQuota(change);
        const { userId, username } = ctx.principal;
        const author = { id: userId, username };
        const row = await insertComment(change.tx, proposal.project_id, id, { author, text });
        await change.update(resource, Proposal, { comments_total: proposal.comments_total + 1 });
        return {
          text: JSON.stringify({ id: row.id, author, text, created_at: shownTime(ctx, row.created_at) }),
          url: `${ctx.base}/v1/proposals/${String(id)}/comments`,
        };
      },
    };
  }
}

/** In two statements: on Citus, a write cannot return a time as text. */
async function insertComment(
  tx: Transaction,
  projectId: string,
  proposalId: number,
  {
    author,
    text,
  }: { readonly author: { readonly id: number; readonly username: string }; readonly text: string },
): Promise<{ readonly id: number; readonly created_at: string }> {
  const [written] = await tx.rows<{ id: number }>(sql`
    INSERT INTO proposal_comments (project_id, proposal_id, author_id, author_username, text)
    VALUES (${projectId}, ${proposalId}, ${author.id}, ${author.username}, ${text}) RETURNING id`);
  const [row] = await tx.rows<{ id: number; created_at: string }>(sql`
    SELECT c.id, ${raw(timestampText('c.created_at'))} AS created_at FROM proposal_comments c
    WHERE c.project_id = ${projectId} AND c.id = ${written?.id ?? null}`);
  if (!row) throw new Error('a comment was not created');
  return row;
}
