import { randomUUID } from 'node:crypto';
import { Refusal, Unreachable } from '../../api/errors';
import type { Muster } from '../../api/muster';
import { Failure } from '../../cli-error';
import { asObject } from '../../api/exact-json';
import type { Source } from './source';

/** How an import is asked for. */
export interface Mode {
  readonly dryRun: boolean;
  readonly partial: boolean;
  /** Whether the service is to tell of every line, not only of as many faults as the summary has. */
  readonly byLine: boolean;
  /** Of so many lines at most it is kept what was done. */
  readonly mostAltered: number;
}

/** One request of an import. Under its id it can be asked afterwards what has become of it. */
export class Sending {
  /** Names the request in the change record, and is its idempotency key. */
  readonly id = randomUUID();
  /** Whether all of the body was handed over: before that, nothing can have been written. */
  isWhole = false;
  private fault: Error | undefined;

  constructor(
    private readonly muster: Muster,
    private readonly source: Pick<Source, 'type' | 'encoding'>,
    private readonly mode: Mode,
  ) {}

  /**
   * @param body a text can be sent again by itself where the connection is lost; a stream cannot
   * @throws Refusal, Unreachable; and what reading the body threw
   */
  async send(body: AsyncIterable<Uint8Array> | Buffer, signal: AbortSignal): Promise<Response> {
    const { type, encoding } = this.source;
    const { partial, dryRun, byLine } = this.mode;
    try {
      return await this.muster.open('post', '/v1/import', {
        query: { ...(partial ? { mode: 'partial' } : {}), ...(dryRun ? { dry_run: true } : {}) },
        headers: {
          'content-type': type,
          accept: byLine ? 'application/x-ndjson' : 'application/json',
          'x-request-id': this.id,
          ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
        },
        idempotencyKey: this.id,
        stream: Buffer.isBuffer(body) ? this.whole(body) : ReadableStream.from(this.handedOver(body)),
        signal,
      });
    } catch (error) {
      // Whatever was told of the request: it ended because there was nothing to go on with.
      throw this.fault ?? error;
    }
  }

  private whole(body: Buffer): Uint8Array {
    this.isWhole = true;
    return body;
  }

  private async *handedOver(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      for await (const part of body) yield part;
      this.isWhole = true;
    } catch (error) {
      this.fault = error instanceof Error ? error : new Error(String(error));
      throw error;
    }
  }
}

/** What has become of a request whose answer is missing. */
export type Outcome =
  | { readonly written: 'nothing' }
  | { readonly written: 'all'; readonly change: string | undefined }
  | { readonly written: 'unknown'; readonly because: string };

/**
 * Finds out what has become of an import. Where it is still under way, this waits for its end. If nothing was written
 * until now, nothing will be: what comes late is refused, because its key is taken.
 */
export async function outcomeOf(muster: Muster, id: string, signal: AbortSignal): Promise<Outcome> {
  try {
    const change = await changeOf(muster, id, signal);
    if (change !== undefined) return { written: 'all', change };
    return (await takeKey(muster, id, signal))
      ? { written: 'nothing' }
      : { written: 'all', change: await changeOf(muster, id, signal) };
  } catch (error) {
    if (signal.aborted) return { written: 'unknown', because: 'it was not waited for' };
    if (error instanceof Refusal || error instanceof Unreachable || error instanceof Failure)
      return { written: 'unknown', because: error.message };
    throw error;
  }
}

/** The change that a request has made; undefined for none so far. */
async function changeOf(muster: Muster, id: string, signal: AbortSignal): Promise<string | undefined> {
  const { items } = await muster.firstPage('/v1/changes', { query: { request_id: id, limit: 10 }, signal });
  const [first] = items.map(asObject);
  return first && String(first['id']);
}

/** In attempts, of which each waits as long as the service does. */
const PATIENCE = 6;

/**
 * An import of nothing under the same key: the service answers it when the other has ended.
 * @returns whether the key was free, because of the other nothing is left
 */
async function takeKey(muster: Muster, id: string, signal: AbortSignal): Promise<boolean> {
  for (let attempt = 1; ; attempt++)
    try {
      const answer = await muster.open('post', '/v1/import', {
        headers: { 'content-type': 'application/x-ndjson', accept: 'application/json' },
        idempotencyKey: id,
        stream: '',
        signal,
      });
      await answer.body?.cancel();
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.status === 409 && error.details.some(({ field }) => field === 'Idempotency-Key'))
        return false;
      if (error.status !== 503 || attempt === PATIENCE) throw error;
    }
}
