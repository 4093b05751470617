import { exactJson } from '../../api/exact-json';
import { printLines } from '../../output/console';
import { SourcePositions, type ImportSource, type SourcePiece } from './source';

/** A line of an import, and the resource in it for messages. */
export interface ResourceLine {
  readonly resource: string;
  readonly body: object;
}

/** Imports lines that are converted from another program's inventory. */
export class LinesSource implements ImportSource {
  readonly type = 'application/x-ndjson';
  readonly isCsv = false;
  readonly positions = new SourcePositions();
  readonly size: number;
  bytesRead = 0;
  private readonly all: readonly SourcePiece[];

  constructor(lines: readonly ResourceLine[]) {
    this.all = lines.map(({ body }) => ({ bytes: Buffer.from(`${exactJson.stringify(body)}\n`), lines: 1 }));
    this.size = this.all.reduce((sum, { bytes }) => sum + bytes.length, 0);
    this.positions.beginSection((nth) => ({ resource: lines[nth - 1]?.resource ?? '' }));
  }

  async *pieces(): AsyncGenerator<SourcePiece[]> {
    this.bytesRead = 0;
    for (const piece of this.all) {
      this.bytesRead += piece.bytes.length;
      yield await Promise.resolve([piece]);
    }
  }

  close(): void {
    process.stdin.destroy();
  }
}

/** Prints the lines of an import. */
export async function printSource(source: ImportSource): Promise<void> {
  for await (const pieces of source.pieces())
    for (const { bytes } of pieces) await printLines(bytes.toString('utf8'));
}
