import { sql } from '../../../database/sql';
import { type Check, union } from '../check';

/** A proposal has its revision, and is applied if and only if there is a change, whose record names it. */
export const proposals: Check = {
  name: 'proposals',
  invariant: 'every proposal has its revision, and is applied by at most one change, whose record names it',
  counted: sql`SELECT count(*) AS count FROM proposals`,
  faults: union([
    sql`SELECT p.project_id, 'proposals' AS kind, p.id, 'lacks the operations of its revision ' || p.revision AS problem
      FROM proposals p WHERE NOT EXISTS (SELECT FROM proposal_revisions r
        WHERE r.project_id = p.project_id AND r.proposal_id = p.id AND r.revision = p.revision)`,
    sql`SELECT p.project_id, 'proposals', p.id,
        CASE p.state WHEN 'applied' THEN 'is applied without a change' ELSE 'has a change, but is ' || p.state END
      FROM proposals p WHERE (p.state = 'applied') <> (p.change_id IS NOT NULL)`,
    sql`SELECT p.project_id, 'proposals', p.id, 'is not named by the record of its change ' || p.change_id
      FROM proposals p JOIN changes c ON c.project_id = p.project_id AND c.id = p.change_id
      WHERE COALESCE(c.proposal ->> 'id', '') <> p.id::text`,
    // The proposals of a project are deleted with it; its records stay.
    sql`SELECT c.project_id, 'changes', c.id, 'names the proposal ' || (c.proposal ->> 'id') || ', which it has not applied'
      FROM changes c WHERE c.proposal IS NOT NULL AND EXISTS (SELECT FROM projects o WHERE o.id = c.project_id)
        AND NOT EXISTS (SELECT FROM proposals p WHERE p.project_id = c.project_id AND p.change_id = c.id
          AND p.id::text = c.proposal ->> 'id')`,
  ]),
};
