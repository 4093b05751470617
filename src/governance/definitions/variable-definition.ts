import { ApiProperty } from '@nestjs/swagger';
import { Column, Entity } from 'typeorm';
import { textFilter } from '../../list/list-filter';
import { ResourceEntity } from '../../database/resource.entity';
import {
  column,
  historyFields,
  identityFields,
  json,
  type ResourceShape,
} from '../../database/resource-shape';
import { OWN_ONLY } from '../../variables/inheritance';
import type { Listing } from '../../resources/resource-definition';
import { ResourceView } from '../../resources/resource.view';

@Entity('variable_definitions')
export class VariableDefinition extends ResourceEntity {
  @Column('text')
  key!: string;

  @Column('text', { nullable: true })
  description!: string | null;

  @Column('jsonb')
  schema!: object;
}

export const EXAMPLE_SCHEMA = { type: 'array', items: { type: 'string', format: 'ipv4' }, minItems: 1 };

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
    ...historyFields,
  },
  carriesVariables: false,
  // For a prefix, the prefix itself: the definition is hidden if every key with that prefix is hidden.
  namesKeys: (row) => `ARRAY[rtrim(${row} ->> 'key', '*')]`,
  usedBy: [],
};

export const variableDefinitions: Listing = {
  shape: variableDefinitionShape,
  inheritance: OWN_ONLY,
  filters: [textFilter('key', 'The exact key, or the exact prefix with its `*`.', 'ntp_servers')],
  showsVariables: false,
  filtersVariables: false,
};
