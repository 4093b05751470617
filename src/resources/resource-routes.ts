import {
  applyDecorators,
  Delete,
  Get,
  HttpCode,
  Post,
  Put,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import {
  ApiBody,
  ApiExtraModels,
  ApiHeader,
  ApiOperation,
  ApiParam,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import { type RouteAccess, Access, Batchable } from '../auth/access';
import { Identifies } from '../auth/path-uuids';
import { WriteInterceptor } from '../writes/write.interceptor';
import { ApiErrors, errorResponse } from '../http/api-errors';
import { jsonContent, namedSchema, readableName } from '../http/api-schemas';
import { ContainsSecret } from '../http/compression';
import { MAX_ITEMS } from '../http/body-validation';
import { TakesPrecondition } from '../http/preconditions';
import { TakesQuery } from '../http/query.guard';
import { LargeBody } from '../http/request-body';
import type { ResourceMapping } from '../database/resource-mapping';
import { ApiAt, ApiDryRun, ApiListParameters, ApiResolvedValues, idSchema } from './api-parameters';
import type { ResourceDefinition } from './resource-definition';
import { LinkView } from './resource.view';

/** What the routes of a collection have in common. */
export interface RouteOptions {
  readonly definition: ResourceDefinition;
  /** The OpenAPI view of a response. */
  readonly view: Type;
  /** The views of the responses to a creation and to a read of one resource, if they have further members. */
  readonly createdView?: Type;
  readonly shownView?: Type;
  readonly reads: RouteAccess;
  readonly writes: RouteAccess;
  /** Overrides the default description of a 409. */
  readonly conflict?: string;
  /** Which responses show a secret: those to creations, or to reads of one resource. */
  readonly secretIn?: 'created' | 'shown';
  /** Set if all members of one resource fit into a small body: see `LargeBody`. */
  readonly hasShortMembers?: true;
  /** Set if another path does the same. */
  readonly isDeprecated?: true;
}

const wordOf = (mapping: ResourceMapping): string => mapping.kind.replace('-', ' ');

/** The name of a resource with its indefinite article. */
const aWord = (mapping: ResourceMapping): string =>
  `${/^[aeio]/.test(mapping.kind) ? 'an' : 'a'} ${wordOf(mapping)}`;

const tag = ApiResponseHeader(
  'ETag',
  'For `If-Match`: the version, in reads followed by a digest of the body.',
  '"1"',
);

function ApiResponseHeader(name: string, description: string, example: string) {
  return { [name]: { description, schema: { type: 'string' as const, example } } };
}

// Decorators that many routes share are created once: each copies its options, which took a tenth of the time of a start.
const WRITE = applyDecorators(
  ApiHeader({
    name: 'X-Change-Reason',
    required: false,
    description:
      'The reason of the change, for the change record. Without this header, it is the `note` in the body, if there is one. An empty header means that the change has no reason: the `note` does not count.',
    schema: { type: 'string', example: 'CHG-1042: new rack' },
  }),
  ApiHeader({
    name: 'X-Change-Override',
    required: false,
    description:
      'Why the change needs no approval, for the change record: it passes the rules of the project (`approvals`). Only admins can send it.',
    schema: { type: 'string', minLength: 1, maxLength: 2_000, example: 'INC-77: the site is down' },
  }),
  ApiDryRun(),
);

/** Documents the headers and parameters of every write. */
export const ApiWrite = () => WRITE;

/**
 * A write whose handler returns a `PreparedWrite`, with the headers and parameters of every write.
 * @param alone whether it cannot be a part of a batch, even if its access is that of a write of the inventory
 */
export const Writes = ({ alone = false }: { readonly alone?: boolean } = {}) =>
  applyDecorators(ApiWrite(), UseInterceptors(WriteInterceptor), ...(alone ? [] : [Batchable()]));

const IF_MATCH = TakesPrecondition('If-Match', 'Write only if the resource has one of these versions.', {
  example: '"1"',
});

export const ApiIfMatch = () => IF_MATCH;

/** Documents and declares what `{id}` in the path of a route identifies. */
export const ApiId = (mapping: ResourceMapping) =>
  applyDecorators(
    Identifies(mapping),
    ApiParam({
      name: 'id',
      // The schema has the integer only, so that it is a number in generated clients.
      description: `The id of the ${wordOf(mapping)}${mapping.fields['uuid'] && mapping.idType !== 'uuid' ? ', or its UUID' : ''}.`,
      schema: idSchema(mapping),
    }),
  );

/** The schema of one object or an array of objects. */
const oneOrMany = (type: Type, bounds: { minItems?: number; maxItems?: number } = {}) => ({
  oneOf: [
    { $ref: getSchemaPath(type) },
    namedSchema(`${readableName(type.name)}List`, {
      type: 'array',
      items: { $ref: getSchemaPath(type) },
      ...bounds,
    }),
  ],
});

const CREATED_SEVERAL =
  'Created. The response to an array is an array in the same order, without `ETag` and `Location`. If one item fails, none is created, and `details` contains each item that fails, such as `[2].name`.';

interface ViewOptions {
  readonly tagged?: boolean;
  readonly several?: boolean;
}

/**
 * Documents a response with one resource. `tagged`: whether it has an `ETag`; resources that never change have none.
 * `several`: whether it can be an array of resources.
 */
export const ApiView = (
  status: 200 | 201,
  view: Type,
  description: string,
  { tagged = true, several = false }: ViewOptions = {},
) =>
  applyDecorators(
    ApiExtraModels(view),
    ApiResponse({
      status,
      description,
      headers: {
        ...(tagged ? tag : {}),
        ...(status === 201
          ? ApiResponseHeader('Location', 'The URL of the resource.', 'http://127.0.0.1:7780/v1/hosts/1')
          : {}),
      },
      content: jsonContent(several ? oneOrMany(view) : { $ref: getSchemaPath(view) }),
    }),
  );

/** Whether one request can create several resources. Not for projects, because a change belongs to one project. */
export const createsSeveral = ({ idType }: ResourceMapping): boolean => idType !== 'uuid';

/** Overrides the default description of a 409. */
const ApiConflict = ({ conflict }: RouteOptions): MethodDecorator[] =>
  conflict === undefined ? [] : [ApiResponse({ status: 409, ...errorResponse(409), description: conflict })];

/** `POST`: creates one resource, or several in one change. */
export function CreateRoute(options: RouteOptions, body: Type) {
  const { definition, view, createdView = view, writes, isDeprecated } = options;
  const { mapping } = definition;
  return applyDecorators(
    Post(),
    Access(writes),
    ApiOperation({
      summary: createsSeveral(mapping)
        ? `Create ${aWord(mapping)}, or several in one change`
        : `Create ${aWord(mapping)}`,
      ...(isDeprecated ? { deprecated: true } : {}),
    }),
    Writes(),
    ...(createsSeveral(mapping)
      ? [
          LargeBody(),
          ApiExtraModels(body),
          ApiBody({
            schema: namedSchema(`${body.name}s`, oneOrMany(body, { minItems: 1, maxItems: MAX_ITEMS })),
          }),
        ]
      : [ApiBody({ type: body })]),
    ApiView(201, createdView, createsSeveral(mapping) ? CREATED_SEVERAL : 'Created.', {
      several: createsSeveral(mapping),
    }),
    ApiErrors(400, 401, 403, 405, 409, 415),
    ...ApiConflict(options),
    ...(options.secretIn === 'created' ? [ContainsSecret()] : []),
  );
}

/** `GET`: lists resources. @param owner the resource in the path that the list belongs to, if any */
export function ListRoute({ definition, view, reads }: RouteOptions, owner?: ResourceMapping) {
  const { collection } = definition.mapping;
  return applyDecorators(
    Get(),
    TakesQuery(),
    Access(reads),
    ApiOperation({ summary: `List ${collection}${owner ? ` of ${aWord(owner)}` : ''}` }),
    ...(owner ? [ApiId(owner)] : []),
    ApiListParameters(definition),
    ApiListResponse(view),
    ApiErrors(400, 401, 403, 404, 405),
  );
}

/** Documents the response of a list. `describePages` adds its other form. @param more text to append to the description */
export const ApiListResponse = (view: Type, more = '') =>
  applyDecorators(
    ApiExtraModels(view, LinkView),
    ApiResponse({
      status: 200,
      description: `A list.${more}`,
      headers: ApiResponseHeader(
        'Link',
        'Links to pages: self, first, prev, next, last (RFC 8288).',
        '</v1/hosts>; rel="self"',
      ),
      content: jsonContent({ type: 'array', items: { $ref: getSchemaPath(view) } }),
    }),
  );

const FIELDS =
  'With `fields`, as in the list, the response has only these members. It is no parameter of this description: no member of the response would be required then, in any generated client.';

/** `GET {id}`: shows one resource. */
export function ShowRoute({ definition, view, shownView = view, reads, secretIn }: RouteOptions) {
  const { mapping, showsVariables, isPresentOnly } = definition;
  return applyDecorators(
    Get(':id'),
    TakesQuery(),
    Access(reads),
    ApiOperation({ summary: `Show ${aWord(mapping)}`, description: FIELDS }),
    ApiId(mapping),
    ...(showsVariables ? [ApiResolvedValues('true')] : []),
    ...(isPresentOnly ? [] : [ApiAt()]),
    ApiView(200, shownView, 'Found.', { tagged: !isPresentOnly }),
    ApiErrors(400, 401, 403, 404),
    ...(secretIn === 'shown' ? [ContainsSecret()] : []),
  );
}

/** `PUT {id}`: changes the members in the body. */
export function UpdateRoute(options: RouteOptions, body: Type, access: RouteAccess) {
  const { definition, view } = options;
  return applyDecorators(
    Put(':id'),
    Access(access),
    ApiOperation({ summary: `Change members of ${aWord(definition.mapping)}; other members do not change` }),
    ApiId(definition.mapping),
    Writes(),
    ApiIfMatch(),
    ...(options.hasShortMembers ? [] : [LargeBody()]),
    ApiBody({ type: body }),
    ApiView(200, view, 'Changed.'),
    ApiErrors(400, 401, 403, 404, 405, 409, 412, 415),
    ...ApiConflict(options),
  );
}

/** `DELETE {id}`: deletes a resource that is not referenced. */
export function DeleteRoute({ definition, writes }: RouteOptions) {
  return applyDecorators(
    Delete(':id'),
    HttpCode(204),
    Access(writes),
    ApiOperation({ summary: `Delete ${aWord(definition.mapping)} that is not in use` }),
    ApiId(definition.mapping),
    Writes(),
    ApiIfMatch(),
    ApiResponse({ status: 204, description: 'Deleted.' }),
    ApiErrors(400, 401, 403, 404, 409, 412),
  );
}
