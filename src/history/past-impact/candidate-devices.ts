import type { RequestContext } from '../../core/context/request-context';
import type { Queryable } from '../../database/database';
import { join, list, raw, sql, type Sql } from '../../database/sql';
import { formerDevices, nextFormerDevices, type FormerDevices } from './former-devices';
import { DEVICE_KINDS, reachOfRecord, type ReachOfRecord } from './affected-scopes-of-record';
import type { ChangeOnRecord } from '../find-change';

/** A part of the candidates, in the order of ids. */
export interface Stretch {
  readonly ids: readonly number[];
  /** Behind which id to go on; undefined at the end. */
  readonly next: number | undefined;
  /** How much was looked at for it, measured in devices that are resolved. */
  readonly looked: number;
}

/** So many devices cost as much to look at as one to resolve. */
const LOOKS_FOR_ONE = 10;
/** What any change costs, whatever it reached. */
const LEAST_LOOKED_AT = 10;

/**
 * Where devices stand below a level: the level's column, and the device's. Each level of a kind is entered by itself:
 * so an index gives the devices of each in order, and no more are read than are asked for.
 */
const BELOW = {
  region: { table: raw('devices'), level: raw('region_id'), device: raw('id') },
  cell: { table: raw('devices'), level: raw('cell_id'), device: raw('id') },
  label: { table: raw('device_labels'), level: raw('label_id'), device: raw('device_id') },
} as const;

/**
 * The devices that a change can have reached: those that it touched, those that are below an altered level by now, and
 * those that were at its time but were touched since. Some more than those that it did reach.
 */
export class Candidates {
  private constructor(
    private readonly change: ChangeOnRecord,
    private readonly reach: ReachOfRecord,
    private readonly former: FormerDevices | undefined,
    private readonly on: Queryable,
  ) {}

  static async of(ctx: RequestContext, change: ChangeOnRecord, on: Queryable): Promise<Candidates> {
    const reach = await reachOfRecord(ctx, change, on);
    const former = Object.values(reach.levels).some((ids) => ids.length > 0)
      ? await formerDevices(change, reach, on)
      : { ids: [], through: undefined, looked: 0 };
    return new Candidates(change, reach, former, on);
  }

  /** How much was looked at to know where they are. */
  get looked(): number {
    return LEAST_LOOKED_AT + (this.former?.looked ?? 0) / LOOKS_FOR_ONE;
  }

  /** The next ones behind an id. It may be none of them before the end: so much is looked at and no more. */
  async behind(id: number, most: number): Promise<Stretch> {
    const walked = this.former ? undefined : await nextFormerDevices(this.change, this.reach, id, this.on);
    const { ids: former, through } = walked ?? this.former ?? { ids: [], through: undefined };
    const listed = (ids: readonly number[]): Sql =>
      sql`SELECT l.id FROM unnest(${list(ids)}::bigint[]) AS l (id) WHERE l.id > ${id}`;
    const upTo = through === undefined ? sql`true` : sql`c.id <= ${through}`;
    const { devices } = this.reach;
    const touched = devices ? listed(devices) : this.touched(id, most);
    const arms = [touched, listed(former), ...this.standingBelow(id, most)];
    const rows = await this.on.rows<{ id: number }>(
      sql`SELECT DISTINCT c.id FROM (${join(arms, ' UNION ALL ')}) c
        WHERE ${upTo} ORDER BY c.id LIMIT ${most}`,
      'each time',
    );
    const ids = rows.map((row) => row.id);
    const next = ids.length === most ? ids.at(-1) : through;
    return { ids, next, looked: ids.length + (walked?.looked ?? 0) / LOOKS_FOR_ONE };
  }

  /** Those that the change touched, where they are many: so many that the records of all devices are worth walking. */
  private touched(id: number, most: number): Sql {
    const { projectId, id: changeId } = this.change;
    return sql`SELECT d.id FROM unnest(${list(DEVICE_KINDS)}::text[]) AS k (kind) CROSS JOIN LATERAL (
      SELECT o.object_id AS id FROM change_objects o WHERE o.project_id = ${projectId} AND o.kind = k.kind
        AND o.object_id > ${id} AND o.change_id = ${changeId} ORDER BY o.object_id LIMIT ${most}) d`;
  }

  /** Those that are below an altered level by now. */
  private standingBelow(id: number, most: number): Sql[] {
    return (['region', 'cell', 'label'] as const).flatMap((kind) => {
      const ids = this.reach.levels[kind];
      const { table, level, device } = BELOW[kind];
      if (ids.length === 0) return [];
      return sql`SELECT d.id FROM unnest(${list(ids)}::bigint[]) AS l (id) CROSS JOIN LATERAL (
        SELECT t.${device} AS id FROM ${table} t WHERE t.project_id = ${this.change.projectId} AND t.${level} = l.id
          AND t.${device} > ${id} ORDER BY t.${device} LIMIT ${most}) d`;
    });
  }
}
