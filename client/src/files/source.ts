import { lineNumbers } from '@muster/api-types';
import { exactJson } from '../api/exact-json';
import { printLines } from '../output/console';
import type { ResourceLine } from './resource-line';

/** Some lines of an import. */
export interface SourcePiece {
  /** The lines, with their line ends. */
  readonly bytes: Buffer;
  /** The number of lines. */
  readonly lines: number;
}

/** The source of an import. */
export interface ImportSource {
  /** The size of the files in bytes; undefined if unknown. */
  readonly size: number | undefined;
  /** How many bytes of the files were read. */
  readonly bytesRead: number;
  readonly positions: SourcePositions;
  readonly type: 'application/x-ndjson' | 'text/csv';
  /** The compression of the bytes, if they are sent unchanged. */
  readonly encoding?: 'gzip';
  /** Whether it is a CSV file, whose first lines are a header that every request needs. */
  readonly isCsv: boolean;
  /** The kinds of which it has every resource of the project. Of the others, files can have a part. */
  readonly wholeKinds?: readonly string[];
  /** Reads from the start. @throws CliError if a file cannot be read */
  pieces(): AsyncGenerator<SourcePiece[]>;
  /** Closes open files. */
  close(): void;
}

/** Where a line of the import comes from, for messages. */
export interface SourcePosition {
  readonly file?: string;
  /** The number of the line, in NDJSON and CSV files. */
  readonly line?: number;
  /** The number of the item, in JSON and YAML files. */
  readonly item?: number;
  /** The resource, if it is not in a file as such. */
  readonly resource?: string;
}

interface SourceSection {
  /** The number of lines before the section. */
  readonly before: number;
  readonly positionOf: (nth: number) => SourcePosition;
}

/** Maps line numbers of the import to positions in files. */
export class SourcePositions {
  private sections: SourceSection[] = [];
  private sent = 0;

  /** Starts a section, such as a file. @param positionOf the position of the nth line of the section */
  beginSection(positionOf: (nth: number) => SourcePosition): void {
    this.sections.push({ before: this.sent, positionOf });
  }

  /** Adds lines to the current section. */
  addLines(lines: number): void {
    this.sent += lines;
  }

  /** @param line the number of the line in the import, from 1 */
  positionOf(line: number): SourcePosition {
    const section = this.sections.findLast(({ before }) => before < line);
    return section ? section.positionOf(line - section.before) : { line };
  }
}

/** A position as text: `fleet.ndjson, line 3`. */
export function positionText({ file, line, item, resource }: SourcePosition): string {
  const number =
    line === undefined ? (item === undefined ? [] : [`item ${String(item)}`]) : [`line ${String(line)}`];
  return [
    ...(file === undefined ? [] : [file]),
    ...number,
    ...(resource === undefined ? [] : [resource]),
  ].join(', ');
}

/** How many resources a text of several positions names. */
const MAX_RESOURCES = 5;

/** Several positions in one file as text: `fleet.ndjson, 12 lines (2 to 13)`. */
export function positionsText(positions: readonly [SourcePosition, ...SourcePosition[]]): string {
  const [first, ...others] = positions;
  if (others.length === 0) return positionText(first);
  const count = String(positions.length);
  const numbersOf = (member: 'line' | 'item') => {
    const numbers = positions.flatMap((position) => position[member] ?? []);
    return numbers.length === 0 ? [] : [`${count} ${member}s (${lineNumbers(numbers)})`];
  };
  const resources = positions.slice(0, MAX_RESOURCES).map(({ resource = '' }) => resource);
  const omitted = positions.length > MAX_RESOURCES ? ', …' : '';
  const [where = `${count} resources (${resources.join(', ')}${omitted})`] = [
    ...numbersOf('line'),
    ...numbersOf('item'),
  ];
  return first.file === undefined ? where : `${first.file}, ${where}`;
}

/** Imports lines that are converted from another program's inventory. */
export class LinesSource implements ImportSource {
  readonly type = 'application/x-ndjson';
  readonly isCsv = false;
  readonly positions = new SourcePositions();
  readonly size: number;
  bytesRead = 0;
  private readonly all: readonly SourcePiece[];

  constructor(
    lines: readonly ResourceLine[],
    readonly wholeKinds: readonly string[] = [],
  ) {
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
