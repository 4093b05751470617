import type { DetailCode, ErrorDetail, Fault } from './error-details';

/** The HTTP status of every error code. */
const STATUS = {
  invalid_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  approval_required: 403,
  not_found: 404,
  validation_exception: 405,
  method_not_allowed: 405,
  not_acceptable: 406,
  conflict: 409,
  /** A proposal: its revision, or its impact, is not the one that was reviewed; or too few users approve it. */
  revision_changed: 409,
  impact_changed: 409,
  approval_missing: 409,
  version_mismatch: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  too_many_requests: 429,
  internal_error: 500,
  unavailable: 503,
} as const;

/** Stable codes for clients. */
export type ErrorCode = keyof typeof STATUS;
export const ERROR_CODES = Object.keys(STATUS) as [ErrorCode, ...ErrorCode[]];

/** The `field` of errors of the body as a whole. */
const BODY = 'body';

/** The error that services throw. Clients see its message and details, so they contain nothing internal. */
export class InventoryError extends Error {
  override readonly name = 'InventoryError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: readonly ErrorDetail[] = [],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }

  get status(): number {
    return STATUS[this.code];
  }

  /** Additional members of the error body. */
  get extraMembers(): Readonly<Record<string, unknown>> {
    return {};
  }

  /** 400 for one member or parameter. */
  static invalid(field: string, code: DetailCode, message: string): InventoryError {
    return new InventoryError('invalid_request', `${field}: ${message}`, [{ field, code, message }]);
  }

  /** 400 for one member or parameter with an invalid value. */
  static faulty(field: string, { code, message }: Fault): InventoryError {
    return InventoryError.invalid(field, code, message);
  }

  /** 400 for the body as a whole. @param message a sentence */
  static invalidBody(code: DetailCode, message: string): InventoryError {
    return new InventoryError('invalid_request', message, [{ field: BODY, code, message }]);
  }

  /**
   * 403, because the caller needs another role.
   * @param roles those that would allow it, of which one may be enough; none if naming them would disclose a hidden variable
   */
  static forbidden(message: string, roles: readonly string[]): InventoryError {
    return new InventoryError('forbidden', message, missingRoles(message, roles));
  }

  /** 405 `validation_exception`: a valid request that conflicts with the current inventory. */
  static validationException(field: string, code: DetailCode, message: string): InventoryError {
    return new InventoryError('validation_exception', `${field}: ${message}`, [{ field, code, message }]);
  }

  /** 404. The message is the same for a resource that does not exist and for one of another project. */
  static notFound(kind: string, id: string | number, field = 'id'): InventoryError {
    return new InventoryError('not_found', `There is no ${kind} ${String(id)}.`, [
      { field, code: 'not_found', message: `no ${kind} with this id` },
    ]);
  }
}

/** The details of a 403: one for each role that would allow the request. */
export function missingRoles(message: string, roles: readonly string[]): ErrorDetail[] {
  const detail = { field: 'roles', code: 'missing_role', message } as const;
  return roles.length === 0 ? [detail] : roles.map((role) => ({ ...detail, role }));
}

/** Limits the length of the response for a body with many errors. */
const MAX_DETAILS = 100;
/** In characters. Names of existing members are shorter. */
const MAX_FIELD_LENGTH = 300;

/** Combines all errors of a request. Beyond the maximum, the message only contains the number of further errors. */
export function validationError(
  faults: readonly ErrorDetail[],
  code: ErrorCode = 'invalid_request',
): InventoryError {
  const details = faults
    .slice(0, MAX_DETAILS)
    .map((detail) => ({ ...detail, field: truncate(detail.field) }));
  const sentences = details.map(({ field, message }) => `${field}: ${message}`);
  if (faults.length > MAX_DETAILS) sentences.push(`and ${String(faults.length - MAX_DETAILS)} more`);
  return new InventoryError(code, sentences.join('; '), details);
}

const truncate = (text: string, maxLength = MAX_FIELD_LENGTH): string =>
  text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;

/** The error of one item of an array body. */
export interface ItemError {
  /** Counted from 0. */
  readonly index: number;
  readonly error: InventoryError;
}

const itemField = (index: number, { field }: ErrorDetail): string =>
  field === BODY ? `[${String(index)}]` : `[${String(index)}].${field}`;

/** The code of an error's first detail. It is derived from the status if the error concerns no field. */
export function detailCodeOf({ code, details: [first] }: InventoryError): DetailCode {
  if (first) return first.code;
  switch (code) {
    case 'forbidden':
      return 'missing_role';
    case 'not_found':
      return 'not_found';
    case 'payload_too_large':
      return 'too_long';
    case 'unsupported_media_type':
      return 'unsupported';
    case 'too_many_requests':
      return 'limit_exceeded';
    case 'invalid_request':
      return 'invalid_format';
    default:
      return 'inconsistent';
  }
}

/** The details of an error; of one without, a detail for the whole. */
export const detailsOf = (error: InventoryError): readonly ErrorDetail[] =>
  error.details.length > 0
    ? error.details
    : [{ field: BODY, code: detailCodeOf(error), message: error.message }];

/** Combines the errors of items of an array body. The code is that of the first error; the details name the item, as in `[2].name`. */
export function itemsError(faults: readonly ItemError[]): InventoryError {
  const details = faults.flatMap(({ index, error }) =>
    detailsOf(error).map((detail) => ({ ...detail, field: itemField(index, detail) })),
  );
  return validationError(details, faults[0]?.error.code);
}

/** The name of a field, which can be an item such as `[2].name`, within an operation. */
function fieldWithin(operation: string, field: string): string {
  if (field === BODY) return operation;
  return field.startsWith('[') ? `${operation}${field}` : `${operation}.${field}`;
}

/** The name of an operation of a batch in messages. @param index counted from 0 */
export const operationName = (index: number): string => `operations[${String(index)}]`;

/** The error of an operation of a batch: the same, but its message and its details name the operation. */
function operationError({ index, error }: ItemError, maxLength = Infinity): InventoryError {
  const details = error.details.map((detail) => detailOfOperation(index, detail));
  const message = truncate(`${operationName(index)}: ${error.message}`, maxLength);
  return new InventoryError(error.code, message, details, error.headers);
}

const detailOfOperation = (index: number, detail: ErrorDetail): ErrorDetail => ({
  ...detail,
  field: truncate(fieldWithin(operationName(index), detail.field)),
});

/** The maximum length of the message of each of several operations, in characters. */
const MAX_MESSAGE_LENGTH = 2_000;
/** The maximum number of details of several operations together. */
const MAX_TOTAL_DETAILS = 1_000;

/**
 * The errors of operations of a batch, in the order of the operations. It has the status and the code of the first, and the
 * messages and details of all. Beyond the maximum, the message only contains the number of further operations.
 */
export class OperationsError extends InventoryError {
  /** The error of each operation, which it names. Beyond the maximum, there are none. */
  readonly errors: readonly InventoryError[];

  constructor(private readonly faults: readonly [ItemError, ...ItemError[]]) {
    const [{ error: first }] = faults;
    const shown = faults.slice(0, MAX_DETAILS);
    const isOne = shown.length === 1;
    const errors = shown.map((fault) => operationError(fault, isOne ? Infinity : MAX_MESSAGE_LENGTH));
    const messages = errors.map(({ message }) => message);
    if (faults.length > MAX_DETAILS) messages.push(`and ${String(faults.length - MAX_DETAILS)} more`);
    const details = shown.flatMap(({ index, error }) =>
      (isOne ? error.details : detailsOf(error)).map((detail) => detailOfOperation(index, detail)),
    );
    super(first.code, messages.join('; '), details.slice(0, MAX_TOTAL_DETAILS), first.headers);
    this.errors = errors;
  }

  /** The first error of all operations that has a code, also beyond the maximum. */
  find(code: ErrorCode): InventoryError | undefined {
    const found = this.faults.find(({ error }) => error.code === code);
    return found && operationError(found, MAX_MESSAGE_LENGTH);
  }
}

/** The errors of the operations of a batch; of another request, its only one. */
export const errorsOf = (error: InventoryError): readonly InventoryError[] =>
  error instanceof OperationsError ? error.errors : [error];

/** The first error of any operation of a batch that has a code; of another request, its only one if it has this code. */
export function errorWithCode(error: InventoryError, code: ErrorCode): InventoryError | undefined {
  if (error instanceof OperationsError) return error.find(code);
  return error.code === code ? error : undefined;
}

/**
 * An expected reason why the program cannot start. The message says what is wrong and what to do. It is printed without
 * a stack trace.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
