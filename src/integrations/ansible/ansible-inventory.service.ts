import { Injectable } from '@nestjs/common';
import type { BodySink } from '../../http/streamed-response';
import { documentOf, extended, membersOf } from '../../core/json/json-document';
import { sql } from '../../database/sql';
import type { HostChoice } from '../hosts/host-selection';
import type { HostReading, ReadHost } from '../hosts/host-query';
import { HostReadings, type Asker } from '../hosts/host-query.service';
import { withoutLongIntegers } from '../long-integers';
import { LabelGroups, RegionGroups, type LabelledHost, type PlacedHost } from './group-texts';
import { groupsOfProject } from './project-groups';

export interface InventoryQuery {
  readonly choice: HostChoice;
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
  constructor(private readonly readings: HostReadings) {}

  /**
   * Writes the selected hosts with their groups, or the variables of one host.
   * @throws InventoryError 400, 404 if a filter references a resource that the caller may not see, 503 if the queue is
   * full
   */
  async write(
    asker: Asker,
    { choice: selection, host }: InventoryQuery,
    sink: BodySink,
    signal: AbortSignal,
  ): Promise<void> {
    const also = host === undefined ? [] : [sql`t.name = ${host}`];
    await this.readings.read(asker, signal, { choice: selection, also }, (hosts) =>
      host === undefined ? writeInventory(hosts, sink) : writeHostVariables(hosts, sink),
    );
  }
}

async function writeHostVariables(hosts: HostReading, sink: BodySink): Promise<void> {
  let variables = '{}';
  for await (const host of hosts.hosts<HostRow>(COLUMNS)) variables = hostVariables(host);
  await sink.write(variables);
}

async function writeInventory(hosts: HostReading, sink: BodySink): Promise<void> {
  const names = await groupsOfProject(hosts.on, hosts.ctx.projectId);
  await sink.write('{"_meta":{"hostvars":{');
  let separator = '';
  for await (const host of hosts.hosts<HostRow>(COLUMNS)) {
    await sink.write(`${separator}${JSON.stringify(host.row.name)}:${hostVariables(host)}`);
    separator = ',';
  }
  await sink.write('}}');
  const regions = new RegionGroups(names);
  const columns = sql`t.name, t.region_id, t.cell_id`;
  const orderByCell = sql`ORDER BY t.region_id, t.cell_id NULLS LAST, t.id`;
  for await (const host of hosts.rows<PlacedHost>(columns, orderByCell)) await sink.write(regions.add(host));
  await sink.write(regions.end());
  const labels = new LabelGroups(names);
  const joinLabels = sql`JOIN device_labels a ON a.project_id = t.project_id AND a.device_id = t.id
    ORDER BY a.label_id, t.id`;
  for await (const host of hosts.rows<LabelledHost>(sql`t.name, a.label_id`, joinLabels))
    await sink.write(labels.add(host));
  await sink.write(labels.end());
  await sink.write(`,"all":{"children":[${[...regions.written, ...labels.written].join(',')}]}}`);
}

/** The resolved variables of a host, with `ansible_host` unless the variables set it. */
function hostVariables({ row, levels }: ReadHost<HostRow>): string {
  const variables = withoutReservedKeys(withoutLongIntegers(levels.resolve(row)));
  // Searching the text first avoids parsing most documents.
  if (variables.includes(ADDRESS_KEY) && membersOf(variables).has(ADDRESS_KEY)) return variables;
  return extended(variables, [`${ADDRESS_KEY}:${JSON.stringify(row.ip_address)}`]);
}

function withoutReservedKeys(variables: string): string {
  if (!RESERVED_KEYS.some((key) => variables.includes(key))) return variables;
  const members = new Map(membersOf(variables));
  for (const key of RESERVED_KEYS) members.delete(key);
  return documentOf(members);
}
