import type { DeviceKind } from './device-kind';
import { host } from './kinds/host/host.entity';
import { networkDevice } from './kinds/network-device/network-device.entity';

/** All kinds of devices. Routes, lists, filters, change records and the API description are derived from this list. */
export const deviceKinds: readonly DeviceKind[] = [host, networkDevice];
