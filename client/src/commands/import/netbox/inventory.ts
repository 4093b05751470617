import { CliError, EXIT } from '../../../cli-error';
import { globToRegExp } from '../../../text';
import {
  readList,
  type ListPath,
  type NetBoxAnswers,
  idOf,
  listOf,
  objectOf,
  referenceOf,
  textOf,
  type Members,
} from './answers';
import { readContext, type ConfigContext } from './config-contexts';
import { DeviceReader, deviceText, type NetBoxDevice } from './devices';
import type { Mapping } from './mapping';
import { ReadingProgress, type ObjectProgress } from './reading-progress';

/** An item of one of NetBox's trees: a region, site group, location, role or platform. */
export interface TreeItem {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  /** The id of the parent. */
  readonly parent: string | undefined;
}

/** One of NetBox's trees. */
export class Tree {
  private readonly items: ReadonlyMap<string, TreeItem>;

  constructor(items: readonly TreeItem[]) {
    this.items = new Map(items.map((item) => [item.id, item]));
  }

  has(id: string): boolean {
    return this.items.has(id);
  }

  [Symbol.iterator](): Iterator<TreeItem> {
    return this.items.values();
  }

  /** The items from the top level down to an item; empty if it is not in the tree. */
  pathOf(id: string): TreeItem[] {
    const path: TreeItem[] = [];
    for (let item = this.items.get(id); item && !path.includes(item); item = this.parentOf(item))
      path.unshift(item);
    return path;
  }

  private parentOf({ parent }: TreeItem): TreeItem | undefined {
    return parent === undefined ? undefined : this.items.get(parent);
  }
}

/** A site, with what it belongs to. */
export interface Site {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly region: string | undefined;
  readonly group: string | undefined;
}

/** Where a cluster is: the kind of the location, such as `dcim.site`, and its id. */
export interface ClusterScope {
  readonly type: string;
  readonly id: string;
}

/** What an import needs of a NetBox. Objects are in maps by their ids. */
export interface NetBoxInventory {
  readonly version: string | undefined;
  readonly devices: readonly NetBoxDevice[];
  readonly sites: ReadonlyMap<string, Site>;
  readonly regions: Tree;
  readonly siteGroups: Tree;
  readonly locations: Tree;
  /** The site of each location. */
  readonly siteOfLocation: ReadonlyMap<string, string>;
  readonly roles: Tree;
  readonly platforms: Tree;
  readonly clusters: ReadonlyMap<string, ClusterScope>;
  /** In the order in which NetBox applies them. */
  readonly contexts: readonly ConfigContext[];
  /** The devices that cables connect each device to, in the order of its interfaces. */
  readonly connections: ReadonlyMap<string, readonly string[]>;
}

/** The lists that an import with this mapping reads. */
const requiredLists = ({ regions, devices, labels, parents }: Mapping): readonly ListPath[] => [
  ...(regions.from === 'region' ? ['dcim/regions' as const] : []),
  ...(regions.from === 'site_group' ? ['dcim/site-groups' as const] : []),
  ...['dcim/sites' as const, 'dcim/locations' as const, 'dcim/device-roles' as const],
  ...(labels.ancestors ? ['dcim/platforms' as const] : []),
  ...(devices.virtualMachines ? ['virtualization/clusters' as const] : []),
  'extras/config-contexts',
  'dcim/devices',
  ...(devices.virtualMachines ? ['virtualization/virtual-machines' as const] : []),
  ...(parents.uplinks.length > 0 ? ['dcim/interfaces' as const] : []),
];

/** Reads a NetBox. @throws CliError if a list cannot be read or is not complete */
export async function readInventory(
  answers: NetBoxAnswers,
  mapping: Mapping,
  progress: ObjectProgress,
): Promise<NetBoxInventory> {
  const reading = new ReadingProgress(progress);
  reading.request('status');
  const version = await answers.readVersion();
  const lists = new Set(requiredLists(mapping));
  await answers.assertReadable([...lists], reading);
  const read = async <T>(path: ListPath, convert: (item: Members, origin: string) => T): Promise<T[]> =>
    lists.has(path) ? readList(answers, path, convert, reading) : [];
  const readTree = async (path: ListPath): Promise<Tree> => new Tree(await read(path, toTreeItem));
  const reader = new DeviceReader(mapping);
  // In the order of `LISTS`.
  const devices = [
    ...(await read('dcim/devices', (item, origin) => reader.read('device', item, origin))),
    ...(await read('virtualization/virtual-machines', (item, origin) =>
      reader.read('virtual-machine', item, origin),
    )),
  ];
  const connections = connectionsOf(await read('dcim/interfaces', toConnections));
  const contexts = await read('extras/config-contexts', (item) => readContext(item, mapping));
  const clusters = new Map(await read('virtualization/clusters', toCluster));
  const locations = await read('dcim/locations', (item) => ({
    ...toTreeItem(item),
    site: referenceOf(item['site'])?.id ?? '',
  }));
  const inventory: NetBoxInventory = {
    version,
    devices,
    connections,
    clusters,
    contexts: contexts.filter(({ isActive }) => isActive),
    locations: new Tree(locations),
    siteOfLocation: new Map(locations.map(({ id, site }) => [id, site])),
    sites: new Map((await read('dcim/sites', toSite)).map((site) => [site.id, site])),
    regions: await readTree('dcim/regions'),
    siteGroups: await readTree('dcim/site-groups'),
    roles: await readTree('dcim/device-roles'),
    platforms: await readTree('dcim/platforms'),
  };
  assertComplete(inventory, lists);
  return inventory;
}

/** @throws CliError if an object refers to one that is not in its list: the import would put devices somewhere else */
function assertComplete(inventory: NetBoxInventory, read: ReadonlySet<ListPath>): void {
  const { devices, sites, regions, siteGroups, locations, roles, platforms, clusters } = inventory;
  const trees = {
    'dcim/regions': regions,
    'dcim/site-groups': siteGroups,
    'dcim/locations': locations,
    'dcim/device-roles': roles,
    'dcim/platforms': platforms,
  };
  const lists = { ...trees, 'dcim/sites': sites, 'virtualization/clusters': clusters };
  const assertListed = (path: keyof typeof lists, id: string | undefined, from: string): void => {
    if (id === undefined || !read.has(path) || lists[path].has(id)) return;
    throw new CliError(
      `The list ${path} does not contain the object ${id}, to which ${from} refers.`,
      EXIT.unavailable,
      ['  It was changed while NetBox was read, or the token may not view the object.'],
    );
  };
  for (const [path, tree] of Object.entries(trees) as [keyof typeof trees, Tree][])
    for (const { name, parent } of tree) assertListed(path, parent, name);
  for (const { name, region, group } of sites.values()) {
    assertListed('dcim/regions', region, `the site ${name}`);
    assertListed('dcim/site-groups', group, `the site ${name}`);
  }
  for (const [id, scope] of clusters) {
    const path = SCOPE_LISTS[scope.type];
    if (path) assertListed(path, scope.id, `the cluster ${id}`);
  }
  for (const device of devices) {
    const { site, location, role, platform, cluster } = device;
    const from = deviceText(device);
    assertListed('dcim/sites', site?.id, from);
    assertListed('dcim/locations', location?.id, from);
    assertListed('dcim/device-roles', role?.id, from);
    assertListed('dcim/platforms', platform?.id, from);
    assertListed('virtualization/clusters', cluster?.id, from);
  }
}

/** The lists of what clusters can be in. */
const SCOPE_LISTS: Readonly<
  Partial<Record<string, 'dcim/regions' | 'dcim/site-groups' | 'dcim/sites' | 'dcim/locations'>>
> = {
  'dcim.region': 'dcim/regions',
  'dcim.sitegroup': 'dcim/site-groups',
  'dcim.site': 'dcim/sites',
  'dcim.location': 'dcim/locations',
};

const toTreeItem = (item: Members) => ({
  id: idOf(item['id']),
  name: textOf(item['name']) ?? '',
  slug: textOf(item['slug']) ?? '',
  parent: referenceOf(item['parent'])?.id,
});

const toSite = (item: Members): Site => ({
  id: idOf(item['id']),
  name: textOf(item['name']) ?? '',
  slug: textOf(item['slug']) ?? '',
  region: referenceOf(item['region'])?.id,
  group: referenceOf(item['group'])?.id,
});

/** Before NetBox 4.2, clusters had a site instead of a scope. */
function toCluster(item: Members): [string, ClusterScope] {
  const site = referenceOf(item['site']);
  const scope = site
    ? { type: 'dcim.site', id: site.id }
    : { type: textOf(item['scope_type']) ?? '', id: idOf(item['scope_id']) };
  return [idOf(item['id']), scope];
}

/** An interface: its device, and the devices at the other ends of its cable. */
type Connections = readonly [device: string, others: readonly string[]];

function toConnections(item: Members): Connections {
  const device = referenceOf(item['device'])?.id ?? '';
  const ends = listOf(item['connected_endpoints']).map(objectOf);
  const others = ends.flatMap((end) => referenceOf(end?.['device'])?.id ?? []);
  return [device, others.filter((other) => other !== device)];
}

function connectionsOf(interfaces: readonly Connections[]): Map<string, string[]> {
  const connections = new Map<string, string[]>();
  for (const [device, others] of interfaces)
    if (others.length > 0) connections.set(device, [...(connections.get(device) ?? []), ...others]);
  return connections;
}

/** Tests whether the slug of an item, or of one above it in its tree, matches one of the patterns. */
export function treeMatcher(
  tree: Tree,
  patterns: readonly string[],
): (item: { readonly id: string; readonly slug: string } | undefined) => boolean {
  const expressions = patterns.map(globToRegExp);
  const results = new Map<string, boolean>();
  return (item) => {
    if (!item) return false;
    const cached = results.get(item.id);
    if (cached !== undefined) return cached;
    const slugs = [item.slug, ...tree.pathOf(item.id).map(({ slug }) => slug)];
    const matches = slugs.some((slug) => expressions.some((expression) => expression.test(slug)));
    results.set(item.id, matches);
    return matches;
  };
}
