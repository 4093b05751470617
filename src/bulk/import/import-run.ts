import type { PartedChange } from '../../changes/batched-change';
import { chunk } from '../../core/chunk';
import { cellShape } from '../../cells/cell';
import { cloudShape } from '../../clouds/cloud';
import { anyDeviceShape } from '../../devices/device-kind';
import type { LabelAssignments } from '../../labels/label-assignments';
import { labelShape } from '../../labels/label';
import { regionShape } from '../../regions/region';
import { inventoryErrorOfDatabase } from '../../database/errors/database-error-mapping';
import { InventoryError } from '../../core/errors/inventory-error';
import { Overtaken } from '../../database/errors/concurrent-modification-error';
import {
  isForeignKeyViolation,
  isUniqueViolation,
  postgresError,
} from '../../database/errors/postgres-error';
import { digitsOfExponents } from '../../core/json/number-exponents';
import { list, raw, sql } from '../../database/sql';
import type { ResourceShape } from '../../database/resource-shape';
import { Gone } from './client-disconnected';
import type { Intake } from './import-staging';
import { lineOf, nameOf, type Line } from './line';
import { PartWriter } from './part-writer';
import type { Entry, Spool } from './line-file';

/** A part has so many lines at most … */
const MOST_LINES = 500;
/** … and, where it has more than one, so many characters. */
const MOST_CHARACTERS = 2 * 1024 * 1024;
/** So many are looked for by their names at a time. */
const HELD_TOGETHER = 5_000;

/** Writes what was taken in, part by part. It may be done anew: all that it does is in the transaction. */
export class ImportRun {
  constructor(
    private readonly change: PartedChange,
    private readonly intake: Intake,
    private readonly labels: LabelAssignments,
    /** Tells that the client has left: then nothing is written. */
    private readonly gone: AbortSignal,
  ) {}

  async write(): Promise<void> {
    this.intake.outcomes.restart();
    await this.prepare();
    await this.hold();
    const { clouds, labels, regions, cells, devices, waiting } = this.intake.lines;
    for (const spool of [clouds, labels, regions, cells, devices]) await this.writeAll(spool.entries());
    await this.writeAll(waiting.entries(this.intake.seen));
    await this.plan('on');
    // Nor are its plans for whoever has the connection next.
    await this.change.tx.execute(sql`DISCARD PLANS`);
  }

  /**
   * Plans are made for tables as large as they were then, and for what statistics knew of them. Those that an import of a
   * million devices begins with would read all that it has written so far, again for every part; so plans are made that
   * look up each line by the indexes, however small the tables.
   */
  private async prepare(): Promise<void> {
    const { tx, projectId } = this.change;
    await this.plan('off');
    await tx.execute(sql`SET LOCAL jit = off`);
    await tx.execute(sql`DISCARD PLANS`);
    // Parents change one at a time within a project, and so imports of a project take turns: see devices.service.ts.
    await tx.rows(sql`SELECT FROM projects p WHERE p.id = ${projectId} FOR NO KEY UPDATE`);
  }

  /** Whether statements may be planned in other ways than by looking up line by line. */
  private async plan(others: 'on' | 'off'): Promise<void> {
    for (const way of ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'enable_material'])
      await this.change.tx.execute(sql`SET LOCAL ${raw(way)} = ${raw(others)}`);
  }

  /** Locks all that is there already, in the order in which others lock it: what contains comes before its content. */
  private async hold(): Promise<void> {
    const { clouds, labels, regions, cells, deviceNames } = this.intake.lines;
    const named = async (shape: ResourceShape, names: readonly string[]) => {
      await this.change.hold(shape, sql`t.${raw(shape.nameField)} = ANY(${list(names)}::text[])`);
    };
    for await (const names of batches(clouds, nameOfEntry)) await named(cloudShape, names);
    for await (const names of batches(labels, nameOfEntry)) await named(labelShape, names);
    for await (const names of batches(regions, nameOfEntry)) await named(regionShape, names);
    for await (const places of batches(cells, placeOfEntry)) await this.holdCells(places);
    await this.holdPlaces();
    const ids: number[] = [];
    for await (const names of batches(deviceNames, ({ text }) => text))
      for (const { id } of await this.devicesOf(names)) ids.push(id);
    ids.sort((a, b) => a - b);
    for (const part of chunk(ids, HELD_TOGETHER))
      await this.change.hold(anyDeviceShape, sql`t.id = ANY(${list(part)}::bigint[])`);
  }

  private devicesOf(names: readonly string[]): Promise<{ id: number }[]> {
    const { tx, projectId } = this.change;
    return tx.rows<{ id: number }>(
      sql`SELECT d.id FROM devices d WHERE d.project_id = ${projectId} AND d.name = ANY(${list(names)}::text[])`,
      'each time',
    );
  }

  private async holdCells(places: readonly (readonly [region: string, cell: string])[]): Promise<void> {
    await this.change.hold(
      cellShape,
      sql`(t.region_id, t.name) IN (SELECT r.id, l.name
        FROM unnest(${list(places.map(([region]) => region))}::text[], ${list(places.map(([, cell]) => cell))}::text[])
          AS l (region, name)
        JOIN regions r ON r.project_id = ${this.change.projectId} AND r.name = l.region)`,
    );
  }

  /** Whoever moves a cell takes the cell and then its devices: in opposite orders they would wait for each other. */
  private async holdPlaces(): Promise<void> {
    const { tx, projectId } = this.change;
    const places = [...this.intake.places].map((place) => JSON.parse(place) as [string, string]);
    for (const these of chunk(places, HELD_TOGETHER)) {
      await tx.rows(
        sql`SELECT FROM cells t WHERE t.project_id = ${projectId} AND (t.region_id, t.name) IN (SELECT r.id, l.name
          FROM unnest(${list(these.map(([region]) => region))}::text[], ${list(these.map(([, cell]) => cell))}::text[])
            AS l (region, name)
          JOIN regions r ON r.project_id = ${projectId} AND r.name = l.region)
        ORDER BY t.id FOR KEY SHARE OF t`,
        'each time',
      );
    }
  }

  private async writeAll(entries: AsyncIterable<readonly Entry[]>): Promise<void> {
    for await (const lines of parts(entries)) await this.writePart(lines);
  }

  /** A part that is refused is halved until it is known which lines are at fault. The others are written. */
  private async writePart(lines: readonly Line[]): Promise<void> {
    if (this.gone.aborted) throw new Gone();
    const { outcomes, seen } = this.intake;
    try {
      const { done, failed } = await this.change.part((part) =>
        PartWriter.write(part, this.labels, seen, lines),
      );
      for (const { line, result, id } of done) outcomes.done(line, result, id);
      for (const { line, error } of failed) await outcomes.fail(line, error);
    } catch (thrown) {
      const error = refusalOf(thrown);
      if (!error) throw thrown;
      const [first] = lines;
      if (lines.length === 1 && first) {
        await outcomes.fail(first.line, error);
        return;
      }
      const middle = lines.length >> 1;
      await this.writePart(lines.slice(0, middle));
      await this.writePart(lines.slice(middle));
    }
  }
}

/** What is wrong with lines, where it is that; undefined for what is to be tried again, and for what nobody expects. */
function refusalOf(thrown: unknown): InventoryError | undefined {
  if (thrown instanceof InventoryError) return thrown.status < 500 ? thrown : undefined;
  const said = postgresError(thrown);
  // All names were looked up just before: somebody else has made, or taken away, what was or was not there.
  if (said && (isUniqueViolation(said) || isForeignKeyViolation(said))) throw new Overtaken();
  const error = inventoryErrorOfDatabase(thrown);
  return error && error.status < 500 ? error : undefined;
}

const nameOfEntry = (entry: Entry): string => nameOf(lineOf(entry));

function placeOfEntry({ text }: Entry): [region: string, cell: string] {
  const { region, name } = JSON.parse(text) as { readonly region: string; readonly name: string };
  return [region, name];
}

/** What is read of entries, so many at a time. The entries themselves may have megabytes each, and are not kept. */
async function* batches<T>(spool: Spool, read: (entry: Entry) => T): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const some of spool.entries())
    for (const entry of some) {
      batch.push(read(entry));
      if (batch.length < HELD_TOGETHER) continue;
      yield batch;
      batch = [];
    }
  if (batch.length > 0) yield batch;
}

async function* parts(entries: AsyncIterable<readonly Entry[]>): AsyncGenerator<Line[]> {
  let part: Line[] = [];
  let characters = 0;
  for await (const some of entries)
    for (const entry of some) {
      // As long as it will be when the database prints it: a few bytes can be a megabyte of digits.
      const length = entry.text.length + digitsOfExponents(entry.text);
      if (part.length > 0 && (part.length >= MOST_LINES || characters + length > MOST_CHARACTERS)) {
        yield part;
        part = [];
        characters = 0;
      }
      part.push(lineOf(entry));
      characters += length;
    }
  if (part.length > 0) yield part;
}
