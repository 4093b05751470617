import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { printStatus } from '../../../output/console';
import { pluralize } from '../../../text';
import type { AnsibleInventory } from './inventory';
import type { Mapping } from './mapping';

/** The address of a host, and the variable that it comes from, if it comes from one. */
interface HostAddress {
  readonly address: string;
  readonly variable: string | undefined;
}

/** The addresses of hosts. */
export interface Addresses {
  /** By the names of hosts. Hosts without an address are missing. */
  readonly found: ReadonlyMap<string, HostAddress>;
  /** The names that were looked up, with the address or the code of the error. */
  readonly resolved: readonly string[];
  readonly unresolved: readonly string[];
}

/** Finds addresses: in the variables of the mapping, in the names of hosts, and if the mapping says so in the DNS. */
export async function findAddresses(
  inventory: AnsibleInventory,
  { addressVariables, addresses: { resolve } }: Mapping,
): Promise<Addresses> {
  const found = new Map<string, HostAddress>();
  const named = new Map<string, string>();
  for (const host of inventory.hosts.keys()) {
    const variables = inventory.resolve(host);
    const texts = [
      ...addressVariables.map((variable) => ({ variable, text: variables.get(variable)?.value })),
      { variable: undefined, text: host },
    ];
    const addresses = texts.flatMap(({ variable, text }) => {
      const address = parseAddress(text);
      return address === undefined ? [] : [{ address, variable }];
    });
    if (addresses[0]) found.set(host, addresses[0]);
    else named.set(host, texts.map(({ text }) => text).find(isHostName) ?? host);
  }
  if (!resolve) return { found, resolved: [], unresolved: [] };
  const results = await lookUp([...new Set(named.values())]);
  for (const [host, name] of named) {
    const { address } = results.get(name) ?? {};
    if (address !== undefined) found.set(host, { address, variable: undefined });
  }
  return {
    found,
    resolved: [...results].flatMap(([name, { address }]) =>
      address === undefined ? [] : [`${name} (${address})`],
    ),
    unresolved: [...results].flatMap(([name, { error }]) =>
      error === undefined ? [] : [`${name} (${error})`],
    ),
  };
}

/** An address without the zone of a link-local one (`fe80::1%eth0`), which is a name on the controller. */
function parseAddress(text: unknown): string | undefined {
  const address = typeof text === 'string' ? text.trim().replace(/%.*$/, '') : '';
  return isIP(address) === 0 ? undefined : address;
}

/** Whether a name can be looked up: neither empty nor a template. */
const isHostName = (text: unknown): text is string => typeof text === 'string' && /^[\w.-]+$/.test(text);

/** How many names are looked up at a time. */
const CONCURRENCY = 32;

interface LookUpResult {
  readonly address?: string;
  readonly error?: string;
}

/** Looks up names as other programs of this machine do: in its file of hosts and in the DNS. */
async function lookUp(names: readonly string[]): Promise<ReadonlyMap<string, LookUpResult>> {
  const results = new Map<string, LookUpResult>();
  if (names.length === 0) return results;
  printStatus(`Looking up the addresses of ${pluralize(names.length, 'name')}.`);
  const waiting = [...names];
  const lookUpNext = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
      results.set(name, await lookUpOne(name));
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, lookUpNext));
  return results;
}

async function lookUpOne(name: string): Promise<LookUpResult> {
  try {
    const { address } = await lookup(name);
    return { address };
  } catch (error) {
    return { error: error instanceof Error && 'code' in error ? String(error.code) : String(error) };
  }
}
