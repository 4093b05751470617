import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Entity } from 'typeorm';
import { textFilter } from '../../lists/list-filter';
import { json, type ResourceMapping, ResourceEntity } from '../../database/resource-mapping';
import { NO_INHERITANCE } from '../../variables/levels';
import type { ResourceDefinition } from '../../resources/resource-definition';
import { LongText, Special, Text } from '../../resources/member-decorators';
import { fieldsOf, View } from '../../resources/members';
import { applyDecorators } from '@nestjs/common';
import { JsonCheck, JsonMember } from '../../http/body-validation';
import type { JsonInput } from '../../database/json-input';
import { variableKeyError } from '../../core/context/variable-keys';
import { jsonSchemaSchema } from '../schemas/json-schema';
import { schemaFormFault } from '../schemas/compile-schema';

const EXAMPLE_SCHEMA = { type: 'array', items: { type: 'string', format: 'ipv4' }, minItems: 1 };

const SCHEMA: ApiPropertyOptions = {
  // Without it, the type would be that of the property.
  type: Object,
  allOf: [jsonSchemaSchema],
  example: EXAMPLE_SCHEMA,
};

function patternFault(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (value === '*') return undefined;
  const fault = variableKeyError(value.replace(/\*$/, ''));
  return fault && `must be a variable key, or a key prefix followed by *: ${fault}`;
}

@Entity('variable_definitions')
export class VariableDefinition extends ResourceEntity {
  @Text({
    example: 'ntp_servers',
    description: 'A variable key, or a key prefix followed by `*`. Unique in the project.',
    check: patternFault,
  })
  key!: string;

  @LongText('The NTP servers of a device.', 'The purpose of the variable.')
  description?: string | null;

  /** It is stored as it was sent. */
  @Special({
    column: { type: 'jsonb' },
    field: json('schema'),
    isRequired: true,
    inView: ApiProperty({ ...SCHEMA, description: 'The JSON Schema for every value of these keys.' }),
    inBody: applyDecorators(
      JsonMember(),
      JsonCheck('schema', schemaFormFault),
      ApiProperty({
        ...SCHEMA,
        description:
          'A JSON Schema of draft 2020-12, or of draft-07 if `$schema` names it. At most 64 KiB and 64 levels deep.',
      }),
    ),
  })
  schema!: JsonInput;
}

export class VariableDefinitionView extends View(VariableDefinition) {}

export const variableDefinitionMapping: ResourceMapping = {
  kind: 'variable-definition',
  collection: 'variable-definitions',
  table: 'variable_definitions',
  idType: 'bigint',
  nameField: 'key',
  fields: fieldsOf(VariableDefinition),
  carriesVariables: false,
  // For a prefix, the prefix itself: the definition is hidden if every key with that prefix is hidden.
  referencedVariableKeys: (row) => `ARRAY[rtrim(${row} ->> 'key', '*')]`,
  usedBy: [],
};

export const variableDefinitions: ResourceDefinition = {
  mapping: variableDefinitionMapping,
  inheritance: NO_INHERITANCE,
  filters: [textFilter('key', 'The exact key, or the exact prefix with its `*`.', 'ntp_servers')],
  showsVariables: false,
  filtersVariables: false,
};
