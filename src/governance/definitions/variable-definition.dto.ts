import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { JsonCheck, JsonMember, Optional } from '../../http/json-member';
import type { JsonInput } from '../../database/json-input';
import { Description } from '../../resources/body-members';
import { keyFault } from '../../core/context/variable-key';
import { schemaFault } from '../schemas/compile-schema';
import { EXAMPLE_SCHEMA } from './variable-definition';

function patternFault(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (value === '*') return undefined;
  const fault = keyFault(value.replace(/\*$/, ''));
  return fault && `must be a variable key, or a key prefix followed by *: ${fault}`;
}

const isKeyPattern = () => JsonCheck('key', patternFault);

const KEY = {
  example: 'ntp_servers',
  maxLength: 255,
  description: 'A variable key, or a key prefix followed by `*`. Unique in the project.',
};

/** A JSON Schema. It is stored as it was sent. */
const isSchema = () => applyDecorators(JsonMember(), JsonCheck('schema', schemaFault));

const SCHEMA: ApiPropertyOptions = {
  // Overrides the type that the compiler emits for the member.
  type: Object,
  oneOf: [{ type: 'object', additionalProperties: true }, { type: 'boolean' }],
  example: EXAMPLE_SCHEMA,
  description:
    'A JSON Schema of draft 2020-12, or of draft-07 if `$schema` names it. At most 64 KiB and 64 levels deep.',
};

const DefinitionDescription = () =>
  Description('The NTP servers of a device.', 'The purpose of the variable.');

export class CreateVariableDefinition {
  @isKeyPattern()
  @ApiProperty(KEY)
  key!: string;

  @DefinitionDescription()
  description?: string | null;

  @isSchema()
  @ApiProperty(SCHEMA)
  schema!: JsonInput;
}

export class UpdateVariableDefinition {
  @Optional()
  @isKeyPattern()
  @ApiPropertyOptional(KEY)
  key?: string;

  @DefinitionDescription()
  description?: string | null;

  @Optional()
  @isSchema()
  @ApiPropertyOptional(SCHEMA)
  schema?: JsonInput;
}
