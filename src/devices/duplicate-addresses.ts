import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ChangeDiff, ObjectDiff } from '../changes/change-diff';
import { WritePolicies, type WritePolicy } from '../changes/change-hooks';
import { InventoryError } from '../core/errors';
import type { Transaction } from '../database/database';
import { arrayParameter, sql, type Sql } from '../database/sql';
import { deviceKinds } from './device-kinds';

/** How many devices with the same address a warning names. */
const MAX_NAMED_DEVICES = 3;
/** Up to this number, devices with the same address are counted. */
const MAX_COUNTED = 100;
/** Longer names are truncated in warnings, because they are sent in a header. */
const MAX_NAME_LENGTH = 60;
/** How many conflicts one error contains. */
const MAX_REPORTED_CONFLICTS = 100;

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

const deviceShapes = new Set(deviceKinds.map(({ shape }) => shape));

/** Whether a change gave a device another address than it had before. */
function hasNewAddress({ shape, before, after }: ObjectDiff): boolean {
  if (!deviceShapes.has(shape) || !after) return false;
  return addressOf(before) !== addressOf(after);
}

/** The address in the state of a device. */
export const addressOf = (state: { readonly members: string } | undefined): unknown =>
  state && (JSON.parse(state.members) as { readonly ip_address: unknown }).ip_address;

/**
 * If the project's settings require unique addresses, a device cannot get the address of another one. The policy checks
 * every change: single writes, imports and reverts. Devices that have the same address already can still be changed.
 */
@Injectable()
export class UniqueAddressPolicy implements WritePolicy, OnModuleInit {
  constructor(private readonly rules: WritePolicies) {}

  onModuleInit(): void {
    this.rules.add(this);
  }

  /** @throws InventoryError 409 */
  async check({ tx, projectId, policy, objects }: ChangeDiff): Promise<void> {
    if (policy?.uniqueAddresses !== true) return;
    const ids = objects.filter(hasNewAddress).map(({ id }) => id);
    if (ids.length === 0) return;
    await lockAddresses(tx, projectId);
    const conflicts = await tx.rows<{ text: string }>(
      sql`SELECT t.kind || ' ' || t.name || ': ' || host(t.ip_address) || ' is also the address of ' || o.kind || ' ' || o.name AS text
        FROM devices t CROSS JOIN LATERAL (SELECT o.kind, o.name FROM devices o
          WHERE o.project_id = t.project_id AND o.ip_address = t.ip_address AND o.id <> t.id ORDER BY o.id LIMIT 1) o
        WHERE t.project_id = ${projectId} AND t.id = ANY(${arrayParameter(ids)}::bigint[])
        ORDER BY t.id LIMIT ${MAX_REPORTED_CONFLICTS}`,
      'custom',
    );
    const [first] = conflicts;
    if (!first) return;
    throw new InventoryError(
      'conflict',
      `${first.text}. The setting unique_addresses of the project forbids this.`,
      conflicts.map(({ text }) => ({ field: 'ip_address', message: text })),
    );
  }
}

/**
 * Serializes changes of addresses within a project until their transactions end: the later of two changes sees what the
 * earlier one wrote. Addresses must be read by a later statement, because the snapshot of a statement is older than a
 * lock that it waits for.
 */
async function lockAddresses(tx: Transaction, projectId: string): Promise<void> {
  await tx.rows(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`addresses of ${projectId}`}, 0))`);
}
