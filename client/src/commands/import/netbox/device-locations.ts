import type { NetBoxDevice } from './devices';
import type { NetBoxInventory, Site, Tree, TreeItem } from './inventory';
import type { Mapping } from './mapping';
import { uniqueNames, type Named } from './names';

/** The region of a device, and its cell if it has one. */
export interface DeviceLocation {
  readonly region: string;
  readonly cell: string | undefined;
}

/** Where devices are. */
interface LocatedDevices {
  readonly locations: ReadonlyMap<NetBoxDevice, DeviceLocation | undefined>;
  /** The regions and cells whose names Muster does not accept: their names in Muster, by those in NetBox. */
  readonly renamed: ReadonlyMap<string, string>;
}

/** What is known of where a device is, before it is mapped to regions and cells. */
interface NetBoxLocation {
  readonly site: Site | undefined;
  /** The region or site group of a cluster, if there is no site. */
  readonly region: string | undefined;
  readonly group: string | undefined;
  /** The id of a location. */
  readonly location: string | undefined;
  readonly rack: Named | undefined;
}

/**
 * Maps devices to regions and cells. A virtual machine without a site is where the device is that it is pinned to, or where
 * its cluster is.
 * @returns the location of each device: undefined for a device without a region, if the mapping has no fallback
 */
export function locateDevices(
  devices: readonly NetBoxDevice[],
  inventory: NetBoxInventory,
  mapping: Mapping,
): LocatedDevices {
  const finder = new LocationFinder(inventory);
  const found = devices.map((device) => {
    const location = finder.of(device);
    return {
      device,
      region: regionOf(location, inventory, mapping),
      cell: cellOf(location, inventory, mapping),
    };
  });
  const regionNames = uniqueNames(found.flatMap(({ region }) => region ?? []));
  const { fallback } = mapping.regions;
  const inRegions = found.map(({ device, region, cell }) => ({
    device,
    region: region ? nameOf(regionNames, region) : fallback,
    cell,
  }));
  const cellsOfRegions = new Map<string, Named[]>();
  for (const { region, cell } of inRegions) {
    if (region === undefined || !cell) continue;
    const cells = cellsOfRegions.get(region);
    if (cells) cells.push(cell);
    else cellsOfRegions.set(region, [cell]);
  }
  const cellNames = new Map([...cellsOfRegions].map(([region, cells]) => [region, uniqueNames(cells)]));
  const locations = new Map(
    inRegions.map(({ device, region, cell }): [NetBoxDevice, DeviceLocation | undefined] => {
      if (region === undefined) return [device, undefined];
      const names = cellNames.get(region);
      return [device, { region, cell: cell && names ? nameOf(names, cell) : undefined }];
    }),
  );
  const renamed = new Map(
    found.flatMap(({ device, region, cell }) => {
      const location = locations.get(device);
      return [...renamedTo(region, location?.region), ...renamedTo(cell, location?.cell)];
    }),
  );
  return { locations, renamed };
}

/** The name in Muster by that in NetBox, if Muster does not accept it. An id as a suffix is no change. */
const renamedTo = (object: Named | undefined, name: string | undefined): [string, string][] =>
  object === undefined || name === undefined || name.startsWith(object.name) ? [] : [[object.name, name]];

/** Determines where devices are. */
class LocationFinder {
  private readonly devices: ReadonlyMap<string, NetBoxDevice>;

  constructor(private readonly inventory: NetBoxInventory) {
    this.devices = new Map(
      inventory.devices.filter(({ type }) => type === 'device').map((device) => [device.id, device]),
    );
  }

  of(device: NetBoxDevice): NetBoxLocation {
    const { sites, siteOfLocation } = this.inventory;
    const host = this.devices.get(device.hostDevice ?? '');
    const owner = host ?? device;
    const scope =
      device.type === 'device' ? undefined : this.inventory.clusters.get(device.cluster?.id ?? '');
    const scoped = (type: string): string | undefined => (scope?.type === type ? scope.id : undefined);
    const location = owner.location?.id ?? scoped('dcim.location');
    const site =
      device.site?.id ?? host?.site?.id ?? scoped('dcim.site') ?? siteOfLocation.get(location ?? '') ?? '';
    return {
      site: sites.get(site),
      region: scoped('dcim.region'),
      group: scoped('dcim.sitegroup'),
      location,
      // A device in a bay may have no rack of its own.
      rack: owner.rack ?? this.devices.get(owner.bayDevice ?? '')?.rack,
    };
  }
}

function regionOf(
  { site, region, group }: NetBoxLocation,
  { regions, siteGroups }: NetBoxInventory,
  mapping: Mapping,
): Named | undefined {
  switch (mapping.regions.from) {
    case 'region':
      return flatten(regions, site ? site.region : region, mapping);
    case 'site_group':
      return flatten(siteGroups, site ? site.group : group, mapping);
    case 'site':
      return site;
  }
}

/** The top level of a tree, or the path to an item of it. */
function flatten(
  tree: Tree,
  id: string | undefined,
  { regions: { name, separator } }: Mapping,
): Named | undefined {
  const path = tree.pathOf(id ?? '');
  const item = name === 'top' ? path[0] : path.at(-1);
  if (!item) return undefined;
  return { id: item.id, name: name === 'top' ? item.name : joinNames(path, separator) };
}

const joinNames = (path: readonly TreeItem[], separator: string): string =>
  path.map(({ name }) => name).join(separator);

function cellOf(
  { site, location, rack }: NetBoxLocation,
  { locations }: NetBoxInventory,
  { regions: { from, separator }, cells }: Mapping,
): Named | undefined {
  // Several sites can be in one region, and their locations and racks have the same names.
  const prefix = from === 'site' || !site ? '' : `${site.name}${separator}`;
  const path = locations.pathOf(location ?? '');
  switch (cells.from) {
    case 'site':
      return site;
    case 'location': {
      const item = path.at(-1);
      return item && { id: item.id, name: `${prefix}${joinNames(path, separator)}` };
    }
    case 'rack':
      return rack && { id: rack.id, name: `${prefix}${rack.name}` };
    case 'none':
      return undefined;
  }
}

const nameOf = (names: ReadonlyMap<string, string>, { id, name }: Named): string => names.get(id) ?? name;
