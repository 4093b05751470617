import { hash } from 'node:crypto';
import type { RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors';
import type { CsvColumns } from '../csv/csv-reader';
import type { BodyLine } from './import-request';
import { BodyRejectedError, ImportReport, isLineFault, MAX_INVALID_LINES } from './import-report';
import { checkLine, deviceIdentity, identifyLine, type ParsedLine } from './line-check';
import { lineGroups, withRecord } from './line-kinds';
import type { ImportOptions } from './import-request';
import { type LineEntry, type LineFile, type LineFiles, LineChanges } from './line-file';

/** The index of a value in an ascending list, or -1. */
function indexIn(list: readonly number[], value: number): number {
  let [low, high] = [0, list.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const candidate = list[middle] ?? 0;
    if (candidate === value) return middle;
    if (candidate < value) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** Devices whose parent is in a later line, or not in the body. They are written after their parents. */
export class DeferredDevices {
  private readonly lines: number[] = [];
  /** The position of each device in the file. */
  private readonly positions: number[] = [];

  constructor(readonly file: LineFile) {}

  has(line: number): boolean {
    return indexIn(this.lines, line) >= 0;
  }

  async add(line: number, text: string): Promise<void> {
    this.lines.push(line);
    this.positions.push(await this.file.add(line, text));
  }

  /**
   * Reads all entries, parents before children. A cycle starts at any of its members. Entries are read one at a time,
   * because each can have megabytes.
   */
  async *entries(nameIndex: NameIndex): AsyncGenerator<LineEntry[]> {
    for (const index of await this.sortByParent(nameIndex))
      yield [await this.file.entryAt(this.positions[index] ?? 0)];
  }

  private async sortByParent(nameIndex: NameIndex): Promise<Int32Array> {
    const parents = await this.findParents(nameIndex);
    const order = new Int32Array(parents.length);
    const isOrdered = new Uint8Array(parents.length);
    let count = 0;
    for (let start = 0; start < parents.length; start++) {
      const chain: number[] = [];
      for (let next = start; next >= 0 && isOrdered[next] === 0; next = parents[next] ?? -1) {
        isOrdered[next] = 1;
        chain.push(next);
      }
      for (const index of chain.reverse()) order[count++] = index;
    }
    return order;
  }

  /** The index of the parent of each device; -1 if the parent is not in this file. */
  private async findParents(nameIndex: NameIndex): Promise<Int32Array> {
    const parents = new Int32Array(this.lines.length);
    let index = 0;
    for await (const entries of this.file.entries())
      for (const { text } of entries) {
        const { parent } = JSON.parse(text) as { readonly parent: string };
        parents[index++] = indexIn(this.lines, nameIndex.findLine(deviceIdentity(parent)) ?? -1);
      }
    return parents;
  }
}

/** The files of valid lines, in the order of the write: a resource follows those that it references. */
export interface StagedLines {
  readonly clouds: LineFile;
  readonly labels: LineFile;
  readonly regions: LineFile;
  readonly cells: LineFile;
  /** Devices without a parent, or whose parent precedes them in this file. */
  readonly devices: LineFile;
  /** The other devices. */
  readonly deferredDevices: DeferredDevices;
  /** The names of all devices in the body. */
  readonly deviceNames: LineFile;
  /** The cells that devices are placed in, each once, as JSON arrays of the names of region and cell. */
  readonly deviceCells: LineFile;
}

/**
 * Validates the lines of an import and stores them in files. It uses neither much memory nor a database connection,
 * because a client can be slow to send the body.
 */
export class ImportStaging {
  /** The line in which each resource is named, also if the line is faulty. */
  readonly nameIndex = new NameIndex();
  /** The line in which each entry of `deviceCells` occurs first. */
  private readonly cellIndex = new NameIndex();
  /** The columns of a table; undefined for other bodies and before the first record. */
  columns: CsvColumns | undefined;
  private stagedCount = 0;
  private unidentifiedCount = 0;
  private skippedCount = 0;

  private constructor(
    private readonly ctx: RequestContext,
    readonly lines: StagedLines,
    readonly report: ImportReport,
    /** What each line changed; undefined if the results of lines do not contain it. */
    readonly changes: LineChanges | undefined,
  ) {}

  static async create(ctx: RequestContext, files: LineFiles, showsChanges: boolean): Promise<ImportStaging> {
    const lines: StagedLines = {
      clouds: await files.create(),
      labels: await files.create(),
      regions: await files.create(),
      cells: await files.create(),
      devices: await files.create(),
      deferredDevices: new DeferredDevices(await files.create()),
      deviceNames: await files.create(),
      deviceCells: await files.create(),
    };
    const report = new ImportReport(await files.create());
    const changes = showsChanges ? new LineChanges(await files.create()) : undefined;
    return new ImportStaging(ctx, lines, report, changes);
  }

  /** The number of valid lines. */
  get staged(): number {
    return this.stagedCount;
  }

  /** The number of lines that were received, but not checked, because the import stopped. */
  get skipped(): number {
    return this.skippedCount;
  }

  /** Whether there are lines of which it is not known what resource they describe. */
  get hasUnidentifiedLines(): boolean {
    return this.unidentifiedCount > 0;
  }

  /**
   * Stages all lines. With `mode: 'all'` it stops when as many lines are invalid as can be reported.
   * @throws BodyRejectedError if the body cannot be read to its end, or has too many invalid lines
   */
  async stage(body: AsyncIterable<readonly BodyLine[]>, mode: ImportOptions['mode']): Promise<void> {
    try {
      for await (const lines of body) {
        for (const line of lines) {
          if (mode === 'all' && this.report.hasMaxErrors) this.skippedCount++;
          else await this.stageLine(line);
        }
        if (mode === 'all' && this.report.hasMaxErrors) break;
        if (this.report.failed > MAX_INVALID_LINES) throw tooManyInvalidLines();
      }
    } catch (error) {
      throw error instanceof InventoryError ? new BodyRejectedError(error, this.report.summary) : error;
    }
    const { deferredDevices, ...files } = this.lines;
    for (const file of [...Object.values(files), deferredDevices.file]) await file.flush();
  }

  private async stageLine({ line, content, record }: BodyLine): Promise<void> {
    if (record) {
      this.columns = record.columns;
      this.report.isCsv = true;
    }
    let identity: string | undefined;
    try {
      if (typeof content !== 'string') throw content;
      const parsed = identifyLine(content);
      ({ identity } = parsed);
      await this.store(line, content, parsed, record);
      this.stagedCount++;
    } catch (error) {
      if (!isLineFault(error)) throw error;
      if (identity === undefined) this.unidentifiedCount++;
      await this.report.recordInvalid(line, error);
    }
  }

  /** @throws InventoryError 400, 403, 409 */
  private async store(
    line: number,
    validText: string,
    parsed: ParsedLine,
    record: BodyLine['record'],
  ): Promise<void> {
    const { kind, identity, body } = parsed;
    // Before the check, so that lines that refer to an invalid line are not reported as faulty, too.
    const earlierLine = identity === undefined ? undefined : this.nameIndex.add(identity, line);
    // Unset variables are null in the line, so that the roles for them are checked, too.
    checkLine(this.ctx, validText, parsed);
    if (earlierLine !== undefined)
      throw new InventoryError(
        'conflict',
        `Line ${String(earlierLine)} names the same ${kind.mapping.kind}.`,
      );
    const text = record ? withRecord(validText, record) : validText;
    const { group } = kind;
    if (group === lineGroups.clouds) await this.lines.clouds.add(line, text);
    else if (group === lineGroups.labels) await this.lines.labels.add(line, text);
    else if (group === lineGroups.regions) await this.lines.regions.add(line, text);
    else if (group === lineGroups.cells) await this.lines.cells.add(line, text);
    else await this.storeDevice(line, text, body);
  }

  private async storeDevice(line: number, text: string, body: ParsedLine['body']): Promise<void> {
    const { name, region, cell, parent } = body;
    await this.lines.deviceNames.add(line, String(name));
    if (typeof region === 'string' && typeof cell === 'string') {
      const names = JSON.stringify([region, cell]);
      if (this.cellIndex.add(names, line) === undefined) await this.lines.deviceCells.add(line, names);
    }
    if (typeof parent === 'string') {
      const parentLine = this.nameIndex.findLine(deviceIdentity(parent));
      if (parentLine === undefined || parentLine === line || this.lines.deferredDevices.has(parentLine)) {
        await this.lines.deferredDevices.add(line, text);
        return;
      }
    }
    await this.lines.devices.add(line, text);
  }
}

const tooManyInvalidLines = (): InventoryError =>
  new InventoryError(
    'invalid_request',
    `More than ${String(MAX_INVALID_LINES)} lines are invalid. Correct the program that wrote them, or import fewer lines.`,
  );

/** The table doubles its size beyond this load factor. */
const MAX_LOAD_FACTOR = 0.6;
const INITIAL_SLOTS = 1024;
/** A slot has four 32-bit numbers: 96 bits of the digest, so that names do not collide, and the line. */
const SLOT_WIDTH = 4;

/** A hash table from names to lines. It stores digests of names, so a million names take 32 MB of memory. */
class NameIndex {
  private slots = INITIAL_SLOTS;
  private table = new Uint32Array(INITIAL_SLOTS * SLOT_WIDTH);
  private count = 0;

  /** Adds a name. @returns the line that already has the name; undefined if the name was added */
  add(name: string, line: number): number | undefined {
    const digest = digestOf(name);
    const slot = this.findSlot(this.table, digest);
    const earlierLine = this.table[slot + 3];
    if (earlierLine) return earlierLine;
    this.table.set([...digest, line], slot);
    if (++this.count > this.slots * MAX_LOAD_FACTOR) this.grow();
    return undefined;
  }

  /** The line of a name; undefined if the name was not added. */
  findLine(name: string): number | undefined {
    return this.table[this.findSlot(this.table, digestOf(name)) + 3] || undefined;
  }

  /** The slot of a digest, or the free slot for it. */
  private findSlot(table: Uint32Array, [a, b, c]: Digest): number {
    const end = table.length;
    let slot = (a % (end / SLOT_WIDTH)) * SLOT_WIDTH;
    while (table[slot + 3] !== 0 && (table[slot] !== a || table[slot + 1] !== b || table[slot + 2] !== c))
      slot = (slot + SLOT_WIDTH) % end;
    return slot;
  }

  private grow(): void {
    this.slots *= 2;
    const larger = new Uint32Array(this.slots * SLOT_WIDTH);
    for (let at = 0; at < this.table.length; at += SLOT_WIDTH) {
      const [a = 0, b = 0, c = 0, line = 0] = this.table.subarray(at, at + SLOT_WIDTH);
      if (line !== 0) larger.set([a, b, c, line], this.findSlot(larger, [a, b, c]));
    }
    this.table = larger;
  }
}

type Digest = readonly [number, number, number];

function digestOf(name: string): Digest {
  const digest = hash('sha1', name, 'buffer');
  return [digest.readUInt32LE(0), digest.readUInt32LE(4), digest.readUInt32LE(8)];
}
