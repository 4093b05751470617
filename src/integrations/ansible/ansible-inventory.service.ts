import { Injectable } from '@nestjs/common';
import type { BodySink } from '../../http/streamed-response';
import { documentOf, appendMembers, membersOf } from '../../core/json/json-text';
import { arrayParameter, sql } from '../../database/sql';
import {
  type HostSelection,
  type HostQuery,
  type HostQueryCaller,
  HostQueryService,
  type HostWithLevels,
} from '../host-query.service';
import { quoteLongIntegers } from '../long-integers';
import {
  LabelGroupRenderer,
  RegionGroupRenderer,
  type LabelMember,
  type RegionMember,
  assignGroupNames,
  type InventoryGroup,
} from './inventory-groups';
import type { Queryable } from '../../database/database';

/**
 * Reads the names of all groups that hosts of a project can be in, by group key. The filters of the inventory are
 * ignored, so that a group has the same name in all inventories.
 */
async function readGroupNames(on: Queryable, projectId: string): Promise<ReadonlyMap<string, string>> {
  const groups = await on.rows<InventoryGroup & Record<string, unknown>>(sql`
    SELECT 'region' AS kind, r.id, ARRAY[r.name] AS names FROM regions r WHERE r.project_id = ${projectId}
    UNION ALL
    SELECT 'cell', c.id, ARRAY[r.name, c.name] FROM cells c
      JOIN regions r ON r.project_id = c.project_id AND r.id = c.region_id WHERE c.project_id = ${projectId}
    UNION ALL
    SELECT 'label', l.id, ARRAY[l.label] FROM labels l WHERE l.project_id = ${projectId}`);
  return assignGroupNames(groups, async (names) => {
    const hosts = await on.rows<{ name: string }>(sql`SELECT t.name FROM devices t
      WHERE t.project_id = ${projectId} AND t.name = ANY(${arrayParameter(names)}::text[]) AND t.kind = 'host'`);
    return hosts.map(({ name }) => name);
  });
}

export interface InventoryQuery {
  readonly selection: HostSelection;
  /** The host whose variables are returned, as for `--host`; undefined returns the whole inventory, as for `--list`. */
  readonly host: string | undefined;
}

interface HostRow {
  readonly [column: string]: unknown;
  readonly name: string;
  readonly ip_address: string;
}

const COLUMNS = sql`t.name, host(t.ip_address) AS ip_address`;

/** The key of the address that Ansible connects to, as PostgreSQL prints it. */
const ADDRESS_KEY = '"ansible_host"';

/**
 * The JSON decoder of Ansible does not read an object with such a key as an object. If one host had such a variable,
 * the whole inventory would lose its variables.
 */
const RESERVED_KEYS = ['"__ansible_vault"', '"__ansible_unsafe"'];

/** Writes inventories in the format of Ansible inventory scripts. */
@Injectable()
export class AnsibleInventoryService {
  constructor(private readonly hostQueries: HostQueryService) {}

  /**
   * Writes the selected hosts with their groups, or the variables of one host.
   * @throws InventoryError 400, 404 if a filter references a resource that the caller may not see, 503 if the queue is
   * full
   */
  async write(
    caller: HostQueryCaller,
    { selection, host }: InventoryQuery,
    sink: BodySink,
    signal: AbortSignal,
  ): Promise<void> {
    const conditions = host === undefined ? [] : [sql`t.name = ${host}`];
    await this.hostQueries.run(caller, signal, { selection, conditions }, (hosts) =>
      host === undefined ? writeInventory(hosts, sink) : writeHostVariables(hosts, sink),
    );
  }
}

async function writeHostVariables(hosts: HostQuery, sink: BodySink): Promise<void> {
  let variables = '{}';
  for await (const host of hosts.readHosts<HostRow>(COLUMNS)) variables = hostVariables(host);
  await sink.write(variables);
}

async function writeInventory(hosts: HostQuery, sink: BodySink): Promise<void> {
  const names = await readGroupNames(hosts.on, hosts.ctx.projectId);
  await sink.write('{"_meta":{"hostvars":{');
  let separator = '';
  for await (const host of hosts.readHosts<HostRow>(COLUMNS)) {
    await sink.write(`${separator}${JSON.stringify(host.row.name)}:${hostVariables(host)}`);
    separator = ',';
  }
  await sink.write('}}');
  const regions = new RegionGroupRenderer(names);
  const columns = sql`t.name, t.region_id, t.cell_id`;
  const orderByCell = sql`ORDER BY t.region_id, t.cell_id NULLS LAST, t.id`;
  for await (const host of hosts.readRows<RegionMember>(columns, orderByCell))
    await sink.write(regions.add(host));
  await sink.write(regions.end());
  const labels = new LabelGroupRenderer(names);
  // OFFSET 0, as in `lookUp`: the labels of each host are looked up.
  const joinLabels = sql`CROSS JOIN LATERAL (SELECT a.label_id FROM device_labels a
    WHERE a.project_id = t.project_id AND a.device_id = t.id OFFSET 0) a ORDER BY a.label_id, t.id`;
  for await (const host of hosts.readRows<LabelMember>(sql`t.name, a.label_id`, joinLabels))
    await sink.write(labels.add(host));
  await sink.write(labels.end());
  await sink.write(`,"all":{"children":[${[...regions.renderedNames, ...labels.renderedNames].join(',')}]}}`);
}

/** Placeholders of hosts without an address. Connections to them reach the controller itself. */
const UNSPECIFIED_ADDRESSES = ['0.0.0.0', '::'];

/**
 * The resolved variables of a host, with `ansible_host` unless the variables set it. Without an address, Ansible connects
 * to the name of the host.
 */
function hostVariables({ row, levels }: HostWithLevels<HostRow>): string {
  const variables = withoutReservedKeys(quoteLongIntegers(levels.resolve(row)));
  if (UNSPECIFIED_ADDRESSES.includes(row.ip_address)) return variables;
  // Searching the text first avoids parsing most documents.
  if (variables.includes(ADDRESS_KEY) && membersOf(variables).has(ADDRESS_KEY)) return variables;
  return appendMembers(variables, [`${ADDRESS_KEY}:${JSON.stringify(row.ip_address)}`]);
}

function withoutReservedKeys(variables: string): string {
  if (!RESERVED_KEYS.some((key) => variables.includes(key))) return variables;
  const members = new Map(membersOf(variables));
  for (const key of RESERVED_KEYS) members.delete(key);
  return documentOf(members);
}
