import { applyDecorators, Delete, Get, HttpCode, Post, Put, type Type } from '@nestjs/common';
import {
  ApiBody,
  ApiExtraModels,
  ApiHeader,
  ApiOperation,
  ApiParam,
  ApiQuery,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import type { RouteAccess } from '../auth/access';
import { Access } from '../auth/access.decorators';
import { ApiErrors } from '../shared/http/api-errors';
import { MOST_ITEMS } from '../shared/http/valid-body';
import { TakesPrecondition } from '../shared/http/precondition.guard';
import { TakesQuery } from '../shared/http/query.guard';
import {
  LIMITS,
  PAGE_MEDIA_TYPE,
  sortKeysOf,
  type CommonParameter,
  type ListNames,
} from '../shared/list/list-query';
import type { ListFilter } from '../shared/list/list-filter';
import type { ResourceShape } from '../shared/resources/resource-shape';
import { MOST_EXPLAINED_KEYS } from '../variables/explanation';
import { inherits } from '../variables/inheritance';
import { ApiDryRun } from './dry-run-parameters';
import { listParameters, type Listing } from './listing';
import { LinkView } from './resource.view';

/** What every route of a collection needs to be declared and described. */
export interface Collection {
  readonly listing: Listing;
  /** The class that describes an answer. */
  readonly view: Type;
  /** What the answers to a creation, or to a question for one, show beyond that. */
  readonly createdView?: Type;
  readonly shownView?: Type;
  readonly reads: RouteAccess;
  readonly writes: RouteAccess;
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

const A_PROJECT = '717e9a21-6e2d-44e0-bc84-8398563bda06';

const idSchema = (shape: ResourceShape) =>
  shape.idType === 'uuid'
    ? ({ type: 'string', format: 'uuid', example: A_PROJECT } as const)
    : ({ type: 'integer', format: 'int64', example: 1 } as const);

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

/** `POST`: creates one; or several, all or none. */
export function CreateRoute({ listing, view, createdView = view, writes }: Collection, body: Type) {
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
      ? [ApiExtraModels(body), ApiBody({ schema: oneOrMany(body, { minItems: 1, maxItems: MOST_ITEMS }) })]
      : [ApiBody({ type: body })]),
    ApiView(201, createdView, createsSeveral(shape) ? CREATED_SEVERAL : 'Created.', {
      several: createsSeveral(shape),
    }),
    ApiErrors(400, 401, 403, 405, 409, 413, 415),
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
    ApiBody({ type: body }),
    ApiView(200, view, 'Changed.'),
    ApiErrors(400, 401, 403, 404, 405, 409, 412, 413, 415),
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

export const ApiResolvedValues = (usual: 'true' | 'false') =>
  ApiQuery({
    name: 'resolved-values',
    required: false,
    description: 'Whether `variables` are resolved through the hierarchy, or the own ones alone.',
    schema: { type: 'boolean', default: usual === 'true', example: true },
  });

/** The moment that an answer is about. */
export const ApiAt = () =>
  ApiQuery({
    name: 'at',
    required: false,
    description:
      'As it was at this time, UTC: a `created_at` or `updated_at` is after the change. It comes without an `ETag`.',
    schema: { type: 'string', example: '2017-02-16T14:28:55.000000' },
  });

const ApiMarker = (description: string, schema: object) =>
  ApiQuery({ name: 'marker', required: false, description, schema });

/** The parameters that every list documents in the same way. */
const COMMON: Partial<Record<CommonParameter, (names: ListNames) => MethodDecorator>> = {
  limit: () =>
    ApiQuery({
      name: 'limit',
      required: false,
      description: `How many at most. As an array 1–10000, usually 1000; as a page 10–100, usually 30.`,
      schema: { type: 'integer', minimum: LIMITS.array.least, maximum: LIMITS.array.most, example: 100 },
    }),
  sort_dir: () =>
    ApiQuery({
      name: 'sort_dir',
      required: false,
      description: 'The direction of all the sort keys.',
      schema: { type: 'string', enum: ['asc', 'desc'], default: 'asc', example: 'desc' },
    }),
  fields: ({ members }) =>
    ApiQuery({
      name: 'fields',
      required: false,
      description: `Members to show, joined by \`,\`: ${members.join(', ')}. What is not asked for is not computed.`,
      schema: { type: 'string', example: members.slice(0, 2).join(',') },
    }),
  'resolved-values': () => ApiResolvedValues('true'),
  project_id: () =>
    ApiQuery({
      name: 'project_id',
      required: false,
      description: 'Only of this project. A root user sees every project without it.',
      schema: { type: 'string', format: 'uuid', example: A_PROJECT },
    }),
};

const filterSchema = ({ type, example, repeatable }: ListFilter): object => {
  const one = { type, ...(type === 'integer' ? { format: 'int64' } : {}), example };
  return repeatable ? { type: 'array', items: one } : one;
};

/**
 * Documents the query parameters of a list whose order is its own, from what the list itself accepts.
 * @param marker what it takes for a marker, and an example
 */
export const ApiListNames = (names: ListNames, marker: { description: string; example: string }) =>
  applyDecorators(
    ...names.common.flatMap((name) => COMMON[name]?.(names) ?? []),
    ApiMarker(marker.description, { type: 'string', example: marker.example }),
    ...names.filters.map(ApiFilter),
  );

const ApiFilter = (filter: ListFilter) =>
  ApiQuery({
    name: filter.name,
    required: false,
    description: filter.description,
    schema: filterSchema(filter),
    ...(filter.repeatable ? { style: 'form', explode: true } : {}),
  });

/** Documents a list's query parameters from what the list itself accepts. */
export function ApiListParameters(listing: Listing): MethodDecorator {
  const parameters = listParameters(listing);
  const { widen, filtersVariables, shape } = listing;
  return applyDecorators(
    ...parameters.common.flatMap((name) => COMMON[name]?.(parameters) ?? []),
    ApiMarker('The id of the last item seen.', idSchema(shape)),
    ApiQuery({
      name: 'sort_keys',
      required: false,
      description: `Columns to sort by, joined by \`,\`: ${sortKeysOf(shape).join(', ')}. The id is always the last.`,
      schema: { type: 'string', default: 'id', example: 'created_at,id' },
    }),
    ...parameters.filters.map(ApiFilter),
    ...(inherits(listing.inheritance)
      ? [
          ApiQuery({
            name: 'explain',
            required: false,
            description: `Keys, joined by \`,\`, at most ${String(MOST_EXPLAINED_KEYS)}: each item shows in \`explain\` where they come from.`,
            schema: { type: 'string', example: 'ntp_servers,rack' },
          }),
        ]
      : []),
    ...(widen
      ? [
          ApiQuery({
            name: widen.parameter,
            required: false,
            description: widen.description,
            schema: { type: 'boolean', default: false, example: true },
          }),
        ]
      : []),
    ...(filtersVariables
      ? [
          ApiQuery({
            name: 'vars',
            required: false,
            description:
              'Filters by resolved variables: `<path>:<value>`, joined by `,`; all must hold. A path is keys joined by `.`, a key may be followed by `[*]` or `[<index>]`, `*` stands for every key; a value is a JSON string, number, boolean or null.',
            schema: { type: 'string', example: 'rack.row:4,ntp_servers:"10.0.0.1"' },
          }),
        ]
      : []),
  );
}
