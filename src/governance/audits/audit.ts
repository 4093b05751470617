import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Column, Entity } from 'typeorm';
import { deviceKinds } from '../../devices/device-kinds';
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
import { anyValue } from '../../variables/explanation.view';
import type { Listing } from '../../resources/resource-definition';
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

/** The kinds of devices that an audit can be about. */
export const auditedKinds: readonly string[] = deviceKinds.map(({ shape }) => shape.kind);

export const EXAMPLE_EXPECTATION = {
  key: 'ntp_servers',
  schema: { type: 'array', minItems: 2 },
  value: ['10.0.0.1', '10.0.0.2'],
};

/** What must hold: a filter, or a JSON Schema of the value of one key. */
export class ExpectationView {
  @ApiPropertyOptional({
    example: 'kernel:"6.8"',
    description: 'Filters by resolved variables; all must hold.',
  })
  vars?: string;

  @ApiPropertyOptional({ example: 'ntp_servers', description: 'The key whose resolved value is looked at …' })
  key?: string;

  @ApiPropertyOptional({
    oneOf: [{ type: 'object', additionalProperties: true }, { type: 'boolean' }],
    example: EXAMPLE_EXPECTATION.schema,
    description: '… and what it must keep. A key that is not set does not.',
  })
  schema?: object | boolean;

  @ApiPropertyOptional({
    ...anyValue,
    example: EXAMPLE_EXPECTATION.value,
    description: 'What a remediation sets, where it does not follow from the rest.',
  })
  value?: unknown;
}

export class AuditView extends ResourceView {
  @ApiProperty({ example: 'two-clocks', description: 'Unique in the project.' })
  name!: string;

  @ApiProperty({ type: String, nullable: true, example: 'Every host has two clocks.' })
  description!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    enum: [...auditedKinds, null],
    example: 'host',
    description: '`null`: devices of every kind.',
  })
  kind!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'role:"compute"',
    description: 'Which devices it is about, as filters by resolved variables; `null`: all.',
  })
  vars!: string | null;

  @ApiProperty({ type: ExpectationView, description: 'What must hold of them.' })
  expectation!: ExpectationView;

  @ApiProperty({
    type: [String],
    example: ['ntp_servers', 'role'],
    description: 'The variables that it names.',
  })
  keys!: string[];
}

export const auditShape: ResourceShape<keyof AuditView> = {
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
    ...historyFields,
  },
  carriesVariables: false,
  namesKeys: (row) => `ARRAY(SELECT jsonb_array_elements_text(${row} -> 'keys'))`,
  usedBy: [],
};

export const audits: Listing = {
  shape: auditShape,
  inheritance: OWN_ONLY,
  filters: [
    textFilter('name', 'The exact name.', 'two-clocks'),
    textFilter('kind', 'About this kind of device alone.', 'host'),
  ],
  showsVariables: false,
  filtersVariables: false,
};
