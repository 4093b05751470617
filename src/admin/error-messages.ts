import { REASON_FIELD } from '../changes/change-reason';
import { toInventoryError } from '../database/errors/database-error-mapping';
import { InventoryError } from '../core/errors/inventory-error';
import { postgresError } from '../database/errors/postgres-error';
import { StartupError } from '../core/errors/startup-error';

/** What is said of an error: one sentence of what is to be expected, and of anything else where it comes from. */
export function formatCommandError(error: unknown): string {
  if (error instanceof StartupError) return error.message;
  if (error instanceof InventoryError)
    return isOfReason(error) ? `${error.message}. A command takes it as --reason.` : error.message;
  const refusal = toInventoryError(error);
  if (refusal) return refusal.message;
  const said = postgresError(error);
  if (said && isOfDeployment(said)) return `The database refuses: ${said.message}.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const isOfReason = ({ details }: InventoryError): boolean =>
  details.some(({ field }) => field === REASON_FIELD);

/** A right that the database's user lacks, or room that the server lacks: nothing that a stack would explain. */
const isOfDeployment = ({ code = '' }: { readonly code?: string | undefined }): boolean =>
  code === '42501' || code.startsWith('53');
