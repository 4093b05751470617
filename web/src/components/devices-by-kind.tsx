import { defaultKind, deviceKind, kindWords } from '../api/kinds';
import { counted } from './counted';
import type { ListSearch } from './list-search';
import { RouteLink } from './resource-link';

/** A number of devices of a kind. */
export interface KindCount {
  readonly kind?: string;
  readonly devices: number;
}

interface Props {
  readonly counts: readonly KindCount[];
  /** What selects the devices that were counted. */
  readonly search: ListSearch;
}

/** Numbers of devices, each with a link to the list of exactly these: a list has one kind. `3 hosts, 1 network device` */
export function DevicesByKind({ counts, search }: Props) {
  const found = counts.filter(({ devices }) => devices > 0);
  const shown = found.length === 0 ? [{ kind: defaultKind.kind, devices: 0 }] : found;
  return shown.map(({ kind = '', devices }, i) => {
    const { kind: one, collection } = deviceKind(kind) ?? defaultKind;
    return (
      <span key={one}>
        {i > 0 && ', '}
        <RouteLink to="/devices" search={{ ...search, collection }} size="sm">
          {counted(devices, kindWords(one), kindWords(collection))}
        </RouteLink>
      </span>
    );
  });
}
