/** What is sent, in the order of the file, a few lines at a time. */
export interface Piece {
  /** With its line end. */
  readonly bytes: Buffer;
  /** So many lines of the body it makes. */
  readonly lines: number;
}

/** What is known before anything is read, and while it is. */
interface Reading {
  /** In bytes, as they stand in the files; undefined where nobody knows. */
  readonly size: number | undefined;
  /** How much of it is read. */
  readonly read: number;
  readonly places: Places;
  /** Leaves what is open. */
  close(): void;
}

/** Where an import comes from. */
export interface Source extends Reading {
  readonly type: 'application/x-ndjson' | 'text/csv';
  /** How the bytes are compressed, where they are sent as they are. */
  readonly encoding?: 'gzip';
  /** The lines that each request has to begin with: what a table begins with. They stand in the first pieces, too. */
  readonly isTable: boolean;
  /** From the beginning. @throws Failure for what cannot be read */
  pieces(): AsyncGenerator<Piece[]>;
}

/** Where a line of what is sent comes from, as a person looks for it. */
export interface Place {
  readonly file?: string;
  /** The line of the file, for lines of JSON and tables. */
  readonly line?: number;
  /** The place among the items, from 1 on, for JSON and YAML. */
  readonly item?: number;
  /** What it is of, where no file has it in so many words. */
  readonly resource?: string;
}

interface Stretch {
  /** So many lines were sent before it. */
  readonly before: number;
  readonly placeOf: (nth: number) => Place;
}

/** Tells the places of lines in their files from their numbers in what was sent. */
export class Places {
  private stretches: Stretch[] = [];
  private sent = 0;

  /** From here on lines come from somewhere else. @param placeOf the place of its first line, its second … */
  begin(placeOf: (nth: number) => Place): void {
    this.stretches.push({ before: this.sent, placeOf });
  }

  /** So many more lines are sent. */
  count(lines: number): void {
    this.sent += lines;
  }

  /** @param line its number in all that was sent, from 1 on */
  of(line: number): Place {
    const stretch = this.stretches.findLast(({ before }) => before < line);
    return stretch ? stretch.placeOf(line - stretch.before) : { line };
  }
}

/** A place in words: `fleet.ndjson, line 3`. */
export function placeText({ file, line, item, resource }: Place): string {
  const where =
    line === undefined ? (item === undefined ? [] : [`item ${String(item)}`]) : [`line ${String(line)}`];
  return [
    ...(file === undefined ? [] : [file]),
    ...where,
    ...(resource === undefined ? [] : [resource]),
  ].join(', ');
}
