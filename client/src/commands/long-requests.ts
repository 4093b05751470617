import { Unreachable } from '../api/errors';
import { print, printLines } from '../output/console';
/**
 * Lets requests of this program take as long as they need: the answer to an import comes when all of it is written.
 * Node's own `fetch` gives up after five minutes, and cannot be told otherwise.
 */
export async function allowLongRequests(): Promise<void> {
  const { Agent, install, setGlobalDispatcher } = await import('undici');
  setGlobalDispatcher(new Agent({ headersTimeout: 0, bodyTimeout: 0 }));
  install();
}

/** What is said of an answer without an end, of which `fetch` says no more than "terminated". */
const CUT_OFF = 'The answer of the server was cut off.';

/**
 * The bytes of an answer as they come. Its end is only reached if it came.
 * @param mayBeDone whether what was asked for may have been done all the same
 * @throws Unreachable where it is cut off
 */
export async function* bytesOf(
  { body }: Response,
  mayBeDone = false,
  cutOff = CUT_OFF,
): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw new Unreachable(cutOff, mayBeDone, { cause });
      });
      if (done) return;
      yield value;
    }
  } finally {
    // Who stops reading wants no more of it; where it was cut off there is none.
    await reader.cancel().catch(() => undefined);
  }
}

/**
 * Prints an answer as it comes, byte by byte what the service says; on a terminal there is nothing to obey in it.
 * @throws Unreachable where it is cut off
 */
export async function printAnswer(answer: Response): Promise<void> {
  if (!answer.body) return;
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for await (const bytes of bytesOf(answer)) await printLines(decoder.decode(bytes, { stream: true }));
  await print(`${decoder.decode()}\n`);
}

/** Ctrl-C, or the end of the session: the first asks for an orderly end, the second for one at once. */
export class Interruption {
  private readonly first = new AbortController();
  private readonly second = new AbortController();

  constructor() {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, this.interrupt);
  }

  /** Tells that it is wished to end. */
  get signal(): AbortSignal {
    return this.first.signal;
  }

  /** Tells that nobody waits any more. */
  get impatience(): AbortSignal {
    return this.second.signal;
  }

  get isThere(): boolean {
    return this.first.signal.aborted;
  }

  /** Leaves the signals to what they usually do. */
  end(): void {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, this.interrupt);
  }

  private readonly interrupt = (): void => {
    if (!this.isThere) {
      this.first.abort();
      return;
    }
    this.second.abort();
    // Whoever insists even then is not kept waiting by anything.
    this.end();
  };
}
