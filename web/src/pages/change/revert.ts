import type { PlannedWrite } from '../../components/previewed-write';

/** The plan to revert a change by a new one. */
export const planRevert = (id: number): PlannedWrite => ({
  title: `Revert change ${id}`,
  request: { method: 'POST', path: `/v1/changes/${id}/revert` },
  command: ['muster', 'change', 'revert', String(id)],
});
