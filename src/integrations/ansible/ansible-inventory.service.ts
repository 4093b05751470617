import { Injectable } from '@nestjs/common';
import type { BodySink } from '../../http/streamed-response';
import { documentOf, appendMembers, membersOf, type DocumentMembers } from '../../core/json/json-text';
import { compareCodePoints } from '../../core/code-points';
import { sql } from '../../database/sql';
import { host } from '../../devices/kinds/host/host.entity';
import { labelIdsOf, type ResolutionTarget } from '../../variables/levels';
import { VariableResolver } from '../../variables/variable-resolver';
import {
  type HostSelection,
  type HostQueryCaller,
  HostQueryService,
  type HostWithLevels,
} from '../host-query.service';
import { quoteLongIntegers } from '../long-integers';
import {
  groupKey,
  type InventoryGroupKind,
  LabelGroupRenderer,
  RegionGroupRenderer,
} from './inventory-groups';
import { type GroupNames, type HostRow, type InventorySource, presentSource } from './inventory-source';
import { type PastSelection, pastSource } from './past-source';

export interface InventoryQuery {
  readonly selection: HostSelection;
  /** The devices at a point in time, instead of those of the selection; undefined: now. */
  readonly past: Omit<PastSelection, 'kinds' | 'name' | 'activeOnly'> | undefined;
  /** The kinds of devices; undefined: hosts. */
  readonly kinds: readonly string[] | undefined;
  /**
   * The whole inventory, as for `--list`: with resolved variables, or with those of each level, which the client merges; or
   * the variables of one host, as for `--host`.
   */
  readonly content: 'resolved' | 'levels' | { readonly host: string };
}

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
  constructor(
    private readonly hostQueries: HostQueryService,
    private readonly resolver: VariableResolver,
  ) {}

  /**
   * Writes the selected hosts with their groups, or the variables of one host.
   * @throws InventoryError 400, 404 if a filter references a resource that the caller may not see, 503 if the queue is
   * full
   */
  async write(
    caller: HostQueryCaller,
    { selection, past, kinds, content }: InventoryQuery,
    sink: BodySink,
    signal: AbortSignal,
  ): Promise<void> {
    const name = typeof content === 'string' ? undefined : content.host;
    const write = async (source: InventorySource) => {
      if (typeof content !== 'string') return writeHostVariables(source, sink);
      const names = await source.readGroupNames();
      await (content === 'levels' ? writeLevels(source, names, sink) : writeHostvars(source, sink));
      await writeGroups(source, names, sink);
    };
    if (past) {
      const { activeOnly } = selection;
      const selected = { ...past, kinds: kinds ?? [host.mapping.kind], activeOnly, name };
      await this.hostQueries.runInSnapshot(caller, signal, async (ctx, on) =>
        write(await pastSource(ctx, on, this.resolver, selected)),
      );
      return;
    }
    const conditions = name === undefined ? [] : [sql`t.name = ${name}`];
    const options = { selection, conditions, ...(kinds ? { kinds } : {}) };
    await this.hostQueries.run(caller, signal, options, (hosts) => write(presentSource(hosts)));
  }
}

async function writeHostVariables(source: InventorySource, sink: BodySink): Promise<void> {
  let variables = '{}';
  for await (const host of source.readHosts()) variables = hostVariables(host);
  await sink.write(variables);
}

async function writeHostvars(source: InventorySource, sink: BodySink): Promise<void> {
  await sink.write('{"_meta":{"hostvars":{');
  let separator = '';
  for await (const host of source.readHosts()) {
    await sink.write(`${separator}${JSON.stringify(host.row.name)}:${hostVariables(host)}`);
    separator = ',';
  }
  await sink.write('}}');
}

/**
 * Writes each host with its own variables and the keys of its levels, broadest first, and then each level once. Real levels
 * are large and shared by many hosts, so this is much shorter than all resolved variables. The documents of all levels are in
 * memory until they are written.
 */
async function writeLevels(source: InventorySource, { groups }: GroupNames, sink: BodySink): Promise<void> {
  const documents = new Map<string, DocumentMembers>();
  await sink.write('{"_meta":{"hosts":{');
  let separator = '';
  for await (const { row, levels } of source.readHosts()) {
    const inherited = levels.inheritedLevels(row).map(({ kind, id, members }) => {
      const key = groupKey(kind, id);
      documents.set(key, members);
      return key;
    });
    const host = [
      `"members":${JSON.stringify(membersOfHost(row, groups))}`,
      `"defaults":${JSON.stringify(addressVariables(row))}`,
      `"levels":${JSON.stringify(inherited)}`,
      `"variables":${readableVariables(documentOf(levels.ownMembers(row)))}`,
    ];
    await sink.write(`${separator}${JSON.stringify(row.name)}:{${host.join(',')}}`);
    separator = ',';
  }
  await sink.write('},"levels":{');
  separator = '';
  for (const [key, members] of documents) {
    await sink.write(`${separator}${JSON.stringify(key)}:${readableVariables(documentOf(members))}`);
    separator = ',';
  }
  await sink.write('}}');
}

/** The members of a device by which an inventory can be grouped, with the names of the resources that it refers to. */
function membersOfHost(
  { id, kind, ip_address, device_type, active, ...target }: HostRow & ResolutionTarget,
  groups: GroupNames['groups'],
): object {
  const nameOf = (of: InventoryGroupKind, groupId: number | null) =>
    (groupId === null ? undefined : groups.get(groupKey(of, groupId)))?.names.at(-1) ?? null;
  const labels = labelIdsOf(target).flatMap((label) => nameOf('label', label) ?? []);
  const [region, cell] = [nameOf('region', target.region_level), nameOf('cell', target.cell_level)];
  return { id, kind, region, cell, labels: labels.sort(compareCodePoints), ip_address, device_type, active };
}

async function writeGroups(source: InventorySource, { names }: GroupNames, sink: BodySink): Promise<void> {
  const regions = new RegionGroupRenderer(names);
  for await (const host of source.readRegionMembers()) await sink.write(regions.add(host));
  await sink.write(regions.end());
  const labels = new LabelGroupRenderer(names);
  for await (const host of source.readLabelMembers()) await sink.write(labels.add(host));
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
  const variables = readableVariables(levels.resolve(row));
  const defaults = Object.entries(addressVariables(row));
  // Searching the text first avoids parsing most documents.
  if (variables.includes(ADDRESS_KEY) && membersOf(variables).has(ADDRESS_KEY)) return variables;
  return appendMembers(
    variables,
    defaults.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`),
  );
}

/** The variables that a host has unless a level or the host itself sets them. */
const addressVariables = ({ ip_address }: HostRow): { readonly ansible_host?: string } =>
  UNSPECIFIED_ADDRESSES.includes(ip_address) ? {} : { ansible_host: ip_address };

/** Variables as JSON that Ansible can read. */
const readableVariables = (document: string): string => withoutReservedKeys(quoteLongIntegers(document));

function withoutReservedKeys(variables: string): string {
  if (!RESERVED_KEYS.some((key) => variables.includes(key))) return variables;
  const members = new Map(membersOf(variables));
  for (const key of RESERVED_KEYS) members.delete(key);
  return documentOf(members);
}
