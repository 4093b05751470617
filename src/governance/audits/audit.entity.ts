import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Column, Entity } from 'typeorm';
import { deviceKindNames } from '../../devices/device-kinds';
import { textFilter } from '../../lists/list-filter';
import {
  column,
  versionFields,
  identityFields,
  json,
  type ResourceMapping,
  ResourceEntity,
} from '../../database/resource-mapping';
import { NO_INHERITANCE } from '../../variables/levels';
import { anyValueSchema } from '../../variables/explanation';
import type { ResourceDefinition } from '../../resources/resource-definition';
import { ResourceView } from '../../resources/resource.view';

@Entity('audits')
export class Audit extends ResourceEntity {
  @Column('text')
  name!: string;

  @Column('text', { nullable: true })
  description!: string | null;

  @Column('text', { nullable: true })
  kind!: string | null;

  @Column('text', { nullable: true })
  vars!: string | null;

  @Column('jsonb')
  expectation!: object;

  @Column('text', { array: true })
  keys!: string[];
}

/** The kinds of devices that an audit can target. */
export const auditedKinds: readonly string[] = deviceKindNames;

export const EXAMPLE_EXPECTATION = {
  key: 'ntp_servers',
  schema: { type: 'array', minItems: 2 },
  value: ['10.0.0.1', '10.0.0.2'],
};

/** The condition that devices must meet: filters, or a JSON Schema for the value of one variable. */
export class ExpectationView {
  @ApiPropertyOptional({
    example: 'kernel:"6.8"',
    description: 'Filters on resolved variables. All of them must match.',
  })
  vars?: string;

  @ApiPropertyOptional({
    example: 'ntp_servers',
    description: 'The variable whose resolved value is validated against `schema`.',
  })
  key?: string;

  @ApiPropertyOptional({
    oneOf: [{ type: 'object', additionalProperties: true }, { type: 'boolean' }],
    example: EXAMPLE_EXPECTATION.schema,
    description:
      'The JSON Schema for the resolved value of `key`. A device on which the variable is not set fails.',
  })
  schema?: object | boolean;

  @ApiPropertyOptional({
    ...anyValueSchema,
    example: EXAMPLE_EXPECTATION.value,
    description: 'The value that a remediation sets, unless it follows from `vars` or `schema`.',
  })
  value?: unknown;
}

export class AuditView extends ResourceView {
  @ApiProperty({ example: 'two-clocks', description: 'Unique in the project.' })
  name!: string;

  @ApiProperty({ type: String, nullable: true, example: 'Every host has two NTP servers.' })
  description!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    enum: [...auditedKinds, null],
    example: 'host',
    description: 'The kind of device that the audit targets; `null` for all kinds.',
  })
  kind!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'role:"compute"',
    description: 'The devices that the audit targets, as filters on resolved variables; `null` for all.',
  })
  vars!: string | null;

  @ApiProperty({ type: ExpectationView, description: 'The condition that every targeted device must meet.' })
  expectation!: ExpectationView;

  @ApiProperty({
    type: [String],
    example: ['ntp_servers', 'role'],
    description: 'The variables that the audit refers to.',
  })
  keys!: string[];
}

export const auditMapping: ResourceMapping<keyof AuditView> = {
  kind: 'audit',
  collection: 'audits',
  table: 'audits',
  idType: 'bigint',
  nameField: 'name',
  fields: {
    ...identityFields,
    name: column('name', 'text'),
    description: column('description', 'text', { nullable: true }),
    kind: column('kind', 'text', { nullable: true }),
    vars: column('vars', 'text', { nullable: true }),
    expectation: json('expectation'),
    keys: json('keys'),
    ...versionFields,
  },
  carriesVariables: false,
  referencedVariableKeys: (row) => `ARRAY(SELECT jsonb_array_elements_text(${row} -> 'keys'))`,
  usedBy: [],
};

export const audits: ResourceDefinition = {
  mapping: auditMapping,
  inheritance: NO_INHERITANCE,
  filters: [
    textFilter('name', 'The exact name.', 'two-clocks'),
    textFilter('kind', 'Audits that target exactly this kind of device.', 'host'),
  ],
  showsVariables: false,
  filtersVariables: false,
};
