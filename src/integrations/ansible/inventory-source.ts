import { arrayParameter, sql } from '../../database/sql';
import type { Queryable } from '../../database/database';
import type { HostQuery, HostWithLevels } from '../host-query.service';
import {
  assignGroupNames,
  groupKey,
  type InventoryGroup,
  type LabelMember,
  type RegionMember,
} from './inventory-groups';

/** The members of a device in an inventory. */
export interface HostRow {
  readonly [column: string]: unknown;
  readonly id: number;
  readonly name: string;
  readonly kind: string;
  readonly ip_address: string;
  readonly device_type: string;
  readonly active: boolean;
}

/** All groups that devices of a project can be in, and their names in the inventory, by group key. */
export interface GroupNames {
  readonly groups: ReadonlyMap<string, InventoryGroup>;
  readonly names: ReadonlyMap<string, string>;
}

/** Reads the selected devices and the groups of a project, now or at a point in time. */
export interface InventorySource {
  /** The filters of the inventory are ignored, so that a group has the same name in all inventories. */
  readGroupNames(): Promise<GroupNames>;
  /** In the order of ids. */
  readHosts(): AsyncIterable<HostWithLevels<HostRow>>;
  /** By region, those in cells first, and by cell. */
  readRegionMembers(): AsyncIterable<RegionMember> | Iterable<RegionMember>;
  /** A member for each label, by label. */
  readLabelMembers(): AsyncIterable<LabelMember> | Iterable<LabelMember>;
}

/** Names groups. @param hostsNamed see `assignGroupNames` */
export async function nameGroups(
  groups: readonly InventoryGroup[],
  hostsNamed: Parameters<typeof assignGroupNames>[1],
): Promise<GroupNames> {
  const names = await assignGroupNames(groups, hostsNamed);
  return { groups: new Map(groups.map((group) => [groupKey(group.kind, group.id), group])), names };
}

async function readGroupNames(on: Queryable, projectId: string): Promise<GroupNames> {
  const groups = await on.rows<InventoryGroup & Record<string, unknown>>(sql`
    SELECT 'region' AS kind, r.id, ARRAY[r.name] AS names FROM regions r WHERE r.project_id = ${projectId}
    UNION ALL
    SELECT 'cell', c.id, ARRAY[r.name, c.name] FROM cells c
      JOIN regions r ON r.project_id = c.project_id AND r.id = c.region_id WHERE c.project_id = ${projectId}
    UNION ALL
    SELECT 'label', l.id, ARRAY[l.label] FROM labels l WHERE l.project_id = ${projectId}`);
  return nameGroups(groups, async (candidates) => {
    const devices = await on.rows<{ name: string }>(sql`SELECT t.name FROM devices t
      WHERE t.project_id = ${projectId} AND t.name = ANY(${arrayParameter(candidates)}::text[])`);
    return devices.map(({ name }) => name);
  });
}

const MEMBERS = sql`t.id, t.name, t.kind, host(t.ip_address) AS ip_address, t.device_type, t.active`;

/** The present devices that a query selects. */
export const presentSource = (hosts: HostQuery): InventorySource => ({
  readGroupNames: () => readGroupNames(hosts.on, hosts.ctx.projectId),
  readHosts: () => hosts.readHosts<HostRow>(MEMBERS),
  readRegionMembers: () =>
    hosts.readRows<RegionMember>(
      sql`t.name, t.region_id, t.cell_id`,
      sql`ORDER BY t.region_id, t.cell_id NULLS LAST, t.id`,
    ),
  readLabelMembers: () =>
    hosts.readRows<LabelMember>(
      sql`t.name, a.label_id`,
      // OFFSET 0, as in `lookUp`: the labels of each host are looked up.
      sql`CROSS JOIN LATERAL (SELECT a.label_id FROM device_labels a
        WHERE a.project_id = t.project_id AND a.device_id = t.id OFFSET 0) a ORDER BY a.label_id, t.id`,
    ),
});
