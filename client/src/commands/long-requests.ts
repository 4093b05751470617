import { NetworkError } from '@muster/api-types';
import { print, printLines } from '../output/console';
import { asObject, exactJson } from '../api/exact-json';
import type { Muster, RequestOptions } from '../api/muster';
import { splitLines } from '../files/split-lines';
import type { Row } from '../output/rows';

/**
 * Turns off timeouts of requests: the response to an import arrives after all of it is written. Node's own `fetch` has a
 * timeout of five minutes that cannot be changed.
 */
export async function allowLongRequests(): Promise<void> {
  const { Agent, install, setGlobalDispatcher } = await import('undici');
  setGlobalDispatcher(new Agent({ headersTimeout: 0, bodyTimeout: 0 }));
  install();
}

/** Replaces the message of `fetch`, which is "terminated". */
const TRUNCATED = 'The response of the server was truncated.';

/**
 * Streams the body of a response.
 * @param isOutcomeUnknown whether the request may have been executed even if the response is truncated
 * @throws NetworkError if the response is truncated
 */
export async function* readBytes(
  { body }: Response,
  isOutcomeUnknown = false,
  message = TRUNCATED,
): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw new NetworkError(message, isOutcomeUnknown, { cause });
      });
      if (done) return;
      yield value;
    }
  } finally {
    // The caller may stop reading early. Cancelling a truncated body fails, which does not matter.
    await reader.cancel().catch(() => undefined);
  }
}

/**
 * Prints the body of a response as it arrives. Control characters are escaped on a terminal only.
 * @throws NetworkError if the response is truncated
 */
export async function printResponse(response: Response): Promise<void> {
  if (!response.body) return;
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for await (const bytes of readBytes(response)) await printLines(decoder.decode(bytes, { stream: true }));
  await print(`${decoder.decode()}\n`);
}

/** Iterates over the resources of an export. @throws ApiError, NetworkError */
export async function* exportLines(muster: Muster, query: RequestOptions['query']): AsyncGenerator<Row> {
  const response = await muster.open('get', '/v1/export', { query });
  for await (const lines of splitLines(readBytes(response, false, 'The export was truncated.')))
    for (const line of lines) yield asObject(exactJson.parse(line.toString('utf8')));
}

/** Handles SIGINT and SIGTERM: the first signal requests a graceful stop, the second one a forced stop. */
export class InterruptHandler {
  private readonly graceful = new AbortController();
  private readonly forced = new AbortController();

  constructor() {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, this.onSignal);
  }

  /** Aborted by the first signal. */
  get signal(): AbortSignal {
    return this.graceful.signal;
  }

  /** Aborted by the second signal. */
  get forceSignal(): AbortSignal {
    return this.forced.signal;
  }

  get isInterrupted(): boolean {
    return this.graceful.signal.aborted;
  }

  /** Restores the default handling of the signals. */
  dispose(): void {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, this.onSignal);
  }

  private readonly onSignal = (): void => {
    if (!this.isInterrupted) {
      this.graceful.abort();
      return;
    }
    this.forced.abort();
    // A third signal ends the process.
    this.dispose();
  };
}
