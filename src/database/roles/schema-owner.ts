import { StartupError } from '../../core/errors/startup-error';

/** SQL: a sequence of the schema's tables that this login may not look at. How far it has come is then told by nothing. */
const HIDDEN_SEQUENCE = `
  SELECT s.relname::text AS sequence, CURRENT_USER::text AS login
  FROM pg_sequence q JOIN pg_class s ON s.oid = q.seqrelid
    JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = s.oid AND d.deptype IN ('a', 'i')
    JOIN pg_class t ON d.refclassid = 'pg_class'::regclass AND t.oid = d.refobjid
  WHERE t.relnamespace = current_schema()::regnamespace AND NOT has_sequence_privilege(q.seqrelid, 'SELECT, USAGE')
  ORDER BY s.relname LIMIT 1`;

/** Who runs statements: a data source, or a runner with its transaction. */
interface Asked {
  query(text: string): Promise<unknown>;
}

/**
 * Refuses a login that may read the tables and not all of their sequences, as the service's: for PostgreSQL such a
 * sequence looks like one from which nothing was drawn yet.
 * @param outcome what has come of what was asked for, as a sentence
 * @throws StartupError for such a login
 */
export async function assertSequenceAccess(on: Asked, outcome: string): Promise<void> {
  const [hidden] = (await on.query(HIDDEN_SEQUENCE)) as { sequence: string; login: string }[];
  if (hidden)
    throw new StartupError(
      `This needs the login of the tables' owner, and "${hidden.login}" may not read the sequence ${hidden.sequence}: name the owner's in DATABASE_OWNER_URL. ${outcome}`,
    );
}
