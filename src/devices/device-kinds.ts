import { declaredKinds, type DeviceKind } from './device-kind';
import { host } from './kinds/host/host.entity';
import { networkDevice } from './kinds/network-device/network-device.entity';

/** All kinds of devices. Routes, lists, filters, change records and the API description are derived from this list. */
export const deviceKinds: readonly DeviceKind[] = [host, networkDevice];

/** Their names, as in change records. */
export const deviceKindNames: readonly string[] = deviceKinds.map(({ mapping }) => mapping.kind);

/** Called when the application starts, because a kind without an entry has routes but no entity. @throws Error */
export function assertAllKindsListed(): void {
  const missing = declaredKinds.filter((kind) => !deviceKindNames.includes(kind));
  if (missing.length > 0)
    throw new Error(`src/devices/device-kinds.ts does not list the kinds ${missing.join(', ')}`);
}
