import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../core/context/request-context';
import type { QueryParameters } from '../core/parameters';
import type { Queryable } from '../database/database';
import { join, raw, sql } from '../database/sql';
import { deviceLabels } from '../devices/device.entity';
import { labelMapping } from '../labels/label.entity';
import { parseUnpagedQuery } from '../lists/list-query';
import { type DeviceSelection, DeviceSelector, selectionParameters } from './device-selection';
import {
  GROUPED_COLUMNS,
  type Grouping,
  type GroupKey,
  groupRenderer,
  GROUPINGS,
  LABEL_GROUPING,
  labelJoin,
  parseGroupings,
} from './grouping';
import { StatisticsReader } from './statistics-reader';

const parameters = selectionParameters(['group_by']);

/** The numbers of devices in groups, as JSON. */
export interface DeviceCounts {
  /** The number of selected devices. */
  readonly devices: number;
  /** The number of groups, including those that are not in `groups`. */
  readonly group_count: number;
  /** The largest groups: a member for each grouping, and `devices`. */
  readonly groups: readonly Readonly<Record<string, unknown>>[];
}

interface GroupRow {
  [column: string]: unknown;
  readonly devices: number;
  readonly group_count: number;
  /** The sum of the devices of all groups. */
  readonly grouped: number;
}

/** Counts devices by their properties. */
@Injectable()
export class DeviceCountsService {
  constructor(
    private readonly statistics: StatisticsReader,
    private readonly selector: DeviceSelector,
  ) {}

  /**
   * Counts the selected devices, and those of each group.
   * @throws InventoryError 400 for a malformed query, 404 for a project, or a filter by a resource, that the caller
   *   cannot see, 503 if too many statistics are waiting
   */
  async count(ctx: RequestContext, query: QueryParameters): Promise<DeviceCounts> {
    const parsed = parseUnpagedQuery(query, parameters, 'array');
    const groupings = parseGroupings(parsed.others.get('group_by')?.[0], GROUPINGS);
    const projectId = await this.selector.projectOf(ctx, parsed);
    return this.statistics.snapshot(ctx, async (on) => {
      const selection = await this.selector.select(ctx, parsed, projectId, on);
      if (groupings.length === 0)
        return { devices: await countDevices(selection, on), group_count: 0, groups: [] };
      const rows = await countGroups(selection, groupings, parsed.limit, on);
      // A device is in as many groups as it has labels. By everything else, it is in exactly one group.
      const devices = groupings.includes(LABEL_GROUPING)
        ? await countDevices(selection, on)
        : (rows[0]?.grouped ?? 0);
      const groups = rows.map((): Record<string, unknown> => ({}));
      for (const [i, grouping] of groupings.entries()) {
        const keys = rows.map((row) => row[`g${String(i)}`] as GroupKey);
        const render = await groupRenderer(grouping, keys, projectId, on);
        for (const [n, group] of groups.entries()) group[grouping.name] = render(keys[n] ?? null);
      }
      for (const [n, group] of groups.entries()) group['devices'] = rows[n]?.devices;
      return { devices, group_count: rows[0]?.group_count ?? 0, groups };
    });
  }
}

async function countDevices({ rows }: DeviceSelection, on: Queryable): Promise<number> {
  const [row] = await on.rows<{ devices: number }>(
    sql`SELECT count(*) AS devices FROM (${rows(sql`t.id`)}) t`,
    'custom',
  );
  return row?.devices ?? 0;
}

async function countGroups(
  selection: DeviceSelection,
  groupings: readonly Grouping[],
  limit: number,
  on: Queryable,
): Promise<GroupRow[]> {
  const { projectId } = selection;
  const names = groupings.map((_, i) => raw(`g${String(i)}`));
  const columns = groupings.map(({ column }, i) => raw(`${column} AS g${String(i)}`));
  const isByLabelOnly = selection.isWhole && groupings.every((grouping) => grouping === LABEL_GROUPING);
  // The range of each label in an index is counted, without devices. That takes half of the time of grouping all ranges.
  const groups = isByLabelOnly
    ? sql`SELECT l.id AS g0, a.devices FROM ${raw(labelMapping.table)} l CROSS JOIN LATERAL (
          SELECT count(*) AS devices FROM ${raw(deviceLabels.table)} a
          WHERE a.project_id = ${projectId} AND a.label_id = l.id) a
        WHERE l.project_id = ${projectId} AND a.devices > 0`
    : sql`SELECT ${join(columns)}, count(*) AS devices
        FROM (${selection.rows(GROUPED_COLUMNS)}) t ${labelJoin(groupings, projectId)} GROUP BY ${join(names)}`;
  return on.rows<GroupRow>(
    sql`SELECT g.*, count(*) OVER () AS group_count, (sum(g.devices) OVER ())::bigint AS grouped FROM (${groups}) g
      ORDER BY g.devices DESC, ${join(names)} LIMIT ${limit}`,
    'custom',
  );
}
