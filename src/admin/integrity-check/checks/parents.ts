import { sql } from '../../../database/sql';
import type { Check } from '../check';

/** Devices that cannot be reached from a device without a parent are in, or below, a cycle. */
export const parents: Check = {
  name: 'parents',
  promise: 'no device is its own ancestor',
  counted: sql`SELECT count(parent_id) AS count FROM devices`,
  faults: sql`
    WITH RECURSIVE reached (project_id, id) AS (
      SELECT d.project_id, d.id FROM devices d LEFT JOIN devices p ON p.project_id = d.project_id AND p.id = d.parent_id
      WHERE p.id IS NULL
      UNION ALL
      SELECT d.project_id, d.id FROM reached r JOIN devices d ON d.project_id = r.project_id AND d.parent_id = r.id
    )
    SELECT d.project_id, d.kind, d.id, 'is in a cycle of parents, or below one: its parent is ' || d.parent_id AS problem
    FROM devices d WHERE NOT EXISTS (SELECT FROM reached r WHERE r.project_id = d.project_id AND r.id = d.id)`,
};
