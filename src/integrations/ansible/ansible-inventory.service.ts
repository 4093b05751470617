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

/** Which inventory is asked for. */
export interface InventoryQuery {
  readonly choice: HostChoice;
  /** The variables of this one host, as `--host` has them; undefined: the whole, as `--list` has it. */
  readonly host: string | undefined;
}

interface HostRow {
  readonly [column: string]: unknown;
  readonly name: string;
  readonly ip_address: string;
}

const COLUMNS = sql`t.name, host(t.ip_address) AS ip_address`;

/** Where Ansible connects to, as PostgreSQL prints the key. */
const ADDRESS = '"ansible_host"';

/**
 * What Ansible's decoder takes an object with such a key for: something else than an object. Among the variables of one host
 * that costs every host its own.
 */
const MARKS = ['"__ansible_vault"', '"__ansible_unsafe"'];

/** Writes inventories as Ansible reads them from scripts. */
@Injectable()
export class AnsibleInventoryService {
  constructor(private readonly readings: HostReadings) {}

  /**
   * Writes the hosts that are asked for, with their groups; or the variables of one.
   * @throws InventoryError 400, 404 for a filter by what the caller cannot see, 503 if too many wait for their turn
   */
  async write(
    asker: Asker,
    { choice, host }: InventoryQuery,
    sink: BodySink,
    gone: AbortSignal,
  ): Promise<void> {
    const also = host === undefined ? [] : [sql`t.name = ${host}`];
    await this.readings.read(asker, gone, { choice, also }, (hosts) =>
      host === undefined ? writeAll(hosts, sink) : writeOne(hosts, sink),
    );
  }
}

async function writeOne(hosts: HostReading, sink: BodySink): Promise<void> {
  let variables = '{}';
  for await (const host of hosts.hosts<HostRow>(COLUMNS)) variables = variablesOf(host);
  await sink.write(variables);
}

async function writeAll(hosts: HostReading, sink: BodySink): Promise<void> {
  const names = await groupsOfProject(hosts.on, hosts.ctx.projectId);
  await sink.write('{"_meta":{"hostvars":{');
  let separator = '';
  for await (const host of hosts.hosts<HostRow>(COLUMNS)) {
    await sink.write(`${separator}${JSON.stringify(host.row.name)}:${variablesOf(host)}`);
    separator = ',';
  }
  await sink.write('}}');
  const regions = new RegionGroups(names);
  const places = sql`t.name, t.region_id, t.cell_id`;
  const byPlace = sql`ORDER BY t.region_id, t.cell_id NULLS LAST, t.id`;
  for await (const host of hosts.rows<PlacedHost>(places, byPlace)) await sink.write(regions.add(host));
  await sink.write(regions.end());
  const labels = new LabelGroups(names);
  const carried = sql`JOIN device_labels a ON a.project_id = t.project_id AND a.device_id = t.id
    ORDER BY a.label_id, t.id`;
  for await (const host of hosts.rows<LabelledHost>(sql`t.name, a.label_id`, carried))
    await sink.write(labels.add(host));
  await sink.write(labels.end());
  await sink.write(`,"all":{"children":[${[...regions.written, ...labels.written].join(',')}]}}`);
}

/** A host's variables: resolved, and where to connect to, unless that is a variable already. */
function variablesOf({ row, levels }: ReadHost<HostRow>): string {
  const variables = withoutMarks(withoutLongIntegers(levels.resolve(row)));
  // A look at the text spares splitting most documents.
  if (variables.includes(ADDRESS) && membersOf(variables).has(ADDRESS)) return variables;
  return extended(variables, [`${ADDRESS}:${JSON.stringify(row.ip_address)}`]);
}

function withoutMarks(variables: string): string {
  if (!MARKS.some((mark) => variables.includes(mark))) return variables;
  const members = new Map(membersOf(variables));
  for (const mark of MARKS) members.delete(mark);
  return documentOf(members);
}
