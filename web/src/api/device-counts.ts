import { api, unwrap } from './client';
import type { DeviceKind } from './kinds';

/** The exact number of devices of a kind that match filters. */
export async function countDevices(
  kind: DeviceKind['kind'],
  project_id: string,
  filters: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<number> {
  const query = { ...filters, project_id, kind };
  const { devices } = await unwrap(api.GET('/v1/devices/counts', { params: { query }, signal }));
  return devices;
}
