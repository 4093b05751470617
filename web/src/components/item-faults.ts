import { ApiError, type ApiErrorDetail } from '@muster/api-types';

/** What is wrong with an item of a write: an operation of a batch, or a resource of an array. */
export interface ItemFault {
  /** Counted from 0. */
  readonly index: number;
  /** The member of the item that is wrong, if it is one: `name`, `variables.kernel`. */
  readonly field: string | undefined;
  readonly message: string;
}

/** `operations[1]: The name web-1 is already in use.`, and others like it after a `; `. */
const OF_OPERATION = /operations\[(\d+)\]: (.*?)(?=; operations\[\d+\]: |; and \d+ more$|$)/gs;
/** `operations[1].name`, `[2]` */
const FIELD = /^(?:operations)?\[(\d+)\](?:\.(.+))?$/s;

/** What is wrong with the items of a write; empty if an error is about none of them. */
export function itemFaultsOf(error: unknown): readonly ItemFault[] {
  if (!(error instanceof ApiError)) return [];
  const ofDetails = error.details.flatMap(faultOf);
  const named = operationMessages(error.message);
  if (named.length === 0) return ofDetails;
  return named.flatMap(({ index, message }) => {
    const own = ofDetails.filter((fault) => fault.index === index);
    const fields = new Set(own.map(({ field }) => field));
    if (fields.size > 1) return own;
    const [field] = fields;
    return [{ index, field, message }];
  });
}

/** The operations that a message is about, and what it says about each; empty if it is about none. */
export function operationMessages(text: string): readonly Pick<ItemFault, 'index' | 'message'>[] {
  if (!/^operations\[\d+\]: /.test(text)) return [];
  return [...text.matchAll(OF_OPERATION)].map(([, index, message = '']) => ({
    index: Number(index),
    message,
  }));
}

/** What is wrong with an item, for a text that names its field already. */
export const withoutField = ({ field, message }: ItemFault): string =>
  field !== undefined && message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message;

/** How many more items are wrong than an error names. */
export const unnamedFaults = ({ message }: Error): number =>
  Number(/; and (\d+) more$/.exec(message)?.[1] ?? 0);

function faultOf({ field, message }: ApiErrorDetail): readonly ItemFault[] {
  const [, index, member] = FIELD.exec(field) ?? [];
  if (index === undefined) return [];
  return [{ index: Number(index), field: member, message: sentence(member, message) }];
}

const sentence = (field: string | undefined, message: string): string =>
  field === undefined ? message : `${field}: ${message}`;
