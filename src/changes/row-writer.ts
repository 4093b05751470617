import type { Transaction } from '../database/database';
import type { ResourceMapping } from '../database/resource-mapping';
import { sql, type Sql } from '../database/sql';
import { sharedDefinitionLock } from './definition-lock';
import {
  type Snapshot,
  snapshotOf,
  type SnapshotRow,
  snapshotStatement,
  withSnapshot,
} from './resource-snapshot';
import { resourceKey } from './touched-resources';

/** A resource after a write, with the further columns that were read from its row. */
export type WrittenResource<R = unknown> = Snapshot & { readonly row: R };

/** Returns the only row that a statement must have. @throws Error */
export function onlyRow<T>([row]: readonly T[], message: string): T {
  if (row === undefined) throw new Error(message);
  return row;
}

/**
 * Executes the writes of a change, and reads the states of resources within its transaction. Each state is read once after the
 * last write: it is cached, and every write clears the cache.
 */
export class RowWriter {
  /** The transaction, whose writes clear the cache. */
  readonly tx: Transaction;
  private readonly states = new Map<string, Snapshot>();

  constructor(private readonly inner: Transaction) {
    const execute = (statement: Sql) => {
      this.clear();
      return inner.execute(statement);
    };
    this.tx = { ...inner, execute };
  }

  /** Clears the cached states, after a write by other means. */
  clear(): void {
    this.states.clear();
  }

  /** Reads the current state of resources of one mapping. */
  async read(
    mapping: ResourceMapping,
    projectId: string,
    ids: readonly number[],
  ): Promise<Map<number, Snapshot>> {
    const rows = await this.tx.rows<SnapshotRow>(snapshotStatement(mapping, projectId, ids));
    return new Map(rows.map((row) => [row.id, snapshotOf(row)]));
  }

  /** Like `read`, but uses states that were read since the last write. */
  async current(
    mapping: ResourceMapping,
    projectId: string,
    ids: readonly number[],
  ): Promise<Map<number, Snapshot>> {
    const states = new Map<number, Snapshot>();
    for (const id of ids) {
      const cached = this.states.get(resourceKey(mapping, projectId, id));
      if (cached) states.set(id, cached);
    }
    const uncached = ids.filter((id) => !states.has(id));
    if (uncached.length > 0)
      for (const [id, state] of await this.read(mapping, projectId, uncached)) states.set(id, state);
    return states;
  }

  /**
   * Reads the current state of a resource, once for the response and for the record.
   * @param columns further columns over `t`
   */
  async readBack<R extends object>(
    mapping: ResourceMapping,
    projectId: string,
    id: number,
    columns: Sql | undefined,
  ): Promise<WrittenResource<R>> {
    const rows = await this.tx.rows<R & SnapshotRow>(snapshotStatement(mapping, projectId, [id], columns));
    const missing = `${mapping.kind} ${String(id)} does not exist although it is locked`;
    return this.keep(mapping, onlyRow(rows, missing));
  }

  /** Keeps the state in a row that was read after the last write. */
  keep<R extends object>(mapping: ResourceMapping, row: R & SnapshotRow): WrittenResource<R> {
    const state = snapshotOf(row);
    this.states.set(resourceKey(mapping, state.projectId, state.id), state);
    return { ...state, row };
  }

  /** Runs a statement that writes and returns rows. */
  write<T extends Record<string, unknown>>(statement: Sql): Promise<T[]> {
    this.clear();
    return this.inner.rows<T>(statement);
  }

  /** Writes a resource and reads it. @param columns further columns over `t` */
  writeAndRead<R extends object>(
    mapping: ResourceMapping,
    projectId: string,
    columns: Sql | undefined,
    write: (returning: Sql) => Sql,
  ): Promise<(R & SnapshotRow)[]> {
    this.clear();
    return this.inner.writeRow<R & SnapshotRow>({
      write,
      columns: withSnapshot(mapping, columns),
      read: (id) => snapshotStatement(mapping, projectId, [id], columns),
    });
  }

  /**
   * Runs a statement that locks, writes and reads a resource. It also takes the lock of the project's definitions if it sets
   * variables.
   * @param columns further columns over `t`
   * @returns no row if it wrote nothing: then the locks have to be taken by statements of their own
   */
  tryCombined<R extends object>(
    mapping: ResourceMapping,
    columns: Sql | undefined,
    setsVariables: boolean,
    write: (returning: Sql) => Sql,
  ): Promise<(R & SnapshotRow)[]> {
    this.clear();
    const read = withSnapshot(mapping, columns);
    const locked = sql`${read}, ${sharedDefinitionLock(sql`t.project_id`)} AS definitions_lock`;
    return this.inner.tryCombined<R & SnapshotRow>(write(setsVariables ? locked : read));
  }
}
