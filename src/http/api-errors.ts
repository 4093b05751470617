import { applyDecorators } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiProperty,
  ApiPropertyOptional,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import { DETAIL_CODES, type DetailCode } from '../core/error-details';
import { ERROR_CODES, type ErrorCode } from '../core/errors';

class ErrorDetailView {
  @ApiProperty({ example: 'name', description: 'The invalid member, parameter or header.' })
  field!: string;

  @ApiProperty({
    enum: Object.keys(DETAIL_CODES),
    enumName: 'ErrorDetailCode',
    description: `Why, for programs. ${Object.entries(DETAIL_CODES)
      .map(([code, meaning]) => `\`${code}\`: ${meaning}`)
      .join(' ')}`,
  })
  code!: DetailCode;

  @ApiProperty({ example: 'must have 1 to 255 characters' })
  message!: string;

  @ApiPropertyOptional({
    example: 'hosts:write',
    description:
      'Of `missing_role`: a role that allows the request. `admin` and `root` are not roles, but kinds of users. One of several is enough. Absent if no role may be named.',
  })
  role?: string;

  @ApiPropertyOptional({
    type: [String],
    example: ['string'],
    description:
      'Of `schema_violation`: the JSON types that the definition of the variable accepts there, if the value has another one.',
  })
  expected_types?: string[];
}

/** The body of every error. */
export class ApiErrorView {
  @ApiProperty({ enum: ERROR_CODES, description: 'A stable code for programs.' })
  code!: ErrorCode;

  @ApiProperty({ example: 'name: should not be empty' })
  message!: string;

  @ApiProperty({ type: [ErrorDetailView] })
  details!: ErrorDetailView[];

  @ApiProperty({
    example: '2f1c6f0e-8f1d-4c53-9b5e-2a4f3f2b8a10',
    description: 'Identifies the request in the log.',
  })
  request_id!: string;
}

/** The message of unexpected errors. */
export const INTERNAL_ERROR_MESSAGE = 'Internal server error. The log contains it with the request id.';

const DESCRIPTIONS: Record<number, { description: string; code: ErrorCode; message: string }> = {
  400: { description: 'Invalid request.', code: 'invalid_request', message: 'name: should not be empty' },
  401: {
    description: 'Not authenticated.',
    code: 'unauthenticated',
    message: 'The request is not authenticated.',
  },
  403: {
    description: "The user's roles do not allow this.",
    code: 'forbidden',
    message: 'Writing hosts needs the role hosts:write.',
  },
  404: {
    description: 'Not found, or not visible to the caller.',
    code: 'not_found',
    message: 'There is no host 17.',
  },
  405: {
    description: 'Validation exception: well formed, but in conflict with the current inventory.',
    code: 'validation_exception',
    message: 'region_id: there is no region 17 in this project',
  },
  406: {
    description: 'The client accepts none of the media types that the path responds with (`Accept`).',
    code: 'not_acceptable',
    message:
      'This path responds with application/json or application/vnd.muster.page+json or application/vnd.muster.array+json.',
  },
  409: {
    description:
      'Duplicate name, resource still in use, `Idempotency-Key` used for a different request, or `X-Auth-Project` with a project that the session cannot enter.',
    code: 'conflict',
    message: 'The name rack-7 is already in use.',
  },
  412: {
    description: '`If-Match` does not match the current version.',
    code: 'version_mismatch',
    message: 'The resource is at version 4 now.',
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
      'Too many requests with one key, too many wrong credentials, or, for a request with an `Idempotency-Key`, too many responses stored for the user. `Retry-After` contains the seconds until a retry.',
    code: 'too_many_requests',
    message: 'Too many requests with this key. Try again later.',
  },
  500: {
    description: 'Internal server error. The log contains it with the request id.',
    code: 'internal_error',
    message: INTERNAL_ERROR_MESSAGE,
  },
  503: {
    description:
      'Overloaded, or the database is unavailable. With `Retry-After`, nothing was written and the request can be retried after that many seconds. Without it, a write may have been committed.',
    code: 'unavailable',
    message: 'The database is not available.',
  },
};

/** Documents the errors of a route: the given ones, and those that every route can return. */
export function ApiErrors(...statuses: (keyof typeof DESCRIPTIONS)[]): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(ApiErrorView),
    ...[...new Set([...statuses, 500, 503])].map(apiError),
  );
}

const documented = new Map<number, MethodDecorator>();

/** Documents one error. Most routes have six of them, and creating a decorator takes longer than applying it. */
function apiError(status: keyof typeof DESCRIPTIONS): MethodDecorator {
  const decorator = documented.get(status) ?? ApiResponse({ status, ...errorResponse(status) });
  documented.set(status, decorator);
  return decorator;
}

/** The OpenAPI description of an error response. */
export function errorResponse(status: keyof typeof DESCRIPTIONS) {
  const { description = '', code = 'internal_error', message = '' } = DESCRIPTIONS[status] ?? {};
  return {
    description,
    content: {
      'application/json': {
        schema: { $ref: getSchemaPath(ApiErrorView) },
        example: { code, message, details: [], request_id: '2f1c6f0e-8f1d-4c53-9b5e-2a4f3f2b8a10' },
      },
    },
  };
}
