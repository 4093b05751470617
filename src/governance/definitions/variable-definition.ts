import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { Column, Entity } from 'typeorm';
import { textFilter } from '../../lists/list-filter';
import {
  column,
  versionFields,
  identityFields,
  json,
  type ResourceShape,
  ResourceEntity,
} from '../../database/resource-shape';
import { NO_INHERITANCE } from '../../variables/levels';
import type { ResourceDefinition } from '../../resources/resource-definition';
import { ResourceView } from '../../resources/resource.view';
import { applyDecorators } from '@nestjs/common';
import { JsonCheck, JsonMember, Optional } from '../../http/body-validation';
import type { JsonInput } from '../../database/json-input';
import { Description } from '../../resources/body-members';
import { variableKeyError } from '../../core/context/variable-keys';
import { schemaFormFault } from '../schemas/compile-schema';

@Entity('variable_definitions')
export class VariableDefinition extends ResourceEntity {
  @Column('text')
  key!: string;

  @Column('text', { nullable: true })
  description!: string | null;

  @Column('jsonb')
  schema!: object;
}

const EXAMPLE_SCHEMA = { type: 'array', items: { type: 'string', format: 'ipv4' }, minItems: 1 };

export class VariableDefinitionView extends ResourceView {
  @ApiProperty({
    example: 'ntp_servers',
    description: 'A variable key, or a key prefix followed by `*`. Unique in the project.',
  })
  key!: string;

  @ApiProperty({ type: String, nullable: true, example: 'The NTP servers of a device.' })
  description!: string | null;

  @ApiProperty({
    oneOf: [{ type: 'object', additionalProperties: true }, { type: 'boolean' }],
    example: EXAMPLE_SCHEMA,
    description: 'The JSON Schema for every value of these keys.',
  })
  schema!: object | boolean;
}

export const variableDefinitionShape: ResourceShape<keyof VariableDefinitionView> = {
  kind: 'variable-definition',
  collection: 'variable-definitions',
  table: 'variable_definitions',
  idType: 'bigint',
  nameField: 'key',
  fields: {
    ...identityFields,
    key: column('key', 'text'),
    description: column('description', 'text', { nullable: true }),
    schema: json('schema'),
    ...versionFields,
  },
  carriesVariables: false,
  // For a prefix, the prefix itself: the definition is hidden if every key with that prefix is hidden.
  referencedVariableKeys: (row) => `ARRAY[rtrim(${row} ->> 'key', '*')]`,
  usedBy: [],
};

export const variableDefinitions: ResourceDefinition = {
  shape: variableDefinitionShape,
  inheritance: NO_INHERITANCE,
  filters: [textFilter('key', 'The exact key, or the exact prefix with its `*`.', 'ntp_servers')],
  showsVariables: false,
  filtersVariables: false,
};

function patternFault(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (value === '*') return undefined;
  const fault = variableKeyError(value.replace(/\*$/, ''));
  return fault && `must be a variable key, or a key prefix followed by *: ${fault}`;
}

const isKeyPattern = () => JsonCheck('key', patternFault);

const KEY = {
  example: 'ntp_servers',
  maxLength: 255,
  description: 'A variable key, or a key prefix followed by `*`. Unique in the project.',
};

/** A JSON Schema. It is stored as it was sent. */
const isSchema = () => applyDecorators(JsonMember(), JsonCheck('schema', schemaFormFault));

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
