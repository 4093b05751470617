import type { DeviceIds, EffectGroup } from './impact-assessor';

/** The devices of groups, each once, in order. */
export function distinctDevices(groups: readonly Pick<EffectGroup, 'devices'>[]): DeviceIds {
  const [first, ...others] = groups;
  if (others.length === 0) return first?.devices ?? [];
  const all = new Float64Array(groups.reduce((sum, { devices }) => sum + devices.length, 0));
  let length = 0;
  for (const { devices } of groups) {
    all.set(devices, length);
    length += devices.length;
  }
  all.sort();
  let count = 0;
  for (let i = 0; i < all.length; i++) if (i === 0 || all[i] !== all[i - 1]) all[count++] = all[i] ?? 0;
  return all.subarray(0, count);
}
