import type { Failure } from '../../api/audits';
import { jsonText } from '../../api/exact-json';
import { levelOf } from '../../components/levels';

/** A region, cell or label that sets a value of failing devices. */
interface LevelSource {
  readonly type: 'level';
  readonly source: NonNullable<Failure['source']>;
  readonly key: string;
  readonly value: unknown;
  readonly devices: readonly Failure[];
}

/** The failing devices that set a key themselves. */
interface OwnSource {
  readonly type: 'own';
  readonly key: string;
  /** The different values. */
  readonly values: readonly unknown[];
  readonly devices: readonly Failure[];
}

/** What sets the values of failing devices. */
export type FailureSource = LevelSource | OwnSource;

/** Identifies a source, also after the devices were read again. */
export const sourceId = (source: FailureSource): string =>
  source.type === 'own'
    ? JSON.stringify([source.key])
    : JSON.stringify([source.key, source.source.kind, source.source.id]);

/**
 * What sets the values of failing devices, those of the most devices first: first the levels, each of which is corrected once for its
 * devices, then the own values of devices, which are counted together.
 */
export function failureSourcesOf(failures: readonly Failure[]): readonly FailureSource[] {
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
    .flatMap((devices) => sourceOf(devices) ?? [])
    .toSorted(
      (a, b) => Number(a.type === 'own') - Number(b.type === 'own') || b.devices.length - a.devices.length,
    );
}

const isOwn = ({ source }: Failure): boolean => source !== null && levelOf(source.kind) === 'device';

function sourceOf(devices: readonly Failure[]): FailureSource | undefined {
  const [first] = devices;
  if (!first?.source) return undefined;
  const { source, key, value } = first;
  if (!isOwn(first)) return { type: 'level', source, key, value, devices };
  const values = new Map(devices.map((device) => [jsonText(device.value), device.value]));
  return { type: 'own', key, values: [...values.values()], devices };
}
