import { hash } from 'node:crypto';
import type { QueryResultRow } from 'pg';
import type { Database } from '../../database/database';
import { copyRow, type Session } from '../../database/session';
import { arrayParameter, raw, sql, type Sql } from '../../database/sql';
import { byChain, type ChildLine } from './parent-cycles';
import type { ImportSpace } from './temporary-space';

/** A line that names a resource. */
export interface StagedLine {
  /** The line number in the body. */
  readonly line: number;
  /** JSON text without line breaks; undefined if the line is invalid. */
  readonly text: string | undefined;
  /** The length of the text as the database prints it. */
  readonly size: number;
  /** The position of its group in the order of writes. */
  readonly rank: number;
  readonly kind: string;
  /** Two lines with the same one name the same resource. */
  readonly identity: string;
  readonly name: string | undefined;
  readonly region: string | undefined;
  readonly cell: string | undefined;
  /** The identity of the parent. */
  readonly parent: string | undefined;
}

/** The stored text of a line. */
export interface LineEntry {
  /** The line number in the body. */
  readonly line: number;
  readonly text: string;
}

/** The position of a line in the order of writes. */
export interface LinePosition {
  readonly rank: number;
  readonly line: number;
}

/** The position before all lines. */
export const BEFORE_ALL: LinePosition = { rank: -1, line: 0 };

/** A cell by its names. */
export interface CellName {
  readonly name: string;
  readonly region: string;
}

/** The names in a line. */
interface LineNames extends LinePosition, CellName {
  [column: string]: unknown;
}

/** The resource of a written line, and what changed if that is requested. */
export interface LineOutcome {
  [column: string]: unknown;
  readonly line: number;
  readonly kind: string;
  readonly name: string;
  /** The members `before` and `after` of its result, as JSON text; null if it changed nothing. */
  readonly sides: string | null;
}

/** A line that names the same resource as an earlier one. */
export interface Duplicate {
  [column: string]: unknown;
  readonly line: number;
  readonly kind: string;
  /** Null if the line is invalid. */
  readonly text: string | null;
  readonly earlier: number;
}

/** A resource as a line of an export, before and after the import; `before` is undefined if it was created. */
export interface ResourceSides {
  readonly before: string | undefined;
  readonly after: string;
}

/** The number of characters that are collected before they are sent. */
const MAX_UNSENT_LENGTH = 1024 * 1024;

/** The rank of lines in cycles, which are written after all others. */
const CYCLE_RANK = 2_000_000_000;
/** No line has a greater one. */
export const LAST_RANK = CYCLE_RANK + 100_000;

/** The maximum number of names, or of results, that are read at once. */
const MAX_NAMES = 5_000;

const TABLES = [
  sql`CREATE TEMPORARY TABLE import_lines (line integer PRIMARY KEY, rank integer NOT NULL, size integer NOT NULL,
    kind text NOT NULL, identity uuid NOT NULL, parent uuid, name text COLLATE "C", region text COLLATE "C",
    cell text COLLATE "C", text text)`,
  sql`CREATE INDEX ON import_lines (identity, line)`,
  sql`CREATE INDEX ON import_lines (rank, line) WHERE text IS NOT NULL`,
  sql`CREATE TEMPORARY TABLE import_changes (line integer PRIMARY KEY, size integer NOT NULL, sides text NOT NULL)`,
  // Long texts are read once.
  sql`ALTER TABLE import_lines ALTER COLUMN text SET STORAGE EXTERNAL`,
  sql`ALTER TABLE import_changes ALTER COLUMN sides SET STORAGE EXTERNAL`,
  // PostgreSQL has no statistics of temporary tables.
  ...['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin', 'material'].map(
    (plan) => sql`SET ${raw(`enable_${plan}`)} = off`,
  ),
  sql`SET jit = off`,
];

/** The line that names a resource first. @param identity an expression */
const firstLineOf = (identity: Sql): Sql =>
  sql`(SELECT o.line FROM import_lines o WHERE o.identity = ${identity} ORDER BY o.line LIMIT 1)`;

/** Selects the first rows of `lines` that have at most `max` characters together, and at least one row. */
const upTo = (max: number, lines: Sql): Sql => sql`
  SELECT * FROM (SELECT l.*, sum(l.size) OVER (ORDER BY l.n) AS total FROM (${lines}) AS l) AS l
  WHERE l.n = 1 OR l.total <= ${max} ORDER BY l.n`;

/**
 * The lines of one import, in temporary tables of a connection of its own. It is opened when lines are first sent: a slow
 * client of a short body needs none while it sends.
 */
export class LineTable {
  /** Undefined while no lines are stored: then there is nothing to read either. */
  private session: Session | undefined;
  private unsent: string[] = [];
  private unsentLength = 0;
  private firstUnsent = 0;
  private onClosed: () => void = () => undefined;
  /** Resolved when the table is closed. */
  readonly closed = new Promise<void>((resolve) => (this.onClosed = resolve));

  constructor(
    private readonly database: Database,
    private readonly space: ImportSpace,
  ) {}

  /** @throws TemporarySpaceError 413 if the import needs too much space, 503 if there is none */
  add({ line, rank, size, kind, identity, parent, name, region, cell, text }: StagedLine): void {
    const ids = [digestOf(identity), parent === undefined ? undefined : digestOf(parent)];
    const names = text === undefined ? [] : [name, region, cell];
    const row = copyRow([
      line,
      rank,
      size,
      kind,
      ...ids,
      ...[...names, undefined, undefined, undefined].slice(0, 3),
      text,
    ]);
    this.space.take(Buffer.byteLength(row));
    if (this.unsent.length === 0) this.firstUnsent = line;
    this.unsent.push(row);
    this.unsentLength += row.length;
  }

  /** Whether lines should be sent before others are added. */
  get isFull(): boolean {
    return this.unsentLength >= MAX_UNSENT_LENGTH;
  }

  /**
   * Stores the added lines, without those that name the same resource as an earlier line. Others can be added meanwhile.
   * @returns the latter, with the earlier line
   */
  async send(): Promise<Duplicate[]> {
    if (this.unsent.length === 0) return [];
    const { unsent: rows, firstUnsent } = this;
    this.unsent = [];
    this.unsentLength = 0;
    await (
      await this.openedSession()
    ).copy('import_lines (line, rank, size, kind, identity, parent, name, region, cell, text)', rows);
    const duplicates = await this.rows<Duplicate>(
      sql`DELETE FROM import_lines l WHERE l.line >= ${firstUnsent} AND ${firstLineOf(sql`l.identity`)} < l.line
      RETURNING l.line, l.kind, l.text, ${firstLineOf(sql`l.identity`)} AS earlier`,
    );
    return duplicates.sort((a, b) => a.line - b.line);
  }

  /**
   * Orders devices after their parents, when all lines are stored. Each device that precedes its parent in the body is
   * written one rank after it; within a rank, the order is that of the body. A cycle has no order, and comes last.
   */
  async sortByParent(): Promise<void> {
    await this.rows(sql`CREATE TEMPORARY TABLE import_parents AS
      SELECT l.line, p.line AS parent FROM import_lines l JOIN import_lines p ON p.line = ${firstLineOf(sql`l.parent`)}
      WHERE l.parent IS NOT NULL AND l.text IS NOT NULL AND p.text IS NOT NULL`);
    const [first] = await this.rows(sql`SELECT FROM import_parents LIMIT 1`);
    if (!first) return;
    // With indexes, so that a long chain takes linear time.
    await this.rows(sql`CREATE INDEX ON import_parents (line)`);
    await this.rows(sql`CREATE INDEX ON import_parents (parent)`);
    await this.rows(sql`CREATE TEMPORARY TABLE import_ranks AS
      WITH RECURSIVE placed (line, later) AS (
        SELECT DISTINCT c.parent, 0 FROM import_parents c
        WHERE NOT EXISTS (SELECT FROM import_parents o WHERE o.line = c.parent)
        UNION ALL
        SELECT c.line, p.later + (c.line < p.line)::integer FROM placed p JOIN import_parents c ON c.parent = p.line
      ) SELECT p.line, p.later FROM placed p`);
    await this.rows(sql`CREATE INDEX ON import_ranks (line)`);
    await this.rows(sql`
      UPDATE import_lines l SET rank = COALESCE(l.rank + o.later, ${CYCLE_RANK})
      FROM (SELECT c.line, p.later FROM import_parents c LEFT JOIN import_ranks p ON p.line = c.line) AS o
      WHERE l.line = o.line AND o.later IS DISTINCT FROM 0`);
    await this.sortCycles();
  }

  /** Only the first lines, because an import reports few. */
  private async sortCycles(): Promise<void> {
    const lines = await this.rows<ChildLine>(sql`SELECT c.line, c.parent FROM import_parents c
      WHERE NOT EXISTS (SELECT FROM import_ranks p WHERE p.line = c.line) ORDER BY c.line LIMIT ${MAX_NAMES}`);
    if (lines.length === 0) return;
    await this.rows(sql`UPDATE import_lines l SET rank = ${CYCLE_RANK} + o.n
      FROM unnest(${arrayParameter(byChain(lines))}::integer[]) WITH ORDINALITY AS o (line, n) WHERE l.line = o.line`);
  }

  /**
   * Reads the next lines in the order of writes, which may be of several groups.
   * @param maxLength the maximum size of several lines
   */
  async read(
    after: LinePosition,
    maxLines: number,
    maxLength: number,
  ): Promise<(LineEntry & LinePosition)[]> {
    const lines = sql`SELECT l.rank, l.line, l.text, l.size, row_number() OVER (ORDER BY l.rank, l.line) AS n FROM import_lines l
      WHERE l.text IS NOT NULL AND (l.rank, l.line) > (${after.rank}, ${after.line}) ORDER BY l.rank, l.line LIMIT ${maxLines}`;
    return this.rows<LineEntry & LinePosition & Record<string, unknown>>(upTo(maxLength, lines));
  }

  /** Reads the names of lines in chunks. @param last the last rank */
  async *names(first: number, last = first): AsyncGenerator<LineNames[]> {
    for (let after: LinePosition | undefined = { rank: first, line: 0 }; after;) {
      const names: LineNames[] = await this.rows<LineNames>(
        sql`SELECT l.rank, l.line, l.name, l.region FROM import_lines l WHERE l.text IS NOT NULL
          AND (l.rank, l.line) > (${after.rank}, ${after.line}) AND l.rank <= ${last} ORDER BY l.rank, l.line LIMIT ${MAX_NAMES}`,
      );
      if (names.length > 0) yield names;
      after = names.at(-1);
    }
  }

  /** Reads the cells that devices are placed in, each once, in chunks. @param first the first rank of devices */
  async *cellsOfDevices(first: number): AsyncGenerator<CellName[]> {
    await this.rows(sql`DROP TABLE IF EXISTS import_cells`);
    await this.rows(sql`CREATE TEMPORARY TABLE import_cells AS
      SELECT row_number() OVER () AS n, l.region, l.cell AS name FROM (SELECT DISTINCT l.region, l.cell FROM import_lines l
        WHERE l.text IS NOT NULL AND l.rank >= ${first} AND l.region IS NOT NULL AND l.cell IS NOT NULL) AS l`);
    await this.rows(sql`CREATE INDEX ON import_cells (n)`);
    for (let after = 0; ; after += MAX_NAMES) {
      const cells = await this.rows<LineNames>(
        sql`SELECT c.region, c.name FROM import_cells c WHERE c.n > ${after} AND c.n <= ${after + MAX_NAMES}`,
      );
      if (cells.length === 0) return;
      yield cells;
    }
  }

  /** The line that names each resource first, by identity. */
  async findLines(identities: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (identities.length === 0) return new Map();
    const rows = await this.rows<{ n: number; line: number | null }>(
      sql`SELECT i.n, ${firstLineOf(sql`i.identity`)} AS line
        FROM unnest(${arrayParameter(identities.map(digestOf))}::uuid[]) WITH ORDINALITY AS i (identity, n)`,
    );
    return new Map(
      rows.flatMap(({ n, line }) => (line === null ? [] : [[identities[n - 1] ?? '', line] as const])),
    );
  }

  /** Adds what lines changed. */
  async addChanges(
    changes: readonly { readonly line: number; readonly sides: ResourceSides }[],
  ): Promise<void> {
    if (changes.length === 0) return;
    const rows = changes.map(({ line, sides: { before, after } }) => {
      const text = `${before === undefined ? '' : `"before":${before},`}"after":${after}`;
      return copyRow([line, text.length, text]);
    });
    for (const row of rows) this.space.take(Buffer.byteLength(row));
    await (await this.openedSession()).copy('import_changes (line, size, sides)', rows);
  }

  /** Discards what lines changed, because they are written again. */
  async discardChanges(): Promise<void> {
    await this.rows(sql`TRUNCATE import_changes`);
  }

  /** Reads the outcomes of valid lines in the order of the body, in chunks. */
  async *outcomes(maxLength: number): AsyncGenerator<LineOutcome[]> {
    for (let after: number | undefined = 0; after !== undefined;) {
      const lines = sql`SELECT l.line, l.kind, l.name, c.sides, COALESCE(c.size, 0) AS size,
          row_number() OVER (ORDER BY l.line) AS n FROM import_lines l LEFT JOIN import_changes c ON c.line = l.line
        WHERE l.text IS NOT NULL AND l.line > ${after} ORDER BY l.line LIMIT ${MAX_NAMES}`;
      const outcomes: LineOutcome[] = await this.rows<LineOutcome>(upTo(maxLength, lines));
      if (outcomes.length > 0) yield outcomes;
      after = outcomes.at(-1)?.line;
    }
  }

  /** Closes the connection, which ends the tables. */
  async close(): Promise<void> {
    this.space.release();
    try {
      await this.session?.end();
    } finally {
      this.onClosed();
    }
  }

  private async openedSession(): Promise<Session> {
    if (!this.session) {
      this.session = await this.database.openSession();
      for (const statement of TABLES) await this.session.rows(statement);
    }
    return this.session;
  }

  private async rows<T extends QueryResultRow>(statement: Sql): Promise<T[]> {
    return this.session ? this.session.rows<T>(statement) : [];
  }
}

/** The first 128 bits of a digest, so that names of any length take the same space, as text of the type uuid. */
const digestOf = (identity: string): string => hash('sha256', identity).slice(0, 32);
