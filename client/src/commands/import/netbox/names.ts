import type { NetBoxDevice } from './devices';

/** The name that a device would have, if no other device had the same; undefined for a device without a name. */
function ownName({ name, chassis }: NetBoxDevice): string | undefined {
  if (name !== undefined) return name;
  // As NetBox shows members of a virtual chassis.
  return chassis && chassis.name !== '' && chassis.position !== ''
    ? `${chassis.name}:${chassis.position}`
    : undefined;
}

/** Whether a device has neither a name nor a position in a named virtual chassis. */
export const isUnnamed = (device: NetBoxDevice): boolean => ownName(device) === undefined;

/**
 * Names that are unique among all devices and virtual machines, as Muster requires it; in NetBox a name is unique in a site
 * or cluster. All devices with the same name get the site as a suffix, virtual machines their cluster: `pdu1@berlin`. If
 * that is not unique either, they get their ids: `pdu1@device-12`.
 */
export function uniqueDeviceNames(devices: readonly NetBoxDevice[]): Map<NetBoxDevice, string> {
  const names = new Map(devices.map((device) => [device, ownName(device) ?? device.display]));
  for (const qualify of [withPlace, withId]) {
    const counts = new Map<string, number>();
    for (const name of names.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
    for (const [device, name] of names) if ((counts.get(name) ?? 0) > 1) names.set(device, qualify(device));
  }
  return names;

  function withPlace(device: NetBoxDevice): string {
    const { type, site, cluster } = device;
    const place = type === 'device' ? site?.slug : (cluster?.name ?? site?.slug);
    return place === undefined ? withId(device) : `${ownName(device) ?? device.display}@${place}`;
  }

  function withId(device: NetBoxDevice): string {
    return `${ownName(device) ?? device.display}@${device.type}-${device.id}`;
  }
}
