import { ApiError, NetworkError } from '../api/errors';
import { asObject, toNumber } from '../api/exact-json';
import type { ApiResponse } from '../api/muster';
import { printStatus } from '../output/console';
import type { Session } from './session';

/** A page size that every configuration of the service accepts. */
const PAGE_LIMIT = 10;

/** The number of affected devices in a change record; undefined if it is unknown, or hidden from the user. */
export function affectedDevices(record: unknown): number | undefined {
  const { impact } = asObject(record);
  return impact === null || impact === undefined ? undefined : toNumber(asObject(impact)['devices']);
}

/**
 * How many devices resolve other values after a write that was not previewed, from its change record.
 * @returns undefined if it is unknown. The write is done, so this is no error
 */
export async function readAffectedDevices(
  { muster }: Session,
  { headers }: ApiResponse,
): Promise<number | undefined> {
  const query = { request_id: headers.get('x-request-id'), fields: 'impact', limit: PAGE_LIMIT };
  if (query.request_id === null) return undefined;
  try {
    const { items } = await muster.firstPage('/v1/changes', { query });
    return items.length === 1 ? affectedDevices(items[0]) : undefined;
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof NetworkError)) throw error;
    printStatus(`The number of affected devices is unknown: ${error.message}`);
    return undefined;
  }
}
