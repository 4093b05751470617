import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiQuery } from '@nestjs/swagger';
import { NULL_VALUE } from '../lists/column-filters';
import type { ListFilter } from '../lists/list-filter';
import { LAST_PAGE } from '../lists/marker';
import { type CommonParameter, LIMITS, type ListParameters, sortKeyNames } from '../lists/list-query';
import type { ResourceMapping } from '../database/resource-mapping';
import { MAX_CONDITIONS } from '../variables/filter/where-parser';
import { MAX_EXPLAINED_KEYS } from '../variables/explanation';
import { inheritsVariables } from '../variables/levels';
import { listParameters, selectingParameters, type ResourceDefinition } from './resource-definition';
import { PreviewView } from './preview.view';

const A_PROJECT = '717e9a21-6e2d-44e0-bc84-8398563bda06';

export const idSchema = (mapping: ResourceMapping) =>
  mapping.idType === 'uuid'
    ? ({ type: 'string', format: 'uuid', example: A_PROJECT } as const)
    : ({ type: 'integer', format: 'int64', example: 1 } as const);

export const ApiResolvedValues = (defaultValue: 'true' | 'false') =>
  ApiQuery({
    name: 'resolved-values',
    required: false,
    description: 'Whether `variables` contains the resolved variables, or only those of the resource itself.',
    schema: { type: 'boolean', default: defaultValue === 'true', example: true },
  });

/** The point in time of a read. */
export const ApiAt = () =>
  ApiQuery({
    name: 'at',
    required: false,
    description:
      'The state at this time: in UTC, or with an offset such as `+01:00`; a date alone is midnight. The state at a `created_at` or `updated_at` includes that change. The response has no `ETag`.',
    schema: { type: 'string', example: '2017-02-16T14:28:55.000000' },
  });

const ApiMarker = (description: string, schema: object) =>
  ApiQuery({ name: 'marker', required: false, description, schema });

/**
 * A parameter with several texts, joined by `,`.
 * @param items the schema of one text
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
    schema: { type: 'array', minItems: 1, items, ...more },
    style: 'form',
    explode: false,
  });

/** The parameters that every list documents in the same way. */
const COMMON: Partial<Record<CommonParameter, (names: ListParameters) => MethodDecorator>> = {
  limit: () =>
    ApiQuery({
      name: 'limit',
      required: false,
      description: `The maximum number of items. For arrays 1–10000, default 1000; for page objects 10–100, default 30.`,
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
      'The members to return, joined by `,`. Other members are not computed.',
      { type: 'string', enum: [...members] },
      { example: members.slice(0, 2) },
    ),
  'resolved-values': () => ApiResolvedValues('true'),
  project_id: () => ApiProjectId('Only items of this project. Without it, a root user sees all projects.'),
};

export const ApiProjectId = (description: string) =>
  ApiQuery({
    name: 'project_id',
    required: false,
    description,
    schema: { type: 'string', format: 'uuid', example: A_PROJECT },
  });

const filterSchema = ({ type, format, example, values, repeatable, nullable }: ListFilter): object => {
  const one = nullable
    ? // A text, because generated clients cannot all send values of two types.
      { type: 'string', pattern: `^(-?\\d+|${NULL_VALUE})$`, example: String(example) }
    : {
        type,
        ...(type === 'integer' ? { format: 'int64' } : format ? { format } : {}),
        ...(values ? { enum: values } : {}),
        example,
      };
  return repeatable ? { type: 'array', items: one } : one;
};

/**
 * Documents the query parameters of a list with a fixed order, from the parameters that it accepts.
 * @param marker the description of its marker, and an example
 */
export const ApiListNames = (names: ListParameters, marker: { description: string; example: string }) =>
  applyDecorators(
    ...names.common.flatMap((name) => COMMON[name]?.(names) ?? []),
    ApiMarker(marker.description, { type: 'string', example: marker.example }),
    ...names.filters.map(ApiFilter),
  );

/** Documents a filter. */
export const ApiFilter = (filter: ListFilter) =>
  ApiQuery({
    name: filter.name,
    required: false,
    description: filter.description,
    schema: filterSchema(filter),
    ...(filter.repeatable ? { style: 'form', explode: true } : {}),
  });

/** Documents the query parameters of a resource list, from the parameters that it accepts. */
export function ApiListParameters(definition: ResourceDefinition): MethodDecorator {
  const parameters = listParameters(definition);
  const { mapping } = definition;
  return applyDecorators(
    ...parameters.common.flatMap((name) => COMMON[name]?.(parameters) ?? []),
    ApiMarker(
      'Where the page begins: after the item with this id, or at a position from a link of this list in the same order; `last` for the last page.',
      { type: 'string', example: LAST_PAGE },
    ),
    ApiJoined(
      'sort_keys',
      'Columns to sort by, joined by `,`. The id is always the last.',
      { type: 'string', enum: sortKeyNames(mapping) },
      { default: ['id'], example: ['created_at', 'id'] },
    ),
    ...(inheritsVariables(definition.inheritance)
      ? [
          ApiJoined(
            'explain',
            'Keys, joined by `,`. The member `explain` of each item contains the origin of their values.',
            { type: 'string' },
            { maxItems: MAX_EXPLAINED_KEYS, example: ['ntp_servers', 'rack'] },
          ),
        ]
      : []),
    ApiSelection(definition),
  );
}

/** Documents the parameters that select resources of a list. */
export function ApiSelection(
  definition: Pick<ResourceDefinition, 'mapping' | 'filters' | 'filtersVariables' | 'expansion'>,
): MethodDecorator {
  const { filtersVariables, expansion } = definition;
  return applyDecorators(
    ...selectingParameters(definition).filters.map(ApiFilter),
    ...(expansion
      ? [
          ApiQuery({
            name: expansion.parameter,
            required: false,
            description: expansion.description,
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
              'Filters by resolved variables: `<path>:<value>`, joined by `,`; all must match. A path consists of keys joined by `.`; a key can be followed by `[*]` or `[<index>]`; `*` matches every key; a value is a JSON string, number, boolean or null.',
            schema: { type: 'string', example: 'rack.row:4,ntp_servers:"10.0.0.1"' },
          }),
          ApiQuery({
            name: 'where',
            required: false,
            description: `Conditions on resolved variables, each a parameter of its own; all must match, at most ${String(MAX_CONDITIONS)}. \`<path> <operator> <value>\`: paths are those of \`vars\`, values are JSON. Operators: \`=\`, \`!=\`, \`<\`, \`<=\`, \`>\`, \`>=\` (numbers by value, texts in natural order), \`^=\` (begins with), \`~=\` (contains, ignoring case), \`in [<value>, …]\`, \`exists\` and \`missing\`.`,
            schema: {
              type: 'array',
              items: { type: 'string', example: 'kernel < "6.12"' },
              maxItems: MAX_CONDITIONS,
            },
            style: 'form',
            explode: true,
          }),
        ]
      : []),
  );
}

/** The parameters of `parseIdPage`: a page of devices. */
export const ApiDevicePage = () =>
  applyDecorators(
    ApiQuery({
      name: 'limit',
      required: false,
      description: 'The maximum number of devices to return.',
      schema: {
        type: 'integer',
        minimum: LIMITS.preview.min,
        maximum: LIMITS.preview.max,
        default: LIMITS.preview.default,
        example: 100,
      },
    }),
    ApiMarker('The id of the last device seen.', { type: 'string', example: '1' }),
  );

// Created once, as those in `resource-routes.ts`.
const DRY_RUN = applyDecorators(
  ApiQuery({
    name: 'dry_run',
    required: false,
    description:
      'Whether the write is a dry run: it is validated like the real write, but writes nothing. The response contains what it would do.',
    schema: { type: 'boolean', default: false, example: true },
  }),
  ApiQuery({
    name: 'limit',
    required: false,
    // No default in the schema: generated clients send it with every write, which is rejected without `dry_run=true`.
    description: `Only with \`dry_run=true\`: the maximum number of affected devices in the response. Without it, ${String(LIMITS.preview.default)}.`,
    schema: { type: 'integer', minimum: LIMITS.preview.min, maximum: LIMITS.preview.max, example: 100 },
  }),
  ApiQuery({
    name: 'marker',
    required: false,
    description: 'Only with `dry_run=true`: the id of the last affected device seen.',
    schema: { type: 'string', pattern: '^[0-9]+$', example: '1' },
  }),
  ApiExtraModels(PreviewView),
);

/** Documents the parameters of a dry run. `describePreview` documents the response, for all writes. */
export const ApiDryRun = () => DRY_RUN;
