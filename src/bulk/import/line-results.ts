import type { ImportStaging } from './import-staging';
import { parseLine, lineName } from './line-kinds';
import type { LineEntry, LineFile } from './line-file';

/** Renders the result of every line as NDJSON, in order. @param isDryRun a dry run has no ids of new resources */
export async function* renderLineResults(
  { report, lines }: ImportStaging,
  isDryRun: boolean,
): AsyncGenerator<string> {
  const { clouds, labels, regions, cells, devices, deferredDevices } = lines;
  await report.flush();
  const entryOfLine = mergeFiles([clouds, labels, regions, cells, devices, deferredDevices.file]);
  for (let line = 1; line <= report.lastLine; line++) {
    const outcome = await report.resultOf(line);
    if (!outcome) continue;
    if (outcome.result === 'failed') {
      yield `${JSON.stringify({ line, result: 'failed' }).slice(0, -1)},${outcome.error.slice(1)}\n`;
      continue;
    }
    const parsed = parseLine(await entryOfLine(line));
    const id = isDryRun && outcome.result === 'created' ? null : outcome.id;
    yield `${JSON.stringify({ line, result: outcome.result, kind: parsed.kind.shape.kind, id, name: lineName(parsed) })}\n`;
  }
}

/** Reads several files at once, each sorted by line. The returned function must be called with ascending lines. */
function mergeFiles(files: readonly LineFile[]): (line: number) => Promise<LineEntry> {
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
  private readonly batches: AsyncGenerator<LineEntry[]>;
  private batch: LineEntry[] = [];
  private next = 0;
  private isAtEnd = false;

  constructor(file: LineFile) {
    this.batches = file.entries();
  }

  /** Skips the entries before a line. Returns the entry of the line if the file contains it. */
  async seek(line: number): Promise<LineEntry | undefined> {
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
