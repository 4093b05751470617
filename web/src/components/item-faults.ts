import { ApiError, type ApiErrorDetail } from '@muster/api-types';

/** What is wrong with an item of a write: an operation of a batch, or a resource of an array. */
export interface ItemFault {
  /** Counted from 0. */
  readonly index: number;
  /** The member of the item that is wrong, if it is one: `name`, `variables.kernel`. */
  readonly field: string | undefined;
  readonly message: string;
}

/** `operations[1]: The name web-1 is already in use.` */
const OF_OPERATION = /^operations\[(\d+)\]: (.*)$/s;
/** `operations[1].name`, `[2]` */
const FIELD = /^(?:operations)?\[(\d+)\](?:\.(.+))?$/s;

/** What is wrong with the items of a write; empty if an error is about none of them. */
export function itemFaultsOf(error: unknown): readonly ItemFault[] {
  if (!(error instanceof ApiError)) return [];
  const ofDetails = error.details.flatMap(faultOf);
  const ofOperation = operationMessage(error.message);
  if (!ofOperation) return ofDetails;
  const fields = new Set(ofDetails.map(({ field }) => field));
  const [field] = fields.size === 1 ? fields : [];
  return [{ ...ofOperation, field }];
}

/** The operation that a message is about, and what it says about it; undefined if it is about none. */
export function operationMessage(text: string): Pick<ItemFault, 'index' | 'message'> | undefined {
  const [, index, message] = OF_OPERATION.exec(text) ?? [];
  return index === undefined || message === undefined ? undefined : { index: Number(index), message };
}

function faultOf({ field, message }: ApiErrorDetail): readonly ItemFault[] {
  const [, index, member] = FIELD.exec(field) ?? [];
  if (index === undefined) return [];
  return [{ index: Number(index), field: member, message: sentence(member, message) }];
}

const sentence = (field: string | undefined, message: string): string =>
  field === undefined ? message : `${field}: ${message}`;
