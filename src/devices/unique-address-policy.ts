import { Injectable } from '@nestjs/common';
import type { ChangeDiff, ObjectDiff } from '../changes/change-diff';
import { membersIn } from '../changes/resource-snapshot';
import type { WritePolicy } from '../changes/write-policy';
import { InventoryError } from '../core/errors';
import type { Transaction } from '../database/database';
import { arrayParameter, sql } from '../database/sql';
import { deviceKinds } from './device-kinds';
import { addressOf } from './duplicate-addresses';

/** How many conflicts one error contains. */
const MAX_REPORTED_CONFLICTS = 100;

const deviceMappings = new Set(deviceKinds.map(({ mapping }) => mapping));

/** Whether a change gave a device another address than it had before. */
function hasNewAddress({ mapping, before, after }: ObjectDiff): boolean {
  if (!deviceMappings.has(mapping) || !after) return false;
  return !before || addressOf(before) !== addressOf({ members: membersIn(after) });
}

/**
 * If the project's settings require unique addresses, a device cannot get the address of another one. The policy checks
 * every change: single writes, imports and reverts. Devices that have the same address already can still be changed.
 */
@Injectable()
export class UniqueAddressPolicy implements WritePolicy {
  /** @throws InventoryError 409 */
  async check({ tx, projectId, policy, objects }: ChangeDiff): Promise<undefined> {
    if (policy?.uniqueAddresses !== true) return undefined;
    const ids = objects.filter(hasNewAddress).map(({ id }) => id);
    if (ids.length === 0) return undefined;
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
    if (!first) return undefined;
    throw new InventoryError(
      'conflict',
      `${first.text}. The setting unique_addresses of the project forbids this.`,
      conflicts.map(({ text }) => ({ field: 'ip_address', code: 'duplicate', message: text })),
    );
  }
}

/**
 * The lock of a project's addresses. It serializes changes of addresses until their transactions end: the later of two
 * changes sees what the earlier one wrote. Addresses must be read by a later statement, because the snapshot of a statement
 * is older than a lock that it waits for.
 */
async function lockAddresses(tx: Transaction, projectId: string): Promise<void> {
  await tx.rows(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`addresses of ${projectId}`}, 0))`);
}
