import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { ERROR_CODES, type ErrorCode } from '../core/errors/inventory-error';

class ErrorDetailView {
  @ApiProperty({ example: 'name', description: 'The member, parameter or header that is at fault.' })
  field!: string;

  @ApiProperty({ example: 'should not be empty' })
  message!: string;
}

/** The one body of every error. */
export class ErrorView {
  @ApiProperty({ enum: ERROR_CODES, description: 'A fixed word to branch on.' })
  code!: ErrorCode;

  @ApiProperty({ example: 'name: should not be empty' })
  message!: string;

  @ApiProperty({ type: [ErrorDetailView] })
  details!: ErrorDetailView[];

  @ApiProperty({
    example: '2f1c6f0e-8f1d-4c53-9b5e-2a4f3f2b8a10',
    description: 'The log knows the request by it.',
  })
  request_id!: string;
}

const DESCRIPTIONS: Record<number, { description: string; code: ErrorCode; message: string }> = {
  400: { description: 'Invalid request.', code: 'invalid_request', message: 'name: should not be empty' },
  401: {
    description: 'Not authenticated.',
    code: 'unauthenticated',
    message: 'The request is not authenticated.',
  },
  403: {
    description: 'The roles do not allow it.',
    code: 'forbidden',
    message: 'The roles of this user do not allow this.',
  },
  404: {
    description: 'Not there, or not visible to the caller.',
    code: 'not_found',
    message: 'There is no host 17.',
  },
  405: {
    description: 'Validation exception: well formed, but the inventory as it stands forbids it.',
    code: 'validation_exception',
    message: 'region_id: there is no region 17 in this project',
  },
  409: {
    description: 'Duplicate name, still in use, or the `Idempotency-Key` of another request.',
    code: 'conflict',
    message: 'The name is already in use.',
  },
  412: {
    description: '`If-Match` does not hold.',
    code: 'version_mismatch',
    message: 'The resource is at version 4 by now.',
  },
  413: {
    description: 'The body is larger than 64 KiB.',
    code: 'payload_too_large',
    message: 'The body is larger than the limit of 65536 bytes.',
  },
  415: {
    description: 'The body is not JSON.',
    code: 'unsupported_media_type',
    message: 'The body must be application/json.',
  },
  429: {
    description:
      'Too many requests with one key, too many wrong credentials, or, for a request with an `Idempotency-Key`, too many answers stored for the user. `Retry-After` says when to try again.',
    code: 'too_many_requests',
    message: 'Too many requests with this key. Try again later.',
  },
  500: {
    description: 'Something went wrong inside; the log knows it by the request id.',
    code: 'internal_error',
    message: 'Something went wrong inside. The log knows it by the request id.',
  },
  503: {
    description:
      'Overloaded, or the database is away. `Retry-After` says when to try again, and that nothing was done; a write that is answered without it may have been done.',
    code: 'unavailable',
    message: 'The database is not available.',
  },
};

/** Documents the errors of a route: those named, and those that every route can give. */
export function ApiErrors(...statuses: (keyof typeof DESCRIPTIONS)[]): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(ErrorView),
    ...[...new Set([...statuses, 500, 503])].map((status) =>
      ApiResponse({ status, ...errorResponse(status) }),
    ),
  );
}

/** An error in the API description. */
export function errorResponse(status: keyof typeof DESCRIPTIONS) {
  const { description = '', code = 'internal_error', message = '' } = DESCRIPTIONS[status] ?? {};
  return {
    description,
    content: {
      'application/json': {
        schema: { $ref: getSchemaPath(ErrorView) },
        example: { code, message, details: [], request_id: '2f1c6f0e-8f1d-4c53-9b5e-2a4f3f2b8a10' },
      },
    },
  };
}
