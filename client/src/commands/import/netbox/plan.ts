import { deviceText, type NetBoxDevice, isUnnamed, uniqueDeviceNames } from './devices';
import { treeMatcher, type NetBoxInventory, type Tree } from './inventory';
import type { LabelKind, Mapping } from './mapping';
import type { Reference } from './answers';
import type { SkippedObject } from '../skipped-objects';
import { cleanName } from './names';
import { locateDevices, type DeviceLocation } from './device-locations';

/** A device as it will be in Muster. */
export interface PlannedDevice extends DeviceLocation {
  readonly name: string;
  readonly kind: 'host' | 'network-device';
  readonly source: NetBoxDevice;
  readonly address: string;
  readonly deviceType: string;
  readonly isActive: boolean;
  /** The labels of the mapping. */
  readonly labels: readonly string[];
  /** The name of the parent; undefined for none. */
  readonly parent: string | undefined;
}

/** Which devices are imported, and how. */
export interface DevicePlan {
  readonly devices: readonly PlannedDevice[];
  readonly skipped: readonly SkippedObject[];
  /** The regions and cells whose names Muster does not accept: their names in Muster, by those in NetBox. */
  readonly renamedLocations: ReadonlyMap<string, string>;
}

/** Maps the devices and virtual machines of NetBox to devices of Muster. */
export function planDevices(inventory: NetBoxInventory, mapping: Mapping): DevicePlan {
  const { locations, renamed } = locateDevices(inventory.devices, inventory, mapping);
  const reasonOf = skipReasons(inventory, mapping, locations);
  const skipped: SkippedObject[] = [];
  const accepted: {
    readonly device: NetBoxDevice;
    readonly location: DeviceLocation;
    readonly address: string;
  }[] = [];
  for (const device of inventory.devices) {
    const reason = reasonOf(device);
    const location = locations.get(device);
    const address = device.address ?? mapping.addresses.missing;
    if (reason !== undefined || location === undefined || address === undefined)
      skipped.push({ object: deviceText(device), reason: reason ?? '' });
    else accepted.push({ device, location, address });
  }
  const devices = accepted.map(({ device }) => device);
  const names = uniqueDeviceNames(devices);
  const parents = findParents(devices, inventory, mapping);
  const isNetworkDevice = treeMatcher(inventory.roles, mapping.devices.networkDeviceRoles);
  const labelsOf = deviceLabels(inventory, mapping);
  const active = new Set(mapping.devices.activeStatuses);
  return {
    devices: accepted.map(({ device, location, address }) => {
      const parent = parents.get(device);
      return {
        ...location,
        name: names.get(device) ?? cleanName(device.display),
        kind: isNetworkDevice(device.role) ? 'network-device' : 'host',
        source: device,
        address,
        deviceType: (mapping.devices.deviceType === 'role' ? device.role : device.model)?.slug ?? device.type,
        isActive: active.has(device.status),
        labels: labelsOf(device),
        parent: parent && names.get(parent),
      };
    }),
    skipped,
    renamedLocations: renamed,
  };
}

/** Why a device is skipped; undefined if it is not. */
function skipReasons(
  { roles }: NetBoxInventory,
  { devices, regions, addresses }: Mapping,
  locations: ReadonlyMap<NetBoxDevice, DeviceLocation | undefined>,
): (device: NetBoxDevice) => string | undefined {
  const isSkippedRole = treeMatcher(roles, devices.skipRoles);
  const skippedStatuses = new Set(devices.skipStatuses);
  return (device) => {
    const { role, status, address } = device;
    if (isSkippedRole(role)) return `devices.skip_roles contains its role ${role?.slug ?? ''}`;
    if (skippedStatuses.has(status)) return `devices.skip_statuses contains its status ${status}`;
    if (devices.unnamed === 'skip' && isUnnamed(device)) return 'it has no name';
    if (regions.fallback === undefined && !locations.get(device))
      return `it has no ${regions.from.replace('_', ' ')}`;
    if (addresses.missing === undefined && address === undefined) return 'it has no primary address';
    return undefined;
  };
}

/** The parent of each device in NetBox, by the relations that the mapping names. Only devices are parents. */
function findParents(
  devices: readonly NetBoxDevice[],
  { connections, roles }: Pick<NetBoxInventory, 'connections' | 'roles'>,
  { parents }: Pick<Mapping, 'parents'>,
): ReadonlyMap<NetBoxDevice, NetBoxDevice> {
  const byId = new Map(devices.filter(({ type }) => type === 'device').map((device) => [device.id, device]));
  const found = new Map<NetBoxDevice, NetBoxDevice>();
  for (const device of devices) {
    const { bayDevice, chassis, hostDevice } = device;
    const candidates = [
      parents.deviceBay ? bayDevice : undefined,
      parents.virtualChassis ? chassis?.master : undefined,
      parents.hostDevice ? hostDevice : undefined,
    ];
    const parent = candidates
      .flatMap((id) => (id === undefined ? [] : (byId.get(id) ?? [])))
      .find((one) => one !== device);
    if (parent) found.set(device, parent);
  }
  const tiers = parents.uplinks.map((pattern) => treeMatcher(roles, [pattern]));
  /** The tier of a device, from 0 at the top of the network; after the last for devices below all of them. */
  const tierOf = ({ role }: NetBoxDevice): number => {
    const tier = tiers.findIndex((matches) => matches(role));
    return tier < 0 ? tiers.length : tier;
  };
  /** A chassis can have a cable to a switch in one of its own bays. */
  const isBelow = (one: NetBoxDevice, device: NetBoxDevice): boolean => {
    const path = new Set<NetBoxDevice>();
    for (let next: NetBoxDevice | undefined = one; next && !path.has(next); next = found.get(next))
      path.add(next);
    return path.has(device);
  };
  for (const device of byId.values()) {
    if (found.has(device)) continue;
    const own = tierOf(device);
    const upstream = (connections.get(device.id) ?? [])
      .flatMap((id) => byId.get(id) ?? [])
      .map((one) => ({ one, tier: tierOf(one) }))
      .filter(({ one, tier }) => tier < own && !isBelow(one, device));
    const closest = Math.max(...upstream.map(({ tier }) => tier));
    const parent = upstream.find(({ tier }) => tier === closest)?.one;
    if (parent) found.set(device, parent);
  }
  return found;
}

/** Whether the mapping makes any relation a parent. Otherwise parents in Muster stay as they are. */
export const mapsParents = ({ parents }: Mapping): boolean =>
  parents.deviceBay || parents.virtualChassis || parents.hostDevice || parents.uplinks.length > 0;

/** The labels of a device, by the prefixes of the mapping. */
function deviceLabels(
  { roles, platforms }: Pick<NetBoxInventory, 'roles' | 'platforms'>,
  { labels: { prefixes, ancestors } }: Mapping,
): (device: NetBoxDevice) => string[] {
  const slugsIn = (tree: Tree, item: Reference | undefined): string[] => [
    ...slugs(item),
    ...(item && ancestors ? tree.pathOf(item.id).map(({ slug }) => slug) : []),
  ];
  const namesOf: Record<LabelKind, (device: NetBoxDevice) => readonly string[]> = {
    role: ({ role }) => slugsIn(roles, role),
    platform: ({ platform }) => slugsIn(platforms, platform),
    tenant: ({ tenant }) => slugs(tenant),
    tag: ({ tags }) => tags,
    cluster: ({ cluster }) => slugs(cluster),
    site: ({ site }) => slugs(site),
  };
  return (device) => {
    const labels = [...prefixes].flatMap(([kind, prefix]) =>
      namesOf[kind](device).map((name) => labelName(`${prefix}${name}`)),
    );
    return [...new Set(labels)].sort();
  };
}

/** Clusters have no slug. */
const slugs = (item: Reference | undefined): string[] => {
  const name = item?.slug === '' ? item.name : item?.slug;
  return name === undefined || name === '' ? [] : [name];
};

/** Labels of Muster contain no commas. */
const labelName = (name: string): string => cleanName(name).replaceAll(',', '_');
