import { isIP } from 'node:net';
import { EXIT, Failure } from '../../../cli-error';
import { byCodePoint, type Group, type Inventory } from './inventory';
import type { Mapping } from './mapping';

/** Where a host stands. */
export interface Placed {
  readonly name: string;
  readonly region: string;
  readonly cell: string | undefined;
  /** In the order in which they are laid over each other. */
  readonly labels: readonly string[];
  readonly address: string;
}

/** So many hosts are named. */
const SHOWN = 10;

/** Puts every host into a region, and perhaps into a cell. @throws Failure that names the hosts that have no place */
export function placeHosts(inventory: Inventory, mapping: Mapping): Placed[] {
  const faults = new Faults();
  const placed = [...inventory.hosts.keys()].sort(byCodePoint).flatMap((name) => {
    const groups = inventory.groupsOf(name);
    const cell = cellOf(name, groups, mapping, faults);
    const region = regionOf(name, groups, cell?.region, mapping, faults);
    const address = addressOf(name, inventory, mapping);
    if (address === undefined) faults.add(`have no IP address in ${mapping.address}`, name);
    if (region === undefined || address === undefined) return [];
    const labels = distinct(groups.flatMap((group) => mapping.labels.get(group.name) ?? []));
    return [{ name, region, cell: cell?.name, labels: labels.sort(byCodePoint), address }];
  });
  faults.tell();
  return placed;
}

/** The address that its variables tell; a host may also be called by it. */
function addressOf(name: string, inventory: Inventory, { address }: Mapping): string | undefined {
  const given = inventory.resolve(name).get(address)?.value;
  return [given, name].find((one): one is string => typeof one === 'string' && isIP(one) !== 0);
}

function cellOf(name: string, groups: readonly Group[], { cells }: Mapping, faults: Faults) {
  const found = groups.flatMap((group) => cells.get(group.name) ?? []);
  const [first] = found;
  const isOne = found.every((one) => one.name === first?.name && one.region === first.region);
  if (!isOne) faults.add('would be in several cells', name);
  return first;
}

function regionOf(
  name: string,
  groups: readonly Group[],
  ofCell: string | undefined,
  { regions, region }: Mapping,
  faults: Faults,
): string | undefined {
  const named = groups.flatMap((group) => regions.get(group.name) ?? []);
  const found = distinct(ofCell === undefined ? named : [...named, ofCell]);
  if (found.length > 1) faults.add(`would be in several regions (${found.join(', ')})`, name);
  const one = found[0] ?? region;
  if (one === undefined) faults.add('are in no region: give them one with --region', name);
  return one;
}

const distinct = (names: readonly string[]): string[] => [...new Set(names)];

/** What keeps hosts from having a place, and which. */
class Faults {
  private readonly hosts = new Map<string, string[]>();

  add(fault: string, host: string): void {
    const hosts = this.hosts.get(fault);
    if (hosts) hosts.push(host);
    else this.hosts.set(fault, [host]);
  }

  /** @throws Failure if there are any */
  tell(): void {
    if (this.hosts.size === 0) return;
    const lines = [...this.hosts].map(([fault, hosts]) => {
      const more = hosts.length > SHOWN ? ` and ${String(hosts.length - SHOWN)} more` : '';
      return `  ${String(hosts.length)} ${fault}: ${hosts.slice(0, SHOWN).join(', ')}${more}`;
    });
    throw new Failure('Not every host has its place with this mapping:', EXIT.usage, lines);
  }
}
