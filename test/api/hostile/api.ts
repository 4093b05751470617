import type { OpenAPIObject } from '@nestjs/swagger';
import { withResponses } from '../../support/description';
import { Validators } from '../../support/openapi-response-validator';
import type { Service } from '../../support/service';

/** The parts of an OpenAPI schema that the request generator uses. */
export interface Schema {
  readonly $ref?: string;
  /** With `null`, if it is one of several. */
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly (string | null)[];
  readonly example?: unknown;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly explode?: boolean;
  readonly schema: Schema;
}

interface Response {
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
  /** The schema of the page, for a list. */
  readonly 'x-page'?: object;
}

/** An operation of the OpenAPI document. */
export interface Operation {
  /** `PUT /v1/hosts/{id}` */
  readonly route: string;
  readonly method: string;
  /** With parameters such as `{id}`. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, { readonly schema?: Schema }>>;
  };
  readonly responses: Readonly<Record<string, Response>>;
}

type RawOperation = Omit<Operation, 'route' | 'method' | 'path' | 'parameters'> & {
  readonly parameters?: readonly Parameter[];
  /** The schema of the response 202 to a write that is proposed. */
  readonly 'x-proposed'?: Schema;
};

/** The responses of an operation, including that to a write that is proposed. */
const withProposal = ({ responses, 'x-proposed': schema }: RawOperation): Operation['responses'] =>
  schema ? { ...responses, 202: { content: { 'application/json': { schema } } } } : responses;

/** The OpenAPI document of the service. */
export class Api {
  readonly operations: readonly Operation[];
  /** The whole document as text. Its contents are public. */
  readonly text: string;

  /** Validates responses. */
  readonly validators: Validators;
  /** Each operation with its path pattern. Paths without parameters come first. */
  private readonly patterns: readonly { readonly operation: Operation; readonly pattern: RegExp }[];

  private constructor(readonly description: OpenAPIObject) {
    this.text = JSON.stringify(description);
    this.validators = new Validators(description);
    this.operations = Object.entries(description.paths).flatMap(([path, item]) =>
      Object.entries(item as Record<string, RawOperation>).map(([method, operation]) => ({
        ...operation,
        responses: withProposal(operation),
        parameters: operation.parameters ?? [],
        method: method.toUpperCase(),
        path,
        route: `${method.toUpperCase()} ${path}`,
      })),
    );
    const hasParameter = ({ path }: Operation): number => Number(path.includes('{'));
    this.patterns = this.operations
      .toSorted((one, other) => hasParameter(one) - hasParameter(other))
      .map((operation) => ({
        operation,
        pattern: new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}/?$`, 's'),
      }));
  }

  static async of(app: Service): Promise<Api> {
    return new Api(withResponses((await app.root.get('/openapi.json').expect(200)).body as OpenAPIObject));
  }

  /** Resolves a reference to a schema. */
  resolved(schema: Schema): Schema {
    const name = schema.$ref?.split('/').at(-1);
    if (name !== undefined) return this.resolved(this.description.components?.schemas?.[name] as Schema);
    const [first] = schema.allOf ?? [];
    return first ? { ...this.resolved(first), ...schema } : schema;
  }

  /** The operation that matches a request, or undefined if there is none. */
  matching(method: string, url: string): Operation | undefined {
    const path = pathOf(url);
    if (path === undefined) return undefined;
    const served = method === 'HEAD' ? 'GET' : method;
    return this.patterns.find(({ operation, pattern }) => operation.method === served && pattern.test(path))
      ?.operation;
  }
}

/** The path of a request target. */
function pathOf(url: string): string | undefined {
  const [path = ''] = url.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/);
  return path.startsWith('/') ? path : undefined;
}
