import { type ErrorCode, InventoryError } from '../core/errors';
import type { ErrorDetail } from '../core/error-details';
import type { Conflict } from './conflicts';
import type { ProposalState } from './proposal-states';

/** An error whose body says more about a proposal. */
export class ProposalError extends InventoryError {
  constructor(
    code: ErrorCode,
    message: string,
    private readonly members: Readonly<Record<string, unknown>>,
    details: readonly ErrorDetail[] = [],
  ) {
    super(code, message, details);
  }

  override get extraMembers(): Readonly<Record<string, unknown>> {
    return this.members;
  }
}

/** 409 for a proposal that is applied or withdrawn. */
export const finalStateError = (state: ProposalState): ProposalError =>
  new ProposalError('conflict', `The proposal is ${state}.`, { state });

/** 409 for another revision than the one that the caller has seen. */
export const revisionError = (revision: number): ProposalError =>
  new ProposalError(
    'revision_changed',
    `The proposal has the revision ${String(revision)} now. Read it again.`,
    {
      revision,
    },
  );

const MAX_DETAILS = 100;

/** 409 for a proposal that would overwrite what others have changed. */
export const conflictError = (conflicts: readonly Conflict[]): InventoryError =>
  new InventoryError(
    'conflict',
    'Others have changed what the proposal writes since its revision was made. Its author answers that with a new revision: rebase.',
    conflicts.slice(0, MAX_DETAILS).map(({ operation, field, kind, name }) => ({
      field: `operations[${String(operation)}].${field}`,
      code: 'inconsistent',
      message: `${kind} ${name}: ${field} has changed since`,
    })),
  );
