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
