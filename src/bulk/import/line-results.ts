import type { Intake } from './import-staging';
import { lineOf, nameOf } from './line';
import type { Entry, Spool } from './line-file';

/** Renders the result of every line as NDJSON, in order. @param isDryRun a dry run has no ids of new resources */
export async function* lineResults(
  { outcomes: report, lines }: Intake,
  isDryRun: boolean,
): AsyncGenerator<string> {
  const { clouds, labels, regions, cells, devices, waiting: deferredDevices } = lines;
  await report.settle();
  const entryOfLine = mergeFiles([clouds, labels, regions, cells, devices, deferredDevices.spool]);
  for (let line = 1; line <= report.last; line++) {
    const outcome = await report.of(line);
    if (!outcome) continue;
    if (outcome.result === 'failed') {
      yield `${JSON.stringify({ line, result: 'failed' }).slice(0, -1)},${outcome.error.slice(1)}\n`;
      continue;
    }
    const parsed = lineOf(await entryOfLine(line));
    const id = isDryRun && outcome.result === 'created' ? null : outcome.id;
    yield `${JSON.stringify({ line, result: outcome.result, kind: parsed.kind.shape.kind, id, name: nameOf(parsed) })}\n`;
  }
}

/** Reads several files at once, each sorted by line. The returned function must be called with ascending lines. */
function mergeFiles(files: readonly Spool[]): (line: number) => Promise<Entry> {
  const readers = files.map((file) => new LineFileReader(file));
  return async (line) => {
    for (const reader of readers) {
      const entry = await reader.seek(line);
      if (entry) return entry;
    }
    throw new Error(`line ${String(line)} was written but not staged`);
  };
}

/** Reads a file forward. */
class LineFileReader {
  private readonly batches: AsyncGenerator<Entry[]>;
  private batch: Entry[] = [];
  private next = 0;
  private isAtEnd = false;

  constructor(file: Spool) {
    this.batches = file.entries();
  }

  /** Skips the entries before a line. Returns the entry of the line if the file contains it. */
  async seek(line: number): Promise<Entry | undefined> {
    for (;;) {
      const entry = this.batch[this.next];
      if (entry && entry.line >= line) return entry.line === line ? entry : undefined;
      if (entry) this.next++;
      else if (!(await this.readBatch())) return undefined;
    }
  }

  private async readBatch(): Promise<boolean> {
    if (this.isAtEnd) return false;
    const next = await this.batches.next();
    this.isAtEnd = next.done === true;
    this.batch = next.done === true ? [] : next.value;
    this.next = 0;
    return !this.isAtEnd;
  }
}
