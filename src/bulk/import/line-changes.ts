import type { LineFile } from './line-file';

/** A resource as a line of an export, before and after the import; `before` is undefined if it was created. */
export interface ResourceSides {
  readonly before: string | undefined;
  readonly after: string;
}

/** What the lines of an import changed, in a file: both sides of a resource can have megabytes. */
export class LineChanges {
  /** The position of each line in the file, plus one. */
  private positions = new Float64Array(1024);

  constructor(private readonly file: LineFile) {}

  /** Adds what a line changed. If the import is written again, the last call counts. */
  async add(line: number, { before, after }: ResourceSides): Promise<void> {
    if (line >= this.positions.length) {
      const larger = new Float64Array(Math.max(line + 1, 2 * this.positions.length));
      larger.set(this.positions);
      this.positions = larger;
    }
    const text = `${before === undefined ? '' : `"before":${before},`}"after":${after}`;
    this.positions[line] = (await this.file.add(line, text)) + 1;
  }

  /** Makes all changes readable. */
  async flush(): Promise<void> {
    await this.file.flush();
  }

  /** The members `before` and `after` of the result of a line, as JSON text; undefined if it changed nothing. */
  async membersOf(line: number): Promise<string | undefined> {
    const position = this.positions[line] ?? 0;
    return position === 0 ? undefined : (await this.file.entryAt(position - 1)).text;
  }
}
