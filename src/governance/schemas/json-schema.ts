import { namedSchema } from '../../http/api-schemas';

/** A JSON Schema, in the API description. */
export const jsonSchemaSchema = namedSchema('JsonSchema', {
  oneOf: [{ type: 'object', additionalProperties: true }, { type: 'boolean' }],
  description: 'A JSON Schema: an object, or `true` for any value and `false` for none.',
});
