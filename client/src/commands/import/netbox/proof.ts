import { canonicalJson, toMembers } from '../../../api/exact-json';
import type { Muster } from '../../../api/muster';
import { exportLines } from '../../long-requests';
import { deviceKinds } from './existing';
import type { PlacedVariables } from './placed-variables';

/** A variable that a device resolves differently than NetBox renders it. */
export interface Difference {
  readonly device: string;
  readonly key: string;
  /** JSON; undefined if NetBox renders no such key. */
  readonly netbox: string | undefined;
  /** JSON; undefined if the device resolves no such variable. */
  readonly muster: string | undefined;
}

/** The comparison of all devices. */
export interface Proof {
  /** How many devices were compared. */
  readonly devices: number;
  /** How many values were compared: those that NetBox renders, and those that only Muster has. */
  readonly values: number;
  readonly differences: readonly Difference[];
  /** Devices that are not in Muster. */
  readonly missing: readonly string[];
}

export const isProven = ({ differences, missing }: Proof): boolean =>
  differences.length === 0 && missing.length === 0;

/**
 * Compares what the imported devices resolve in Muster with what NetBox renders.
 * @param names of the imported devices
 * @param owned the keys that are compared
 * @throws ApiError, NetworkError
 */
export async function compareWithMuster(
  muster: Muster,
  names: readonly string[],
  { expected }: Pick<PlacedVariables, 'expected'>,
  owned: ReadonlySet<string>,
): Promise<Proof> {
  const missing = new Set(names);
  const differences: Difference[] = [];
  let values = 0;
  for await (const line of exportLines(muster, { kind: deviceKinds(), 'resolved-values': true })) {
    const device = String(line['name']);
    if (!missing.delete(device)) continue;
    const resolved = toMembers(line['variables']) ?? new Map<string, unknown>();
    const rendered = expected.get(device) ?? new Map<string, string>();
    for (const [key, netbox] of rendered) {
      const muster = resolved.has(key) ? canonicalJson(resolved.get(key)) : undefined;
      if (muster !== netbox) differences.push({ device, key, netbox, muster });
    }
    const extra = [...resolved].filter(([key]) => owned.has(key) && !rendered.has(key));
    for (const [key, value] of extra)
      differences.push({ device, key, netbox: undefined, muster: canonicalJson(value) });
    values += rendered.size + extra.length;
  }
  return { devices: names.length - missing.size, values, differences, missing: [...missing] };
}
