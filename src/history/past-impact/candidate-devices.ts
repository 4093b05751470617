import type { RequestContext } from '../../core/context/request-context';
import type { Queryable } from '../../database/database';
import { join, list, raw, sql, type Sql } from '../../database/sql';
import { formerDevices, nextFormerDevices, type FormerDevices } from './former-devices';
import { DEVICE_KINDS } from '../../impact/key-definitions';
import { reachOfRecord, type ReachOfRecord } from './affected-scopes-of-record';
import type { ChangeOnRecord } from '../find-change';

/** A page of candidates, ordered by id. */
export interface Stretch {
  readonly ids: readonly number[];
  /** The id after which the next page begins; undefined on the last page. */
  readonly next: number | undefined;
  /** The cost of finding them, in resolved devices. */
  readonly looked: number;
}

/** Examining this many devices costs as much as resolving one. */
const EXAMINED_PER_RESOLVED = 10;
/** The minimum cost of any change. */
const MIN_COST = 10;

/**
 * The tables that list the devices of a level, by kind of level. A query reads each level separately, so that an index
 * returns its devices in order and the query stops at its limit.
 */
const DEVICES_OF_LEVEL = {
  region: { table: raw('devices'), level: raw('region_id'), device: raw('id') },
  cell: { table: raw('devices'), level: raw('cell_id'), device: raw('id') },
  label: { table: raw('device_labels'), level: raw('label_id'), device: raw('device_id') },
} as const;

/**
 * The devices that a change can have affected: those that it touched, those that are below an altered level now, and
 * those that were below one at that time and were touched since. It is a superset of the affected devices.
 */
export class Candidates {
  private constructor(
    private readonly change: ChangeOnRecord,
    private readonly scopes: ReachOfRecord,
    private readonly former: FormerDevices | undefined,
    private readonly on: Queryable,
  ) {}

  static async of(ctx: RequestContext, change: ChangeOnRecord, on: Queryable): Promise<Candidates> {
    const scopes = await reachOfRecord(ctx, change, on);
    const former: FormerDevices | undefined = Object.values(scopes.levels).some((ids) => ids.length > 0)
      ? await formerDevices(change, scopes, on)
      : { ids: [], through: undefined, looked: 0 };
    return new Candidates(change, scopes, former, on);
  }

  /** The cost of creating this object, in resolved devices. */
  get looked(): number {
    return MIN_COST + (this.former?.looked ?? 0) / EXAMINED_PER_RESOLVED;
  }

  /** The next candidates after an id. A page can be empty before the end, because the search per page is limited. */
  async behind(id: number, limit: number): Promise<Stretch> {
    const search = this.former ? undefined : await nextFormerDevices(this.change, this.scopes, id, this.on);
    const { ids: former, through } = search ?? this.former ?? { ids: [], through: undefined };
    const selectIds = (ids: readonly number[]): Sql =>
      sql`SELECT l.id FROM unnest(${list(ids)}::bigint[]) AS l (id) WHERE l.id > ${id}`;
    const isSearched = through === undefined ? sql`true` : sql`c.id <= ${through}`;
    const { devices } = this.scopes;
    const touched = devices ? selectIds(devices) : this.touchedDevices(id, limit);
    const sources = [touched, selectIds(former), ...this.currentDescendants(id, limit)];
    const rows = await this.on.rows<{ id: number }>(
      sql`SELECT DISTINCT c.id FROM (${join(sources, ' UNION ALL ')}) c
        WHERE ${isSearched} ORDER BY c.id LIMIT ${limit}`,
      'each time',
    );
    const ids = rows.map((row) => row.id);
    const next = ids.length === limit ? ids.at(-1) : through;
    return { ids, next, looked: ids.length + (search?.looked ?? 0) / EXAMINED_PER_RESOLVED };
  }

  /** The devices that the change touched, if they are too many for memory. It scans the records of all devices. */
  private touchedDevices(id: number, limit: number): Sql {
    const { projectId, id: changeId } = this.change;
    return sql`SELECT d.id FROM unnest(${list(DEVICE_KINDS)}::text[]) AS k (kind) CROSS JOIN LATERAL (
      SELECT o.object_id AS id FROM change_objects o WHERE o.project_id = ${projectId} AND o.kind = k.kind
        AND o.object_id > ${id} AND o.change_id = ${changeId} ORDER BY o.object_id LIMIT ${limit}) d`;
  }

  /** The devices that are below an altered level now. */
  private currentDescendants(id: number, limit: number): Sql[] {
    return (['region', 'cell', 'label'] as const).flatMap((kind) => {
      const ids = this.scopes.levels[kind];
      const { table, level, device } = DEVICES_OF_LEVEL[kind];
      if (ids.length === 0) return [];
      return sql`SELECT d.id FROM unnest(${list(ids)}::bigint[]) AS l (id) CROSS JOIN LATERAL (
        SELECT t.${device} AS id FROM ${table} t WHERE t.project_id = ${this.change.projectId} AND t.${level} = l.id
          AND t.${device} > ${id} ORDER BY t.${device} LIMIT ${limit}) d`;
    });
  }
}
