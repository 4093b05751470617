import { sql } from '../../../database/sql';
import type { Check } from '../check';

/**
 * The records of a resource continue each other's versions. Their ids are in the order of the changes, because a
 * change holds the lock of the resource from before its record gets an id until the commit. A deleted resource can be
 * restored by a revert, with a greater version.
 */
export const history: Check = {
  name: 'histories',
  promise:
    "each resource's change records begin with its creation and have consecutive versions; only a restoration follows a deletion",
  counted: sql`SELECT count(*) AS count FROM (SELECT DISTINCT project_id, kind, object_id FROM change_objects) o`,
  faults: sql`
    SELECT project_id, kind, id, CASE
      WHEN earlier IS NULL THEN format('its history begins with the change %s, which did not create it', change_id)
      WHEN earlier = 'delete' AND action <> 'create' THEN format('the change %s came after its deletion', change_id)
      WHEN earlier = 'delete' THEN format('the change %s restored it at the version %s, but it was deleted at %s',
        change_id, brought::text, ended_at::text)
      WHEN action = 'create' THEN format('the change %s created it again', change_id)
      ELSE format('the change %s found it at the version %s, but the change before left it at %s',
        change_id, found::text, left_at::text) END AS problem
    FROM (
      SELECT o.project_id, o.kind, o.object_id AS id, o.change_id, o.action, o.before -> 'version' AS found,
        lag(o.action) OVER resource AS earlier, lag(o.after -> 'version') OVER resource AS left_at,
        o.after -> 'version' AS brought, lag(o.before -> 'version') OVER resource AS ended_at
      FROM change_objects o
      WINDOW resource AS (PARTITION BY o.project_id, o.kind, o.object_id ORDER BY o.change_id)
    ) step
    WHERE CASE WHEN earlier IS NULL THEN action <> 'create'
      WHEN earlier = 'delete' THEN action <> 'create' OR COALESCE(brought <= ended_at, true)
      ELSE action = 'create' OR found IS DISTINCT FROM left_at END`,
};
