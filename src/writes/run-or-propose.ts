import type { RequestContext } from '../core/context/request-context';
import type { WriteResult } from '../core/write-result';
import { entityTag } from '../http/entity-tag';
import { JsonResponse, renderWrite } from '../http/response';
import type { Proposer, RenderedProposal } from './proposer';

/** What a request writes, which it may propose instead. */
interface ProposableWrite<T> {
  /** Writes it, or makes a dry run of it. */
  readonly run: () => Promise<T>;
  /** Stores it as a proposal. */
  readonly propose: () => Promise<WriteResult<RenderedProposal>>;
  /** Whether `run` itself lets only a few dry runs run at a time. */
  readonly isLimited?: boolean;
}

/** Runs the write of a request. With `propose`, stores a proposal of it, or makes the dry run of one. */
export async function runOrPropose<T>(
  ctx: RequestContext,
  proposer: Proposer,
  { run, propose, isLimited = false }: ProposableWrite<T>,
): Promise<T | JsonResponse> {
  if (ctx.propose === undefined) return run();
  if (!ctx.preview) return proposedResponse(await propose());
  return isLimited ? run() : proposer.runLimited(ctx, run);
}

/** 202 with a proposal. */
const proposedResponse = (write: WriteResult<RenderedProposal>): JsonResponse =>
  renderWrite(
    write,
    ({ body, version, url }) => new JsonResponse(202, body, { etag: entityTag(version), location: url }),
  );
