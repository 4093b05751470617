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
    description: 'A key, or a prefix of keys followed by `*`. Unique in the project.',
  })
  key!: string;

  @ApiProperty({ type: String, nullable: true, example: 'Where clocks are set by.' })
  description!: string | null;

  @ApiProperty({
    oneOf: [{ type: 'object', additionalProperties: true }, { type: 'boolean' }],
    example: EXAMPLE_SCHEMA,
    description: 'A JSON Schema that every value of these keys has to keep.',
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
  // Of a prefix, what it is itself: where every key that begins so is hidden, so is that.
  namesKeys: (row) => `ARRAY[rtrim(${row} ->> 'key', '*')]`,
  usedBy: [],
};

export const variableDefinitions: Listing = {
  shape: variableDefinitionShape,
  inheritance: OWN_ONLY,
  filters: [textFilter('key', 'Of this very key, or this prefix with its `*`.', 'ntp_servers')],
  showsVariables: false,
  filtersVariables: false,
};
