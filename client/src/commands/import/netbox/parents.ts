import type { NetBoxDevice } from './devices';
import { treeMatcher, type NetBoxInventory } from './inventory';
import type { Mapping } from './mapping';

/** The parent of each device in NetBox, by the relations that the mapping names. Only devices are parents. */
export function findParents(
  devices: readonly NetBoxDevice[],
  { connections, roles }: Pick<NetBoxInventory, 'connections' | 'roles'>,
  { parents }: Pick<Mapping, 'parents'>,
): Map<NetBoxDevice, NetBoxDevice> {
  const byId = new Map(devices.filter(({ type }) => type === 'device').map((device) => [device.id, device]));
  const tiers = parents.uplinks.map((pattern) => treeMatcher(roles, [pattern]));
  /** The tier of a device, from 0 at the top of the network; after the last for devices below all of them. */
  const tierOf = ({ role }: NetBoxDevice): number => {
    const tier = tiers.findIndex((matches) => matches(role));
    return tier < 0 ? tiers.length : tier;
  };
  const uplinkOf = (device: NetBoxDevice): NetBoxDevice | undefined => {
    if (device.type !== 'device') return undefined;
    const own = tierOf(device);
    const upstream = (connections.get(device.id) ?? [])
      .flatMap((id) => byId.get(id) ?? [])
      .map((one) => ({ one, tier: tierOf(one) }))
      .filter(({ tier }) => tier < own);
    const closest = Math.max(...upstream.map(({ tier }) => tier));
    return upstream.find(({ tier }) => tier === closest)?.one;
  };
  const parentOf = (device: NetBoxDevice): NetBoxDevice | undefined => {
    const { bayDevice, chassis, hostDevice } = device;
    const candidates = [
      parents.deviceBay ? bayDevice : undefined,
      parents.virtualChassis ? chassis?.master : undefined,
      parents.hostDevice ? hostDevice : undefined,
    ];
    const parent = candidates
      .flatMap((id) => (id === undefined ? [] : (byId.get(id) ?? [])))
      .find((one) => one !== device);
    return parent ?? uplinkOf(device);
  };
  return new Map(
    devices.flatMap((device): [NetBoxDevice, NetBoxDevice][] => {
      const parent = parentOf(device);
      return parent ? [[device, parent]] : [];
    }),
  );
}

/** Whether the mapping makes any relation a parent. Otherwise parents in Muster stay as they are. */
export const mapsParents = ({ parents }: Mapping): boolean =>
  parents.deviceBay || parents.virtualChassis || parents.hostDevice || parents.uplinks.length > 0;
