import { CliError, EXIT } from '../../../cli-error';
import { compareCodePoints } from '../../../text';
import { listText, type SkippedObject } from '../skipped-objects';
import type { Addresses } from './addresses';
import type { AnsibleInventory, Group } from './inventory';
import type { Mapping } from './mapping';

/** A host with its region, cell, labels and address. */
export interface LocatedHost {
  readonly name: string;
  readonly region: string;
  readonly cell: string | undefined;
  /** In ascending precedence. */
  readonly labels: readonly string[];
  readonly address: string;
  /** The variable with the address that Ansible connects to. It is not imported, because the address is a member. */
  readonly addressVariable: string | undefined;
}

/** Hosts in their regions and cells, and hosts that are not imported. */
export interface HostLocations {
  readonly located: readonly LocatedHost[];
  readonly skipped: readonly SkippedObject[];
  /** Hosts that have the address of the mapping for those without one. */
  readonly withoutAddress: readonly string[];
}

/** What to do about hosts without an address. */
export const ADDRESS_REMEDY =
  '  In the mapping, ip_address names other variables, addresses.resolve: true looks names up, and addresses.missing is another address, or null to skip these hosts.';

/** The variables that Ansible takes the address from. `muster ansible` prints `ansible_host` for the address. */
const ANSIBLE_ADDRESSES = ['ansible_host', 'ansible_ssh_host'];

/** Assigns a region, and perhaps a cell, to every host. @throws CliError with the hosts for which this fails */
export function locateHosts(
  inventory: AnsibleInventory,
  mapping: Mapping,
  { found }: Addresses,
): HostLocations {
  const errors = new LocationErrors();
  const names = [...inventory.hosts.keys()].sort(compareCodePoints);
  const { addressVariables, requiresAddresses, keys, addresses } = mapping;
  if (requiresAddresses && found.size === 0)
    for (const name of names)
      errors.add(`have no IP address in ${addressVariables.join(', ')}`, name, ADDRESS_REMEDY);
  const withoutAddress: string[] = [];
  const skipped: SkippedObject[] = [];
  const located = names.flatMap((name): LocatedHost[] => {
    const { address = addresses.missing, variable = '' } = found.get(name) ?? {};
    if (address === undefined) {
      skipped.push({ object: name, reason: 'it has no IP address' });
      return [];
    }
    const groups = inventory.groupsOf(name);
    const cell = findCell(name, groups, mapping, errors);
    const region = findRegion(name, groups, cell?.region, mapping, errors);
    if (region === undefined) return [];
    if (!found.has(name)) withoutAddress.push(name);
    const labels = unique(groups.flatMap((group) => mapping.labels.get(group.name) ?? []));
    return [
      {
        name,
        region,
        cell: cell?.name,
        labels: labels.sort(compareCodePoints),
        address,
        addressVariable: ANSIBLE_ADDRESSES.includes(variable)
          ? (keys.rename.get(variable) ?? variable)
          : undefined,
      },
    ];
  });
  errors.throwIfAny();
  return { located, skipped, withoutAddress };
}

function findCell(name: string, groups: readonly Group[], { cells }: Mapping, errors: LocationErrors) {
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
  errors: LocationErrors,
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
class LocationErrors {
  private readonly hosts = new Map<string, string[]>();
  private readonly remedies = new Set<string>();

  add(problem: string, host: string, remedy?: string): void {
    if (remedy !== undefined) this.remedies.add(remedy);
    const hosts = this.hosts.get(problem);
    if (hosts) hosts.push(host);
    else this.hosts.set(problem, [host]);
  }

  /** @throws CliError if there are any */
  throwIfAny(): void {
    if (this.hosts.size === 0) return;
    const lines = [...this.hosts].map(
      ([problem, hosts]) => `  ${String(hosts.length)} ${problem}: ${listText(hosts)}`,
    );
    throw new CliError('These hosts cannot be imported with this mapping:', EXIT.usageError, [
      ...lines,
      ...this.remedies,
    ]);
  }
}
