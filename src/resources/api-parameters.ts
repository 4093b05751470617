import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiQuery } from '@nestjs/swagger';
import type { ListFilter } from '../list/list-filter';
import { type CommonParameter, LIMITS, type ListParameters, sortKeyNames } from '../list/list-query';
import type { ResourceShape } from '../database/resource-shape';
import { MAX_EXPLAINED_KEYS } from '../variables/explanation';
import { inheritsVariables } from '../variables/levels';
import { listParameters, selectingParameters, type ResourceDefinition } from './resource-definition';
import { PreviewView } from './change.view';

const A_PROJECT = '717e9a21-6e2d-44e0-bc84-8398563bda06';

export const idSchema = (shape: ResourceShape) =>
  shape.idType === 'uuid'
    ? ({ type: 'string', format: 'uuid', example: A_PROJECT } as const)
    : ({ type: 'integer', format: 'int64', example: 1 } as const);

export const ApiResolvedValues = (defaultValue: 'true' | 'false') =>
  ApiQuery({
    name: 'resolved-values',
    required: false,
    description: 'Whether `variables` are resolved through the hierarchy, or the own ones alone.',
    schema: { type: 'boolean', default: defaultValue === 'true', example: true },
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

/**
 * Several texts as one value, joined by `,`.
 * @param items what they may be
 */
const ApiJoined = (
  name: string,
  description: string,
  items: { readonly type: 'string'; readonly enum?: string[] },
  more: { readonly example: string[]; readonly default?: string[]; readonly maxItems?: number },
) =>
  ApiQuery({
    name,
    required: false,
    description,
    schema: { type: 'array', items, ...more },
    style: 'form',
    explode: false,
  });

/** The parameters that every list documents in the same way. */
const COMMON: Partial<Record<CommonParameter, (names: ListParameters) => MethodDecorator>> = {
  limit: () =>
    ApiQuery({
      name: 'limit',
      required: false,
      description: `How many at most. As an array 1–10000, usually 1000; as a page 10–100, usually 30.`,
      schema: { type: 'integer', minimum: LIMITS.array.min, maximum: LIMITS.array.max, example: 100 },
    }),
  sort_dir: () =>
    ApiQuery({
      name: 'sort_dir',
      required: false,
      description: 'The direction of all the sort keys.',
      schema: { type: 'string', enum: ['asc', 'desc'], default: 'asc', example: 'desc' },
    }),
  fields: ({ members }) =>
    ApiJoined(
      'fields',
      'Members to show, joined by `,`. What is not asked for is not computed.',
      { type: 'string', enum: [...members] },
      { example: members.slice(0, 2) },
    ),
  'resolved-values': () => ApiResolvedValues('true'),
  project_id: () =>
    ApiQuery({
      name: 'project_id',
      required: false,
      description: 'Only of this project. A root user sees every project without it.',
      schema: { type: 'string', format: 'uuid', example: A_PROJECT },
    }),
};

const filterSchema = ({ type, format, example, repeatable }: ListFilter): object => {
  const one = { type, ...(type === 'integer' ? { format: 'int64' } : format ? { format } : {}), example };
  return repeatable ? { type: 'array', items: one } : one;
};

/**
 * Documents the query parameters of a list whose order is its own, from what the list itself accepts.
 * @param marker what it takes for a marker, and an example
 */
export const ApiListNames = (names: ListParameters, marker: { description: string; example: string }) =>
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
export function ApiListParameters(listing: ResourceDefinition): MethodDecorator {
  const parameters = listParameters(listing);
  const { shape } = listing;
  return applyDecorators(
    ...parameters.common.flatMap((name) => COMMON[name]?.(parameters) ?? []),
    ApiMarker('The id of the last item seen.', idSchema(shape)),
    ApiJoined(
      'sort_keys',
      'Columns to sort by, joined by `,`. The id is always the last.',
      { type: 'string', enum: sortKeyNames(shape) },
      { default: ['id'], example: ['created_at', 'id'] },
    ),
    ...(inheritsVariables(listing.inheritance)
      ? [
          ApiJoined(
            'explain',
            'Keys, joined by `,`: each item shows in `explain` where they come from.',
            { type: 'string' },
            { maxItems: MAX_EXPLAINED_KEYS, example: ['ntp_servers', 'rack'] },
          ),
        ]
      : []),
    ApiSelection(listing),
  );
}

/** Documents the parameters that say which resources of a list are meant. */
export function ApiSelection(listing: ResourceDefinition): MethodDecorator {
  const { filtersVariables, widen } = listing;
  return applyDecorators(
    ...selectingParameters(listing).filters.map(ApiFilter),
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

/** Whether a write is only tried, and which page is shown of what it would do. The answer is described for all writes. */
export const ApiDryRun = () =>
  applyDecorators(
    ApiQuery({
      name: 'dry_run',
      required: false,
      description:
        'Whether the write is only tried: checked exactly as the real one, it writes nothing and is answered with what it would do.',
      schema: { type: 'boolean', default: false, example: true },
    }),
    ApiQuery({
      name: 'limit',
      required: false,
      description: 'Of a dry run: how many affected devices are shown at most.',
      schema: {
        type: 'integer',
        minimum: LIMITS.preview.min,
        maximum: LIMITS.preview.max,
        default: LIMITS.preview.default,
        example: 100,
      },
    }),
    ApiQuery({
      name: 'marker',
      required: false,
      description: 'Of a dry run: the id of the last affected device seen.',
      schema: { type: 'integer', format: 'int64', example: 1 },
    }),
    ApiExtraModels(PreviewView),
  );
