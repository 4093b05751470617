import { beginningOf } from './beginning-of';
import type { PlannedWrite } from './planned-write';
import { MAX_REASON_LENGTH, reasonText } from './change-reason';

/** Whether a request reverts a change. */
export const isRevert = ({ path }: Pick<PlannedWrite['request'], 'path'>): boolean =>
  /^\/v1\/changes\/\d+\/revert$/.test(path);

/**
 * The plan to revert a change by a new one, whose reason names it.
 * @param what the reason of the change, or what it did
 */
export const planRevert = (id: number, what: string): PlannedWrite => ({
  title: `Revert change ${id}`,
  request: { method: 'POST', path: `/v1/changes/${id}/revert` },
  command: ['muster', 'change', 'revert', String(id)],
  reason: beginningOf(reasonText(`Reverts #${id}: ${what}`), MAX_REASON_LENGTH),
});
