import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from as copyFrom, type CopyStreamQuery } from 'pg-copy-streams';
import { StartupError } from '../../core/errors/startup-error';
import type { Archive, Contents } from './archive/archive-reader';
import { quoted, type StoredTable } from './stored-tables';

/** What tables were filled with. */
interface Filled {
  readonly rows: number;
  readonly tables: number;
}

/**
 * Fills the tables that were made in this transaction with an archive's rows.
 * @param made those that there are; what others the archive has is left out, and told
 * @throws StartupError if a table has not the columns that its rows have; Error if it has other rows than were backed up
 */
export async function fillTables(
  client: ClientBase,
  archive: Archive,
  { manifest, end }: Contents,
  made: readonly StoredTable[],
  note: (sentence: string) => void,
): Promise<Filled> {
  const wanted = new Map(
    manifest.tables.flatMap((table) => {
      const there = made.find(({ name }) => name === table.name);
      if (there) requireColumns(table, there);
      else note(`The backup has a table that is not Muster's, which was left out: ${table.name}.`);
      return there ? [[table.name, table]] : [];
    }),
  );
  const counts = new Map([...wanted.keys()].map((name) => [name, 0]));
  let filling: Filling | undefined;
  const finish = async () => {
    if (!filling) return;
    const { name } = filling.table;
    counts.set(name, (counts.get(name) ?? 0) + (await filling.end()));
    filling = undefined;
  };
  try {
    for await (const { table: name, content } of archive.pieces()) {
      const table = wanted.get(name);
      if (filling?.table !== table) await finish();
      if (table) filling ??= new Filling(client, table);
      for await (const chunk of content) await filling?.write(chunk);
    }
    await finish();
  } catch (error) {
    filling?.abandon();
    throw error;
  }
  for (const [name, count] of counts)
    if (count !== end.rows[name])
      throw new Error(`of the table ${name} other rows were restored than backed up`);
  return { rows: [...counts.values()].reduce((sum, count) => sum + count, 0), tables: wanted.size };
}

type Rows = Pick<StoredTable, 'name' | 'columns'>;

function requireColumns(archived: Rows, there: Rows): void {
  const missing = archived.columns.filter((column) => !there.columns.includes(column));
  if (missing.length > 0)
    throw new StartupError(
      `The backup's table ${archived.name} has columns that no migration makes: ${missing.join(', ')}. Nothing was changed.`,
    );
}

/** A table that is being filled. */
class Filling {
  private readonly copy: CopyStreamQuery;
  private readonly done: Promise<void>;

  constructor(
    client: ClientBase,
    readonly table: Rows,
  ) {
    // Frozen: nobody can have a state of before the table was made, and nothing has to be written again later.
    this.copy = client.query(
      copyFrom(
        `COPY ${quoted(table.name)} (${table.columns.map(quoted).join(', ')}) FROM STDIN WITH (FREEZE)`,
      ),
    );
    this.done = finished(this.copy);
    // Told to whoever writes next.
    this.done.catch(() => undefined);
  }

  async write(chunk: Buffer): Promise<void> {
    if (this.copy.write(chunk)) return;
    await Promise.race([once(this.copy, 'drain'), this.done]);
  }

  /** @returns how many rows it got */
  async end(): Promise<number> {
    this.copy.end();
    await this.done;
    return this.copy.rowCount;
  }

  abandon(): void {
    this.copy.on('error', () => undefined);
    this.copy.destroy();
  }
}
