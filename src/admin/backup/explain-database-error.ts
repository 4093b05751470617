import { isDatabaseAway, postgresError } from '../../database/errors/postgres-error';
import { StartupError } from '../../core/errors/startup-error';

/**
 * What the database said, or that it is away, for a person; any other error stays as it is.
 * @param so what follows from it
 */
export function explainDatabase(error: unknown, so: string): unknown {
  if (error instanceof StartupError) return error;
  const said = postgresError(error);
  if (isDatabaseAway(error)) {
    const reason = error instanceof Error ? error.message : String(error);
    return new StartupError(`The connection to the database was lost: ${reason}. ${so}`, { cause: error });
  }
  if (!said) return error;
  const sentences = [said.message, said.detail, said.hint].filter(
    (part) => part !== undefined && part !== '',
  );
  return new StartupError(`The database refuses: ${sentences.join('; ')}. ${so}`, { cause: error });
}
