import type { OpenAPIObject } from '@nestjs/swagger';
import type { Service } from './service';

interface Schema {
  readonly $ref?: string;
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

type Item = Record<string, { responses: Record<string, { $ref?: string }> }>;

/** The description with the responses themselves in place of references to them. */
export function withResponses(api: OpenAPIObject): OpenAPIObject {
  const shared = api.components?.responses as Record<string, object>;
  const copy = structuredClone(api);
  for (const item of Object.values(copy.paths))
    for (const { responses } of Object.values(item as Item))
      for (const [status, { $ref }] of Object.entries(responses))
        if ($ref !== undefined) responses[status] = shared[$ref.split('/').at(-1) ?? ''] ?? {};
  return copy;
}

/** An operation of the OpenAPI description. */
export interface DescribedOperation {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** The path, with parameters as `{id}`. */
  readonly path: string;
  /** `hosts` of `/v1/hosts/{id}/labels`. */
  readonly collection: string;
  /** The names of its query parameters. */
  readonly query: readonly string[];
  /** The names of its headers. */
  readonly headers: readonly string[];
  /** The member names of its body: undefined without a body, empty for a free-form body. */
  readonly members: readonly string[] | undefined;
  readonly required: readonly string[];
}

interface RawOperation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** Every operation under `/v1`. */
export async function describedOperations(app: Service): Promise<DescribedOperation[]> {
  const api = (await app.root.get('/openapi.json').expect(200)).body as OpenAPIObject;
  const schemas = api.components?.schemas as Record<string, Schema>;
  return Object.entries(api.paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([path, item]) =>
      Object.entries(item as Record<string, RawOperation>).map(([method, operation]) => {
        const parameters = operation.parameters ?? [];
        const namesOf = (place: string) =>
          parameters.filter((one) => one.in === place).map(({ name }) => name);
        const body = operation.requestBody?.content['application/json']?.schema;
        const named = (given: Schema | undefined) =>
          given?.$ref === undefined ? given : schemas[given.$ref.split('/').at(-1) ?? ''];
        const given = named(body);
        // For a body with one or many items, the schema of one item.
        const schema = given?.oneOf?.[0]?.$ref === undefined ? given : named(given.oneOf[0]);
        return {
          method: method as DescribedOperation['method'],
          path,
          collection: (path.split('/')[2] ?? '').replace(/^region$/, 'regions'),
          query: namesOf('query'),
          headers: namesOf('header'),
          members: schema && Object.keys(schema.properties ?? {}),
          required: schema?.required ?? [],
        };
      }),
    );
}

/** The values that one of several routes that share their code tests: together, they test every value. */
export const inTurn = (values: readonly string[], turn: number, routes: number): readonly string[] => {
  const parts = Math.min(routes, values.length);
  return values.filter((_, i) => i % parts === turn % parts);
};
