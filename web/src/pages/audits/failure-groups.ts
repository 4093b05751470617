import type { Failure } from '../../api/audits';
import { jsonText } from '../../api/exact-json';
import { levelOf } from '../../components/levels';

/** A region, cell or label that sets a value of failing devices. */
interface LevelGroup {
  readonly type: 'level';
  readonly level: NonNullable<Failure['source']>;
  readonly key: string;
  readonly value: unknown;
  readonly devices: readonly Failure[];
}

/** The failing devices that set a key themselves. */
interface OwnGroup {
  readonly type: 'own';
  readonly key: string;
  /** The different values. */
  readonly values: readonly unknown[];
  readonly devices: readonly Failure[];
}

/** Failing devices by what sets their values. */
export type FailureGroup = LevelGroup | OwnGroup;

/** Identifies a group, also after the devices were read again. */
export const groupId = (group: FailureGroup): string =>
  group.type === 'own'
    ? JSON.stringify([group.key])
    : JSON.stringify([group.key, group.level.kind, group.level.id]);

/**
 * The failing devices by what sets their values, the largest group first: first the levels, each of which is corrected once for its
 * devices, then the own values of devices, which are counted together.
 */
export function failureGroupsOf(failures: readonly Failure[]): readonly FailureGroup[] {
  const groups = new Map<string, Failure[]>();
  for (const failure of failures) {
    const { source, key } = failure;
    if (!source) continue;
    const id = isOwn(failure) ? JSON.stringify([key]) : JSON.stringify([key, source.kind, source.id]);
    const group = groups.get(id) ?? [];
    group.push(failure);
    groups.set(id, group);
  }
  return [...groups.values()]
    .flatMap((devices) => groupOf(devices) ?? [])
    .toSorted(
      (a, b) => Number(a.type === 'own') - Number(b.type === 'own') || b.devices.length - a.devices.length,
    );
}

const isOwn = ({ source }: Failure): boolean => source !== null && levelOf(source.kind) === 'device';

function groupOf(devices: readonly Failure[]): FailureGroup | undefined {
  const [first] = devices;
  if (!first?.source) return undefined;
  const { source, key, value } = first;
  if (!isOwn(first)) return { type: 'level', level: source, key, value, devices };
  const values = new Map(devices.map((device) => [jsonText(device.value), device.value]));
  return { type: 'own', key, values: [...values.values()], devices };
}
