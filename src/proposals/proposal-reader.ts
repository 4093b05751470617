import { Injectable } from '@nestjs/common';
import { ProjectPolicies } from '../auth/project-policies';
import type { RequestContext } from '../core/context/request-context';
import { shownTime } from '../core/context/times';
import { InventoryError } from '../core/errors';
import { appendMembers } from '../core/json/json-text';
import type { QueryParameters } from '../core/parameters';
import { Database, type Queryable } from '../database/database';
import { timestampText } from '../database/resource-mapping';
import { raw, sql, type Sql } from '../database/sql';
import { singleMembers } from '../resources/resource-definition';
import { type RenderedResource, ResourceReader } from '../resources/resource-reader';
import { parseSingleQuery } from '../resources/single-query';
import { visibleOperations } from './hidden-operations';
import { proposals } from './proposal.entity';
import { ableReviewers } from './reviewers';
import { readProposal, type StoredRevision } from './stored-proposal';
import { latestReviews, readReviews, type StoredReview } from './stored-reviews';

interface RevisionRow {
  readonly [column: string]: unknown;
  readonly revision: number;
  readonly created_at: string;
  readonly operations_total: number;
}

/** Shows proposals and their revisions, as the caller may see them. */
@Injectable()
export class ProposalReader {
  constructor(
    private readonly database: Database,
    private readonly reader: ResourceReader,
    private readonly policies: ProjectPolicies,
  ) {}

  /** @throws InventoryError 400, 404 */
  async show(ctx: RequestContext, id: number, query: QueryParameters): Promise<RenderedResource> {
    const all = singleMembers(proposals);
    const { members } = parseSingleQuery(query, { 'resolved-values': false, at: false, members: all });
    const shown = await this.reader.show(ctx, proposals, id, query);
    return this.withDetails(ctx, shown, id, this.database.reader(ctx), members);
  }

  /** Shows a proposal in the response to a write, or another state of it that was not committed. */
  async showWritten(ctx: RequestContext, id: number, on: Queryable): Promise<RenderedResource> {
    const shown = await this.reader.showWritten(ctx, proposals, id, on);
    return this.withDetails(ctx, shown, id, on, singleMembers(proposals));
  }

  /** The revisions of a proposal, oldest first, as JSON text. @throws InventoryError 404 */
  async revisions(ctx: RequestContext, id: number): Promise<string> {
    const on = this.database.reader(ctx);
    const proposal = await readProposal(ctx, id, on);
    const rows = await on.rows<RevisionRow>(
      sql`SELECT ${REVISION} WHERE ${isOf(proposal)} ORDER BY r.revision`,
    );
    return JSON.stringify(rows.map((row) => headOf(ctx, row)));
  }

  /** One revision of a proposal, as JSON text. @throws InventoryError 404 */
  async revision(ctx: RequestContext, id: number, revision: number): Promise<string> {
    const on = this.database.reader(ctx);
    const proposal = await readProposal(ctx, id, on);
    const [row] = await on.rows<RevisionRow & { operations: string }>(
      sql`SELECT r.operations, ${REVISION} WHERE ${isOf(proposal)} AND r.revision = ${revision}`,
    );
    if (!row) throw InventoryError.notFound('revision', revision, 'revision');
    const operations = shownOperations(ctx, proposal, row.operations);
    return appendMembers(JSON.stringify(headOf(ctx, row)), [`"operations":${operations}`]);
  }

  private async withDetails(
    ctx: RequestContext,
    shown: RenderedResource,
    id: number,
    on: Queryable,
    members: readonly string[],
  ): Promise<RenderedResource> {
    // Without `fields`, all members are shown.
    const isShown = (member: string) => members.length === 0 || members.includes(member);
    if (!isShown('operations') && !isShown('reviews')) return shown;
    const proposal = await readProposal(ctx, id, on);
    const details: string[] = [];
    if (isShown('operations'))
      details.push(`"operations":${shownOperations(ctx, proposal, proposal.operations)}`);
    if (isShown('reviews')) details.push(`"reviews":${await this.shownReviews(ctx, proposal, on)}`);
    return { ...shown, body: appendMembers(shown.body, details) };
  }

  private async shownReviews(ctx: RequestContext, proposal: StoredRevision, on: Queryable): Promise<string> {
    const { id, project_id: projectId, revision, keys } = proposal;
    const reviews = await readReviews(on, projectId, id);
    const policy = await this.policies.get(projectId);
    const able = await ableReviewers(on, latestReviews(reviews, revision), policy, keys);
    return JSON.stringify(reviews.map((review) => shownReview(ctx, review, able.has(review.id))));
  }
}

const REVISION = sql`r.revision, r.operations_total, ${raw(timestampText('r.created_at'))} AS created_at
  FROM proposal_revisions r`;

const isOf = ({ project_id: projectId, id }: StoredRevision): Sql =>
  sql`r.project_id = ${projectId} AND r.proposal_id = ${id}`;

const headOf = (ctx: RequestContext, { created_at: createdAt, ...row }: RevisionRow) => ({
  revision: row.revision,
  created_at: shownTime(ctx, createdAt),
  operations_total: row.operations_total,
});

/** The author has sent them, and sees them. */
const shownOperations = (
  ctx: RequestContext,
  { author_id: author }: StoredRevision,
  operations: string,
): string => (author === ctx.principal.userId ? operations : visibleOperations(operations, ctx.visibility));

const shownReview = (ctx: RequestContext, review: StoredReview, counts: boolean) => ({
  id: review.id,
  reviewer: { id: review.reviewer_id, username: review.reviewer_username },
  verdict: review.verdict,
  revision: review.revision,
  // It covers what the reviewer saw.
  impact_digest: ctx.visibility.seesEverything ? review.shown_digest : null,
  note: review.note,
  created_at: shownTime(ctx, review.created_at),
  counts,
});
