import { isIP, SocketAddress } from 'node:net';

/** An IP address, or a network. */
export interface Network {
  /** In the syntax of PostgreSQL's `inet`: an address, or an address and a prefix length. */
  readonly text: string;
  /** The length of its addresses, in bits. */
  readonly length: 32 | 128;
}

/** The bits of an IPv4-mapped IPv6 address before the IPv4 address. */
const MAPPED_BITS = 96;
const MAPPED = '::ffff:';

/**
 * Parses an address, or a network in CIDR notation; undefined for other texts. An IPv4-mapped IPv6 address
 * (`::ffff:10.1.0.2`) becomes the IPv4 address that it stands for, because the two name the same host. Scoped addresses
 * (`fe80::1%eth0`) are not accepted: the scope has a meaning on one host only.
 */
export function parseNetwork(text: string): Network | undefined {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return undefined;
  const length = version === 4 ? 32 : 128;
  if (prefix !== undefined && !(/^\d{1,3}$/.test(prefix) && Number(prefix) <= length)) return undefined;
  const mapped = version === 6 ? mappedAddress(address) : undefined;
  if (mapped === undefined) return { text, length };
  if (prefix === undefined) return { text: mapped, length: 32 };
  const ipv4Prefix = Number(prefix) - MAPPED_BITS;
  return ipv4Prefix < 0 ? { text, length } : { text: `${mapped}/${String(ipv4Prefix)}`, length: 32 };
}

/** Parses an address without a prefix length; undefined for other texts. */
export const parseAddress = (text: string): string | undefined =>
  text.includes('/') ? undefined : parseNetwork(text)?.text;

/** The IPv4 address of an IPv4-mapped IPv6 address in any spelling. */
function mappedAddress(address: string): string | undefined {
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address;
  const ipv4 = canonical.startsWith(MAPPED) ? canonical.slice(MAPPED.length) : '';
  return isIP(ipv4) === 4 ? ipv4 : undefined;
}

/**
 * The same conversion in SQL: an `inet` from a text that is a valid address. PostgreSQL prints all spellings of such an
 * address in one form. @param text constant SQL for the text
 */
export const addressSql = (text: string): string =>
  `regexp_replace(host((${text})::inet), '^${MAPPED}(\\d+\\.\\d+\\.\\d+\\.\\d+)$', '\\1')::inet`;
