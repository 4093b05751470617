import { treeMatcher, type NetBoxInventory } from './inventory';
import { deviceLabels } from './device-labels';
import { deviceText, type NetBoxDevice } from './devices';
import type { Mapping } from './mapping';
import { isUnnamed, uniqueDeviceNames } from './names';
import { findParents } from './parents';
import { placeDevices, type Place } from './places';

/** A device as it will be in Muster. */
export interface PlannedDevice extends Place {
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

/** A device of NetBox that is not imported. */
export interface SkippedDevice {
  /** `device 12 (pdu1)` */
  readonly object: string;
  readonly reason: string;
}

/** Which devices are imported, and how. */
export interface DevicePlan {
  readonly devices: readonly PlannedDevice[];
  readonly skipped: readonly SkippedDevice[];
}

/** Maps the devices and virtual machines of NetBox to devices of Muster. */
export function planDevices(inventory: NetBoxInventory, mapping: Mapping): DevicePlan {
  const places = placeDevices(inventory.devices, inventory, mapping);
  const reasonOf = skipReasons(inventory, mapping, places);
  const skipped: SkippedDevice[] = [];
  const accepted: { readonly device: NetBoxDevice; readonly place: Place; readonly address: string }[] = [];
  for (const device of inventory.devices) {
    const reason = reasonOf(device);
    const place = places.get(device);
    const address = device.address ?? mapping.addresses.missing;
    if (reason !== undefined || place === undefined || address === undefined)
      skipped.push({ object: deviceText(device), reason: reason ?? '' });
    else accepted.push({ device, place, address });
  }
  const devices = accepted.map(({ device }) => device);
  const names = uniqueDeviceNames(devices);
  const parents = findParents(devices, inventory, mapping);
  const isNetworkDevice = treeMatcher(inventory.roles, mapping.devices.networkDeviceRoles);
  const labelsOf = deviceLabels(inventory, mapping);
  const active = new Set(mapping.devices.activeStatuses);
  return {
    devices: accepted.map(({ device, place, address }) => {
      const parent = parents.get(device);
      return {
        ...place,
        name: names.get(device) ?? device.display,
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
  };
}

/** Why a device is skipped; undefined if it is not. */
function skipReasons(
  { roles }: NetBoxInventory,
  { devices, regions, addresses }: Mapping,
  places: ReadonlyMap<NetBoxDevice, Place | undefined>,
): (device: NetBoxDevice) => string | undefined {
  const isSkippedRole = treeMatcher(roles, devices.skipRoles);
  const skippedStatuses = new Set(devices.skipStatuses);
  return (device) => {
    const { role, status, address } = device;
    if (isSkippedRole(role)) return `devices.skip_roles contains its role ${role?.slug ?? ''}`;
    if (skippedStatuses.has(status)) return `devices.skip_statuses contains its status ${status}`;
    if (devices.unnamed === 'skip' && isUnnamed(device)) return 'it has no name';
    if (regions.fallback === undefined && !places.get(device))
      return `it has no ${regions.from.replace('_', ' ')}`;
    if (addresses.missing === undefined && address === undefined) return 'it has no primary address';
    return undefined;
  };
}
