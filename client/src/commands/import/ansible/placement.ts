import { isIP } from 'node:net';
import { CliError, EXIT } from '../../../cli-error';
import { compareCodePoints } from '../../../text';
import type { AnsibleInventory, Group } from './inventory';
import type { Mapping } from './mapping';

/** A host with its region, cell, labels and address. */
export interface PlacedHost {
  readonly name: string;
  readonly region: string;
  readonly cell: string | undefined;
  /** In ascending precedence. */
  readonly labels: readonly string[];
  readonly address: string;
}

const MAX_SHOWN_HOSTS = 10;

/** Assigns a region, and perhaps a cell, to every host. @throws CliError with the hosts for which this fails */
export function placeHosts(inventory: AnsibleInventory, mapping: Mapping): PlacedHost[] {
  const errors = new PlacementErrors();
  const placed = [...inventory.hosts.keys()].sort(compareCodePoints).flatMap((name) => {
    const groups = inventory.groupsOf(name);
    const cell = findCell(name, groups, mapping, errors);
    const region = findRegion(name, groups, cell?.region, mapping, errors);
    const address = findAddress(name, inventory, mapping);
    if (address === undefined) errors.add(`have no IP address in ${mapping.address}`, name);
    if (region === undefined || address === undefined) return [];
    const labels = unique(groups.flatMap((group) => mapping.labels.get(group.name) ?? []));
    return [{ name, region, cell: cell?.name, labels: labels.sort(compareCodePoints), address }];
  });
  errors.throwIfAny();
  return placed;
}

/** The address in a variable of the host, or the name of the host if that is an address. */
function findAddress(name: string, inventory: AnsibleInventory, { address }: Mapping): string | undefined {
  const value = inventory.resolve(name).get(address)?.value;
  return [value, name].find((one): one is string => typeof one === 'string' && isIP(one) !== 0);
}

function findCell(name: string, groups: readonly Group[], { cells }: Mapping, errors: PlacementErrors) {
  const found = groups.flatMap((group) => cells.get(group.name) ?? []);
  const [first] = found;
  const isUnique = found.every((one) => one.name === first?.name && one.region === first.region);
  if (!isUnique) errors.add('would be in several cells', name);
  return first;
}

function findRegion(
  name: string,
  groups: readonly Group[],
  regionOfCell: string | undefined,
  { regions, region }: Mapping,
  errors: PlacementErrors,
): string | undefined {
  const mapped = groups.flatMap((group) => regions.get(group.name) ?? []);
  const found = unique(regionOfCell === undefined ? mapped : [...mapped, regionOfCell]);
  if (found.length > 1) errors.add(`would be in several regions (${found.join(', ')})`, name);
  const one = found[0] ?? region;
  if (one === undefined) errors.add('are in no region: use --region', name);
  return one;
}

const unique = (names: readonly string[]): string[] => [...new Set(names)];

/** Collects problems, and the hosts that have them. */
class PlacementErrors {
  private readonly hosts = new Map<string, string[]>();

  add(problem: string, host: string): void {
    const hosts = this.hosts.get(problem);
    if (hosts) hosts.push(host);
    else this.hosts.set(problem, [host]);
  }

  /** @throws CliError if there are any */
  throwIfAny(): void {
    if (this.hosts.size === 0) return;
    const lines = [...this.hosts].map(([problem, hosts]) => {
      const more =
        hosts.length > MAX_SHOWN_HOSTS ? ` and ${String(hosts.length - MAX_SHOWN_HOSTS)} more` : '';
      return `  ${String(hosts.length)} ${problem}: ${hosts.slice(0, MAX_SHOWN_HOSTS).join(', ')}${more}`;
    });
    throw new CliError('This mapping does not place every host:', EXIT.usageError, lines);
  }
}
