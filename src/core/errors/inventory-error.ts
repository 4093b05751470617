/** The status of every error code. A code without a status does not compile. */
const STATUS = {
  invalid_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  validation_exception: 405,
  method_not_allowed: 405,
  conflict: 409,
  version_mismatch: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  too_many_requests: 429,
  internal_error: 500,
  unavailable: 503,
} as const;

/** The fixed words that clients may branch on. */
export type ErrorCode = keyof typeof STATUS;
export const ERROR_CODES = Object.keys(STATUS) as [ErrorCode, ...ErrorCode[]];

/** One fault: where it is in the request (a member, parameter or header) and what is wrong with it. */
export interface ErrorDetail {
  readonly field: string;
  readonly message: string;
}

/** The one error that services throw. What it carries is shown to the client, so it never holds inside knowledge. */
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

  /** What the error body has beyond what every one has. */
  get more(): Readonly<Record<string, unknown>> {
    return {};
  }

  /** 400 for one member or parameter. */
  static invalid(field: string, message: string): InventoryError {
    return new InventoryError('invalid_request', `${field}: ${message}`, [{ field, message }]);
  }

  /** 405 `validation_exception`: well formed, but the inventory as it stands forbids it. */
  static forbiddenByInventory(field: string, message: string): InventoryError {
    return new InventoryError('validation_exception', `${field}: ${message}`, [{ field, message }]);
  }

  /** 404. The same words whether the thing is absent or belongs to another project. */
  static notFound(kind: string, id: string | number, field = 'id'): InventoryError {
    return new InventoryError('not_found', `There is no ${kind} ${String(id)}.`, [
      { field, message: `no ${kind} with this id` },
    ]);
  }
}
