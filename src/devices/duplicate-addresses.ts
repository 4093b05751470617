import { sql, type Sql } from '../database/sql';

/** How many devices with the same address a warning names. */
const MAX_NAMED_DEVICES = 3;
/** Up to this number, devices with the same address are counted. */
const MAX_COUNTED = 100;
/** Longer names are truncated in warnings, because they are sent in a header. */
const MAX_NAME_LENGTH = 60;

/** The other devices with the address of a device. */
export interface DuplicateAddress {
  readonly address: string;
  /** `host web-1`: the first of them. */
  readonly names: readonly string[];
  /** At most `MAX_COUNTED`. */
  readonly count: number;
}

/** A column over the written device `t`: its `DuplicateAddress`, or null if no other device has its address. */
export const duplicateAddressColumn: Sql = sql`(SELECT json_build_object('address', host(t.ip_address),
    'names', (array_agg(d.kind || ' ' || d.name ORDER BY d.id))[1:${MAX_NAMED_DEVICES}], 'count', count(*))
  FROM (SELECT o.id, o.kind, o.name FROM devices o
    WHERE o.project_id = t.project_id AND o.ip_address = t.ip_address AND o.id <> t.id
    ORDER BY o.id LIMIT ${MAX_COUNTED}) d HAVING count(*) > 0) AS duplicate_address`;

/** The text of a warning: `10.1.1.9 is also the address of host web-1, host web-2, host web-3 and 4 more`. */
export function duplicateAddressWarning({ address, names, count }: DuplicateAddress): string {
  const more = count - names.length;
  const others = more === 0 ? '' : ` and ${count === MAX_COUNTED ? 'at least ' : ''}${String(more)} more`;
  return `${address} is also the address of ${names.map(truncate).join(', ')}${others}`;
}

function truncate(name: string): string {
  const characters = Array.from(name);
  return characters.length > MAX_NAME_LENGTH ? `${characters.slice(0, MAX_NAME_LENGTH).join('')}…` : name;
}

/** The address in the state of a device. */
export const addressOf = (state: { readonly members: string } | undefined): unknown =>
  state && (JSON.parse(state.members) as { readonly ip_address: unknown }).ip_address;
