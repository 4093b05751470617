import type { DeviceKind } from './device-kind';
import { host } from './kinds/host/host';
import { networkDevice } from './kinds/network-device/network-device';

/** Every kind of device. Routes, lists, filters, change records and the API's description follow from this list. */
export const deviceKinds: readonly DeviceKind[] = [host, networkDevice];
