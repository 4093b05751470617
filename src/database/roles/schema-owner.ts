import { StartupError } from '../../core/errors/startup-error';

/** A query for a sequence of the schema's tables that this login may not read. */
const HIDDEN_SEQUENCE = `
  SELECT s.relname::text AS sequence, CURRENT_USER::text AS login
  FROM pg_sequence q JOIN pg_class s ON s.oid = q.seqrelid
    JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = s.oid AND d.deptype IN ('a', 'i')
    JOIN pg_class t ON d.refclassid = 'pg_class'::regclass AND t.oid = d.refobjid
  WHERE t.relnamespace = current_schema()::regnamespace AND NOT has_sequence_privilege(q.seqrelid, 'SELECT, USAGE')
  ORDER BY s.relname LIMIT 1`;

/** A data source, or a runner with its transaction. */
interface StatementRunner {
  query(text: string): Promise<unknown>;
}

/**
 * Rejects a login that may read the tables but not all of their sequences, such as the service's. To such a login,
 * PostgreSQL shows a sequence as if it was never used.
 * @param outcome the last sentence of the error message
 * @throws StartupError for such a login
 */
export async function assertSequenceAccess(on: StatementRunner, outcome: string): Promise<void> {
  const [hidden] = (await on.query(HIDDEN_SEQUENCE)) as { sequence: string; login: string }[];
  if (hidden)
    throw new StartupError(
      `This requires the login of the tables' owner, and "${hidden.login}" may not read the sequence ${hidden.sequence}: set DATABASE_OWNER_URL. ${outcome}`,
    );
}
