import { randomUUID } from 'node:crypto';
import { ApiError, NetworkError } from '@muster/api-types';
import type { Muster } from '../../api/muster';
import { CliError } from '../../cli-error';
import { findChange } from '../report-write';
import type { ResultLine } from './result-line';
import type { ImportSource } from '../../files/source';

/** How an import is processed. */
export interface ImportMode {
  readonly dryRun: boolean;
  readonly partial: boolean;
  /** Whether the response reports every line. Otherwise it contains a summary with the first errors. */
  readonly byLine: boolean;
  /** How many created and updated lines the summary contains. */
  readonly maxChangedLines: number;
  /** Whether the change is read after the import. */
  readonly readsChange?: boolean;
  /** The maximum number of devices whose resolved values may change. By default there is none. */
  readonly maxAffectedDevices?: number;
  /** Called for each line that did not fail, with the changes. Requires `byLine`. */
  readonly onLine?: (line: ResultLine) => void;
}

/** One request of an import. Its id identifies it in the change record. */
export class ImportRequest {
  /** The request id, which is also the idempotency key. */
  readonly id = randomUUID();
  /** Whether the body was sent completely: before that, the service writes nothing. */
  isBodySent = false;
  private readError: Error | undefined;

  constructor(
    private readonly muster: Muster,
    private readonly source: Pick<ImportSource, 'type' | 'encoding'>,
    private readonly mode: ImportMode,
  ) {}

  /**
   * @param body a buffer can be sent again; a stream cannot
   * @throws ApiError, NetworkError; errors of reading the body
   */
  async send(body: AsyncIterable<Uint8Array> | Buffer, signal: AbortSignal): Promise<Response> {
    const { type, encoding } = this.source;
    const { partial, dryRun, byLine, maxAffectedDevices, onLine } = this.mode;
    try {
      return await this.muster.open('post', '/v1/import', {
        query: {
          ...(partial ? { mode: 'partial' } : {}),
          ...(dryRun ? { dry_run: true } : {}),
          max_affected_devices: maxAffectedDevices,
          ...(onLine ? { changes: true } : {}),
        },
        headers: {
          'content-type': type,
          accept: byLine ? 'application/x-ndjson' : 'application/json',
          'x-request-id': this.id,
          ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
        },
        idempotencyKey: this.id,
        stream: Buffer.isBuffer(body) ? this.wholeBody(body) : ReadableStream.from(this.streamBody(body)),
        signal,
      });
    } catch (error) {
      // If reading the body failed, that is the cause of the network error.
      throw this.readError ?? error;
    }
  }

  private wholeBody(body: Buffer): Uint8Array {
    this.isBodySent = true;
    return body;
  }

  private async *streamBody(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      for await (const part of body) yield part;
      this.isBodySent = true;
    } catch (error) {
      this.readError = error instanceof Error ? error : new Error(String(error));
      throw error;
    }
  }
}

/** The outcome of a request without a response. */
export type ImportOutcome =
  | { readonly written: 'nothing' }
  | { readonly written: 'all'; readonly change: string | undefined }
  | { readonly written: 'unknown'; readonly because: string };

/**
 * Determines the outcome of an import, and waits until it has ended. If it has written nothing, it never will: its
 * idempotency key is claimed, so a late request is rejected.
 */
export async function findOutcome(muster: Muster, id: string, signal: AbortSignal): Promise<ImportOutcome> {
  try {
    const change = await findChange(muster, id, signal);
    if (change) return { written: 'all', change: change.id };
    return (await claimKey(muster, id, signal))
      ? { written: 'nothing' }
      : { written: 'all', change: (await findChange(muster, id, signal))?.id };
  } catch (error) {
    if (signal.aborted) return { written: 'unknown', because: 'the check was interrupted' };
    if (error instanceof ApiError || error instanceof NetworkError || error instanceof CliError)
      return { written: 'unknown', because: error.message };
    throw error;
  }
}

/** In each attempt, the service waits for the end of the other request. */
const MAX_CLAIM_ATTEMPTS = 6;

/**
 * Claims the idempotency key with an empty import. The service responds after the other request has ended.
 * @returns whether the key was free, because the other request wrote nothing
 */
async function claimKey(muster: Muster, id: string, signal: AbortSignal): Promise<boolean> {
  for (let attempt = 1; ; attempt++)
    try {
      const response = await muster.open('post', '/v1/import', {
        headers: { 'content-type': 'application/x-ndjson', accept: 'application/json' },
        idempotencyKey: id,
        stream: '',
        signal,
      });
      await response.body?.cancel();
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 409 && error.details.some(({ field }) => field === 'Idempotency-Key'))
        return false;
      if (error.status !== 503 || attempt === MAX_CLAIM_ATTEMPTS) throw error;
    }
}
