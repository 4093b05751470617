import type { OpenAPIObject } from '@nestjs/swagger';
import { CLOSED, readableName, type ApiSchema } from '../http/api-schemas';

type Responses = NonNullable<NonNullable<OpenAPIObject['components']>['responses']>;
type Headers = NonNullable<NonNullable<OpenAPIObject['components']>['headers']>;

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: ApiSchema }>> };
  readonly responses: Responses;
}

const PREFIX = '#/components/schemas/';

/**
 * Completes the description for generators of clients: they name types after components, and the fewer there are without
 * a name, the fewer names they invent. Responses to errors and headers become components, which also makes the
 * description much shorter; the suffix `View` of the classes of responses disappears (see `readableName`); the bodies of requests are closed,
 * because the service rejects unknown members.
 */
export function shareComponents(description: OpenAPIObject): OpenAPIObject {
  const operations = Object.values(description.paths).flatMap((path) => Object.values(path) as Operation[]);
  const schemas = description.components?.schemas ?? {};
  for (const { requestBody } of operations)
    for (const { schema } of Object.values(requestBody?.content ?? {})) close(schema, schemas);
  const headers = shareHeaders(operations.flatMap(({ responses }) => Object.values(responses)));
  const responses = shareErrors(operations);
  description.components = { ...description.components, schemas, headers, responses };
  return withReadableNames(description);
}

/** Closes an object, or the variants of a union and the items of an array. */
function close(schema: ApiSchema | undefined, schemas: Readonly<Record<string, ApiSchema>>): void {
  if (!schema) return;
  if ('$ref' in schema) {
    close(schemas[schema.$ref.slice(PREFIX.length)], schemas);
    return;
  }
  for (const variant of [...(schema.oneOf ?? []), schema.items]) close(variant, schemas);
  if (schema.properties) schema.additionalProperties ??= false;
}

/** Replaces the most frequent header of each name by a reference. @returns these headers */
function shareHeaders(responses: readonly Responses[string][]): Headers {
  const shared: Headers = {};
  const all = responses.flatMap((response) => ('headers' in response ? [response.headers as Headers] : []));
  for (const name of new Set(all.flatMap((headers) => Object.keys(headers)))) {
    const text = mostFrequent(
      all.flatMap((headers) => headers[name] ?? []).map((one) => JSON.stringify(one)),
    );
    shared[name] = JSON.parse(text) as Headers[string];
    for (const headers of all)
      if (JSON.stringify(headers[name]) === text) headers[name] = { $ref: `#/components/headers/${name}` };
  }
  return shared;
}

/** Replaces the most frequent response to each error by a reference. @returns these responses */
function shareErrors(operations: readonly Operation[]): Responses {
  const shared: Responses = {};
  const statuses = new Set(operations.flatMap(({ responses }) => Object.keys(responses)));
  for (const status of [...statuses].filter((one) => one >= '400').sort()) {
    const texts = operations
      .flatMap(({ responses }) => responses[status] ?? [])
      .map((one) => JSON.stringify(one));
    const text = mostFrequent(texts);
    const name = errorName(text);
    shared[name] = JSON.parse(text) as Responses[string];
    for (const { responses } of operations)
      if (JSON.stringify(responses[status]) === text)
        responses[status] = { $ref: `#/components/responses/${name}` };
  }
  return shared;
}

/** `InvalidRequest` for a response with the code `invalid_request`. */
const errorName = (response: string): string =>
  (/"code":"(\w+)"/.exec(response)?.[1] ?? '')
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

function mostFrequent(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const [[most] = ['']] = [...counts].sort(([, a], [, b]) => b - a);
  return most;
}

/** The description without the suffix of the classes of responses. */
const withReadableNames = (description: OpenAPIObject): OpenAPIObject =>
  JSON.parse(JSON.stringify(description), (key, value: unknown) => {
    if (key === '$ref' && typeof value === 'string') return readableName(value);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return key === 'schemas' ? renamed(value) : completed(value as Record<string, unknown>);
  }) as OpenAPIObject;

/** Sorted by name: the order in which files declare schemas depends on the order in which they were loaded. */
function renamed(schemas: object): object {
  const named = Object.entries(schemas)
    .map(([name, schema]) => [readableName(name), schema as unknown] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const twice = named.find(([name], i) => named[i + 1]?.[0] === name);
  if (twice) throw new Error(`the API description has two schemas with the name ${twice[0]}`);
  return Object.fromEntries(named);
}

/** A schema without what only tells Nest about it. Other objects remain unchanged. */
function completed(schema: Readonly<Record<string, unknown>>): object {
  const { anyOf, [CLOSED]: isClosed, ...others } = schema;
  if (Array.isArray(anyOf) && anyOf.length === 0) return others;
  if (isClosed === true) return { ...others, additionalProperties: false };
  return schema;
}
