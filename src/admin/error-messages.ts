import { REASON_FIELD } from '../changes/change-reason';
import { toInventoryError } from '../database/errors/database-error-mapping';
import { InventoryError, StartupError } from '../core/errors';
import { postgresError } from '../database/errors/postgres-error';

/** The message for an error: one sentence for an expected error, otherwise the stack trace. */
export function formatCommandError(error: unknown): string {
  if (error instanceof StartupError) return error.message;
  if (error instanceof InventoryError)
    return isAboutReason(error) ? `${error.message}. Commands take the reason as --reason.` : error.message;
  const inventoryError = toInventoryError(error);
  if (inventoryError) return inventoryError.message;
  const dbError = postgresError(error);
  if (dbError && isDeploymentError(dbError)) return `The database reported an error: ${dbError.message}.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const isAboutReason = ({ details }: InventoryError): boolean =>
  details.some(({ field }) => field === REASON_FIELD);

/** Missing privileges of the login, or missing resources of the server. A stack trace would not help. */
const isDeploymentError = ({ code = '' }: { readonly code?: string | undefined }): boolean =>
  code === '42501' || code.startsWith('53');
