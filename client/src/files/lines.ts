const LINE_FEED = 0x0a;
const QUOTE = 0x22;

/** The lines of a file with their ends, as they come; the last may have none. */
export async function* physicalLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer[]> {
  yield* cut(bytes, () => true);
}

/** The records of a table with their ends: lines, but for line ends within quotes. */
export async function* tableRecords(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer[]> {
  let quoted = false;
  yield* cut(bytes, (part) => {
    for (let at = part.indexOf(QUOTE); at >= 0; at = part.indexOf(QUOTE, at + 1)) quoted = !quoted;
    return !quoted;
  });
}

/** @param ends whether a part, which is the next up to a line end, ends what is looked for */
async function* cut(
  bytes: AsyncIterable<Uint8Array>,
  ends: (part: Buffer) => boolean,
): AsyncGenerator<Buffer[]> {
  let begun: Buffer[] = [];
  for await (const given of bytes) {
    const chunk = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
    const found: Buffer[] = [];
    let start = 0;
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      // A part that came with an earlier chunk was looked at then.
      const isEnd = ends(chunk.subarray(from, end + 1));
      from = end + 1;
      if (!isEnd) continue;
      found.push(Buffer.concat([...begun, chunk.subarray(start, from)]));
      begun = [];
      start = from;
    }
    if (from < chunk.length) ends(chunk.subarray(from));
    if (start < chunk.length) begun.push(Buffer.from(chunk.subarray(start)));
    yield found;
  }
  if (begun.length > 0) yield [Buffer.concat(begun)];
}

/** How many line ends there are. */
export function lineEnds(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}
