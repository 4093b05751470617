import { ApiBody, ApiExtension, getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';

/** A schema of the API description. */
export type ApiSchema = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string];

/**
 * The schema of any JSON value, `null` included: it has no type. Nest omits the type of a member only if it has a union;
 * `shareComponents` removes the empty one.
 */
export const anyValueSchema = { type: Object, anyOf: [] };

const schemas = new Map<string, ApiSchema>();

/**
 * Adds a schema that is no class to the components of the API description. Generators of clients name its type by it;
 * for a schema without a name they invent one for each place that has it.
 * @returns a reference to it
 */
export function namedSchema(name: string, schema: ApiSchema): { $ref: string } {
  schemas.set(name, schema);
  return { $ref: getSchemaPath(name) };
}

/** Documents a body that says nothing. `EmptyBody` checks it. */
export const ApiEmptyBody = () =>
  ApiBody({
    required: false,
    schema: namedSchema('EmptyBody', { type: 'object', additionalProperties: false }),
    description: 'Empty, or `{}`.',
  });

/** A member that is a JSON object of the user. Its type keeps Nest from adding that of the property. */
const objectSchema = (name: string, description: string) => ({
  type: Object,
  allOf: [namedSchema(name, { type: 'object', additionalProperties: true, description })],
});

export const variableMap = objectSchema('VariableMap', 'Variables: keys, and any JSON values.');

export const resourceMembers = objectSchema(
  'ResourceMembers',
  'The members of a resource, without variables.',
);

export const variableChanges = objectSchema(
  'VariableChanges',
  'For each key an object with the values `before` and `after`; a side is absent where the key is not set.',
);

export const resolvedVariableChanges = objectSchema(
  'ResolvedVariableChanges',
  'For each key an object with the values `before` and `after`, and the `level` (`kind`, `id` and `name`) of the value; a side is absent where the key is not set.',
);

/** All schemas that `namedSchema` added, by name. */
export const namedSchemas: ReadonlyMap<string, ApiSchema> = schemas;

/** The extension of `ClosedSchema`, which `shareComponents` replaces by `additionalProperties: false`. */
export const CLOSED = 'x-closed';

/** Declares that a response has no other members, so that it cannot be taken for another one that has more. */
export const ClosedSchema = (): ClassDecorator => ApiExtension(CLOSED, true);

/**
 * The name of a schema, or a reference to it, without the suffix `View` of the class of a response. Bodies, such as
 * `CreateSavedView`, keep theirs.
 */
export const readableName = (name: string): string => name.replace(/(?<!\b(?:Create|Update)\w*)View$/, '');

/** The beginning of the operation ids of a collection: `networkDevices`. */
export const camelCase = (words: string): string =>
  words.replace(/-./g, (hyphenated) => hyphenated.slice(1).toUpperCase());

/** A response or a request body of JSON. */
export const jsonContent = (schema: ApiSchema) => ({ 'application/json': { schema } });
