import { applyDecorators, Delete, Get, HttpCode, Post, Put, type Type } from '@nestjs/common';
import {
  ApiBody,
  ApiExtraModels,
  ApiHeader,
  ApiOperation,
  ApiParam,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import type { RouteAccess } from '../auth/access';
import { Access } from '../auth/access.decorators';
import { ApiErrors, errorResponse } from '../http/api-errors';
import { MAX_ITEMS } from '../http/body-validation';
import { TakesPrecondition } from '../http/preconditions';
import { TakesQuery } from '../http/query.guard';
import { LargeBody } from '../http/request-body';
import { PAGE_MEDIA_TYPE } from '../list/list-query';
import type { ResourceShape } from '../database/resource-shape';
import { ApiAt, ApiDryRun, ApiListParameters, ApiResolvedValues, idSchema } from './api-parameters';
import type { ResourceDefinition } from './resource-definition';
import { LinkView } from './resource.view';

/** What every route of a collection needs to be declared and described. */
export interface Collection {
  readonly listing: ResourceDefinition;
  /** The class that describes an answer. */
  readonly view: Type;
  /** What the answers to a creation, or to a question for one, show beyond that. */
  readonly createdView?: Type;
  readonly shownView?: Type;
  readonly reads: RouteAccess;
  readonly writes: RouteAccess;
  /** What a 409 means where that needs more words than for other collections. */
  readonly conflict?: string;
  /** Whether all members of one resource fit into a small body. */
  readonly hasShortMembers?: true;
}

const wordOf = (shape: ResourceShape): string => shape.kind.replace('-', ' ');

/** With the article that its sound wants. */
const aWord = (shape: ResourceShape): string => `${/^[aeio]/.test(shape.kind) ? 'an' : 'a'} ${wordOf(shape)}`;

const tag = ApiResponseHeader('ETag', 'The version, for `If-Match`.', '"1"');

function ApiResponseHeader(name: string, description: string, example: string) {
  return { [name]: { description, schema: { type: 'string' as const, example } } };
}

/** What every write takes. */
export const ApiWrite = () =>
  applyDecorators(
    ApiHeader({
      name: 'X-Change-Reason',
      required: false,
      description:
        "Why: stands in the change record. Without it, the body's `note` does, where the body has one.",
      schema: { type: 'string', example: 'CHG-1042: new rack' },
    }),
    ApiDryRun(),
  );

export const ApiIfMatch = () =>
  TakesPrecondition('If-Match', 'Only if the resource is still at one of these versions.', {
    example: '"1"',
  });

export const ApiId = (shape: ResourceShape) =>
  ApiParam({
    name: 'id',
    description: `The id of the ${wordOf(shape)}.`,
    schema: idSchema(shape),
  });

/** One, or an array of them. */
const oneOrMany = (type: Type, bounds: { minItems?: number; maxItems?: number } = {}) => ({
  oneOf: [
    { $ref: getSchemaPath(type) },
    { type: 'array' as const, items: { $ref: getSchemaPath(type) }, ...bounds },
  ],
});

const CREATED_SEVERAL =
  'Created. For an array an array in its order, without `ETag` and `Location`; if one cannot be, none is, and the details name each that cannot: `[2].name`.';

/**
 * An answer that shows one resource. `tagged`: whether with its version, for what never changes has none. `several`:
 * whether it may be an array of them.
 */
export const ApiView = (
  status: 200 | 201,
  view: Type,
  description: string,
  { tagged = true, several = false } = {},
) =>
  applyDecorators(
    ApiExtraModels(view),
    ApiResponse({
      status,
      description,
      headers: {
        ...(tagged ? tag : {}),
        ...(status === 201
          ? ApiResponseHeader('Location', 'Where it is.', 'http://127.0.0.1:7780/v1/hosts/1')
          : {}),
      },
      content: {
        'application/json': { schema: several ? oneOrMany(view) : { $ref: getSchemaPath(view) } },
      },
    }),
  );

/** Whether several can be created at once: a change is one project's, and so projects cannot. */
export const createsSeveral = ({ idType }: ResourceShape): boolean => idType !== 'uuid';

/** Overrides the default description of a 409. */
const ApiConflict = ({ conflict }: Collection): MethodDecorator[] =>
  conflict === undefined ? [] : [ApiResponse({ status: 409, ...errorResponse(409), description: conflict })];

/** `POST`: creates one; or several, all or none. */
export function CreateRoute(collection: Collection, body: Type) {
  const { listing, view, createdView = view, writes } = collection;
  const { shape } = listing;
  return applyDecorators(
    Post(),
    Access(writes),
    ApiOperation({
      summary: createsSeveral(shape)
        ? `Create ${aWord(shape)}, or all of several in one change`
        : `Create ${aWord(shape)}`,
    }),
    ApiWrite(),
    ...(createsSeveral(shape)
      ? [
          LargeBody(),
          ApiExtraModels(body),
          ApiBody({ schema: oneOrMany(body, { minItems: 1, maxItems: MAX_ITEMS }) }),
        ]
      : [ApiBody({ type: body })]),
    ApiView(201, createdView, createsSeveral(shape) ? CREATED_SEVERAL : 'Created.', {
      several: createsSeveral(shape),
    }),
    ApiErrors(400, 401, 403, 405, 409, 415),
    ...ApiConflict(collection),
  );
}

/** `GET`: lists. @param owner what the list belongs to, where the path names one */
export function ListRoute({ listing, view, reads }: Collection, owner?: ResourceShape) {
  const { collection } = listing.shape;
  return applyDecorators(
    Get(),
    TakesQuery(),
    Access(reads),
    ApiOperation({ summary: `List ${collection}${owner ? ` of ${aWord(owner)}` : ''}` }),
    ...(owner ? [ApiId(owner)] : []),
    ApiListParameters(listing),
    ApiListAnswer(view),
    ApiErrors(400, 401, 403, 404, 405),
  );
}

/** A list's answer, in both its bodies. @param more what else is to be said of it */
export const ApiListAnswer = (view: Type, more = '') =>
  applyDecorators(
    ApiExtraModels(view, LinkView),
    ApiResponse({
      status: 200,
      description: `An array with links in the \`Link\` header; with \`Accept: ${PAGE_MEDIA_TYPE}\` a page object.${more}`,
      headers: ApiResponseHeader(
        'Link',
        'Pages: self, first, prev, next, last (RFC 8288).',
        '</v1/hosts>; rel="self"',
      ),
      content: {
        'application/json': { schema: { type: 'array', items: { $ref: getSchemaPath(view) } } },
        [PAGE_MEDIA_TYPE]: {
          schema: {
            type: 'object',
            required: ['items', 'links'],
            properties: {
              items: { type: 'array', items: { $ref: getSchemaPath(view) } },
              links: { type: 'array', items: { $ref: getSchemaPath(LinkView) } },
            },
          },
        },
      },
    }),
  );

/** `GET {id}`: shows one. */
export function ShowRoute({ listing, view, shownView = view, reads }: Collection) {
  const { shape, showsVariables, timeless } = listing;
  return applyDecorators(
    Get(':id'),
    TakesQuery(),
    Access(reads),
    ApiOperation({ summary: `Show ${aWord(shape)}` }),
    ApiId(shape),
    ...(showsVariables ? [ApiResolvedValues('true')] : []),
    ...(timeless ? [] : [ApiAt()]),
    ApiView(200, shownView, 'Found.', { tagged: !timeless }),
    ApiErrors(400, 401, 403, 404),
  );
}

/** `PUT {id}`: changes the members that the body names. */
export function UpdateRoute(collection: Collection, body: Type, access: RouteAccess = collection.writes) {
  const { listing, view } = collection;
  return applyDecorators(
    Put(':id'),
    Access(access),
    ApiOperation({ summary: `Change members of ${aWord(listing.shape)}; the others stay` }),
    ApiId(listing.shape),
    ApiWrite(),
    ApiIfMatch(),
    ...(collection.hasShortMembers ? [] : [LargeBody()]),
    ApiBody({ type: body }),
    ApiView(200, view, 'Changed.'),
    ApiErrors(400, 401, 403, 404, 405, 409, 412, 415),
    ...ApiConflict(collection),
  );
}

/** `DELETE {id}`: deletes one that nothing uses. */
export function DeleteRoute({ listing, writes }: Collection) {
  return applyDecorators(
    Delete(':id'),
    HttpCode(204),
    Access(writes),
    ApiOperation({ summary: `Delete ${aWord(listing.shape)} that nothing uses` }),
    ApiId(listing.shape),
    ApiWrite(),
    ApiIfMatch(),
    ApiResponse({ status: 204, description: 'Deleted.' }),
    ApiErrors(400, 401, 403, 404, 409, 412),
  );
}

/** Gives each made class a name of its own, so that operations have distinct ids. */
export function named<T extends Type>(controller: T, name: string): T {
  const pascal = name.replace(/(?:^|[ -])(\w)/g, (_, letter: string) => letter.toUpperCase());
  Object.defineProperty(controller, 'name', { value: `${pascal}Controller` });
  return controller;
}
