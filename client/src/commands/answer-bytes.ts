import { Unreachable } from '../api/errors';

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
