const LINE_FEED = 0x0a;
const QUOTE = 0x22;

/** Splits bytes into lines that include their line ends. The last line may have none. */
export async function* splitLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer[]> {
  yield* split(bytes, () => true);
}

/** Splits a CSV file into records. Line ends within quotes do not end a record. */
export async function* splitCsvRecords(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer[]> {
  let quoted = false;
  yield* split(bytes, (part) => {
    for (let at = part.indexOf(QUOTE); at >= 0; at = part.indexOf(QUOTE, at + 1)) quoted = !quoted;
    return !quoted;
  });
}

/** @param endsRecord called with each part up to a line end; returns whether a record ends there */
async function* split(
  bytes: AsyncIterable<Uint8Array>,
  endsRecord: (part: Buffer) => boolean,
): AsyncGenerator<Buffer[]> {
  let parts: Buffer[] = [];
  for await (const view of bytes) {
    const chunk = Buffer.from(view.buffer, view.byteOffset, view.byteLength);
    const found: Buffer[] = [];
    let start = 0;
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      // Parts of earlier chunks were passed to it before.
      const isEnd = endsRecord(chunk.subarray(from, end + 1));
      from = end + 1;
      if (!isEnd) continue;
      found.push(Buffer.concat([...parts, chunk.subarray(start, from)]));
      parts = [];
      start = from;
    }
    if (from < chunk.length) endsRecord(chunk.subarray(from));
    if (start < chunk.length) parts.push(Buffer.from(chunk.subarray(start)));
    yield found;
  }
  if (parts.length > 0) yield [Buffer.concat(parts)];
}

/** Counts the line ends. */
export function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}
