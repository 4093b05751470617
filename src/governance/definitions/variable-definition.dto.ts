import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { JsonCheck, JsonMember, Optional } from '../../http/json-member';
import type { JsonInput } from '../../database/json-input';
import { Description } from '../../resources/body-members';
import { keyFault } from '../../core/context/variable-key';
import { schemaFault } from '../schemas/compile-schema';
import { EXAMPLE_SCHEMA } from './variable-definition';

function keysFault(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (value === '*') return undefined;
  const fault = keyFault(value.replace(/\*$/, ''));
  return fault && `must be the key of a variable, or a prefix of keys followed by *: ${fault}`;
}

const isKeys = () => JsonCheck('key', keysFault);

const KEY = {
  example: 'ntp_servers',
  maxLength: 255,
  description: 'A key, or a prefix of keys followed by `*`. Unique in the project.',
};

/** A JSON Schema, kept as it was sent. */
export const isSchema = () => applyDecorators(JsonMember(), JsonCheck('schema', schemaFault));

const SCHEMA: ApiPropertyOptions = {
  // In place of the type that the compiler notes of the member.
  type: Object,
  oneOf: [{ type: 'object', additionalProperties: true }, { type: 'boolean' }],
  example: EXAMPLE_SCHEMA,
  description:
    'A JSON Schema of the draft 2020-12, or of draft-07 where `$schema` says so; at most 64 KiB and 64 levels.',
};

const describes = () => Description('Where clocks are set by.', 'What the variable is for.');

export class CreateVariableDefinition {
  @isKeys()
  @ApiProperty(KEY)
  key!: string;

  @describes()
  description?: string | null;

  @isSchema()
  @ApiProperty(SCHEMA)
  schema!: JsonInput;
}

export class UpdateVariableDefinition {
  @Optional()
  @isKeys()
  @ApiPropertyOptional(KEY)
  key?: string;

  @describes()
  description?: string | null;

  @Optional()
  @isSchema()
  @ApiPropertyOptional(SCHEMA)
  schema?: JsonInput;
}
