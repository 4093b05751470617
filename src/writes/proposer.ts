import type { RequestContext } from '../core/context/request-context';
import type { WriteResult } from '../core/write-result';

/** A write that a request proposes, as it was sent. */
export interface ProposedWrite {
  readonly method: string;
  /** The path with its query, without the parameter `propose`. */
  readonly path: string;
  /** JSON text; undefined: no body. */
  readonly body: string | undefined;
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

/** Several writes that a request proposes. */
export interface ProposedBatch {
  /** The array of operations, as JSON text. */
  readonly operations: string;
  readonly note: string | null | undefined;
}

/** A proposal that was stored, as JSON text. */
export interface RenderedProposal {
  readonly body: string;
  readonly version: number;
  /** Its absolute URL. */
  readonly url: string;
}

/** Stores writes that wait for approval. */
export interface Proposer {
  /**
   * Stores a proposal with the title of the context, if its writes are valid.
   * @throws InventoryError of the writes; 400 if they are too large, 429 if the caller has too many open proposals
   */
  propose(
    ctx: RequestContext,
    proposed: ProposedWrite | ProposedBatch,
  ): Promise<WriteResult<RenderedProposal>>;
  /**
   * Runs a dry run of a write that is proposed: everybody can, so only a few run at a time.
   * @throws InventoryError 503 if too many are running
   */
  runLimited<T>(ctx: RequestContext, dryRun: () => Promise<T>): Promise<T>;
}

/** The token of the `Proposer`. Proposals know batches, so they are above this folder: see `AppModule`. */
export const PROPOSER = Symbol('proposer');
