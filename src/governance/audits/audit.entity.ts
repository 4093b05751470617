import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Entity } from 'typeorm';
import { MAX_KEY_LENGTH } from '../../core/context/variable-keys';
import type { JsonInput } from '../../database/json-input';
import { column, json, type ResourceMapping, ResourceEntity } from '../../database/resource-mapping';
import { deviceKindNames } from '../../devices/device-kinds';
import { JsonCheck, JsonMember, Nullable } from '../../http/body-validation';
import { textFilter } from '../../lists/list-filter';
import { LongText, Special, Text } from '../../resources/member-decorators';
import { fieldsOf, View } from '../../resources/members';
import type { ResourceDefinition } from '../../resources/resource-definition';
import { anyValueSchema, ClosedSchema } from '../../http/api-schemas';
import { NO_INHERITANCE } from '../../variables/levels';
import { fault, type Fault } from '../../core/error-details';
import { jsonSchemaSchema } from '../schemas/json-schema';
import { MAX_CONDITIONS } from '../../variables/filter/where-parser';
import { conditionsFault, expectationFault, filtersFault, MAX_FILTER_LENGTH } from './expectation';

/** The kinds of devices that an audit can target. */
const auditedKinds: readonly string[] = deviceKindNames;

const EXAMPLE_EXPECTATION = {
  key: 'ntp_servers',
  schema: { type: 'array', items: { type: 'string' }, minItems: 2 },
  value: ['10.0.0.1', '10.0.0.2'],
};

const CONDITIONS = {
  minItems: 1,
  maxItems: MAX_CONDITIONS,
  items: { type: 'string', maxLength: MAX_FILTER_LENGTH },
} as const;

/** The condition that devices must meet: filters, or a JSON Schema for the value of one variable. */
@ClosedSchema()
export class ExpectationView {
  @ApiPropertyOptional({
    maxLength: MAX_FILTER_LENGTH,
    example: 'kernel:"6.8"',
    description: 'Filters on resolved variables. All of them must match.',
  })
  vars?: string;

  @ApiPropertyOptional({
    type: [String],
    ...CONDITIONS,
    example: ['kernel >= "6.8"'],
    description:
      'Conditions on resolved variables, in the syntax of the parameter `where` of lists. All must hold.',
  })
  where?: readonly string[];

  @ApiPropertyOptional({
    minLength: 1,
    maxLength: MAX_KEY_LENGTH,
    example: 'ntp_servers',
    description: 'The variable whose resolved value is validated against `schema`.',
  })
  key?: string;

  @ApiPropertyOptional({
    allOf: [jsonSchemaSchema],
    example: EXAMPLE_EXPECTATION.schema,
    description:
      'The JSON Schema for the resolved value of `key`. A device on which the variable is not set fails.',
  })
  schema?: object | boolean;

  @ApiPropertyOptional({
    ...anyValueSchema,
    example: EXAMPLE_EXPECTATION.value,
    description: 'The value that a remediation sets, unless it follows from `vars`, `where` or `schema`.',
  })
  value?: unknown;
}

const KIND = {
  type: String,
  nullable: true,
  enum: [...auditedKinds, null],
  example: 'host',
  description: 'The kind of device that the audit targets; `null` for all kinds.',
};

const DEVICE_FILTERS = {
  type: String,
  nullable: true,
  maxLength: MAX_FILTER_LENGTH,
  example: 'role:"compute"',
  description: 'The devices that the audit targets, as filters on resolved variables; `null` for all.',
};

const DEVICE_CONDITIONS = {
  type: 'array' as const,
  nullable: true,
  ...CONDITIONS,
  example: ['rack exists'],
  description:
    'Further conditions on these devices, in the syntax of the parameter `where` of lists; `null` for none.',
};

const CONDITION = 'The condition that every targeted device must meet';

function kindFault(value: unknown): Fault | undefined {
  return auditedKinds.some((kind) => kind === value)
    ? undefined
    : fault('invalid_value', `must be null or one of ${auditedKinds.join(', ')}`);
}

@Entity('audits')
export class Audit extends ResourceEntity {
  @Text({ example: 'two-clocks', description: 'Unique in the project.' })
  name!: string;

  @LongText('Every host has two NTP servers.', 'The purpose of the audit.')
  description?: string | null;

  @Special({
    column: { type: 'text', nullable: true },
    field: column('kind', 'text', { nullable: true }),
    inView: ApiProperty(KIND),
    inBody: applyDecorators(Nullable(), JsonCheck('kind', kindFault), ApiPropertyOptional(KIND)),
  })
  kind?: string | null;

  @Special({
    column: { type: 'text', nullable: true },
    field: column('vars', 'text', { nullable: true }),
    inView: ApiProperty(DEVICE_FILTERS),
    inBody: applyDecorators(Nullable(), JsonCheck('vars', filtersFault), ApiPropertyOptional(DEVICE_FILTERS)),
  })
  vars?: string | null;

  @Special({
    column: { type: 'text', array: true, nullable: true },
    field: json('where'),
    inView: ApiProperty(DEVICE_CONDITIONS),
    inBody: applyDecorators(
      Nullable(),
      JsonCheck('where', conditionsFault),
      ApiPropertyOptional(DEVICE_CONDITIONS),
    ),
  })
  where?: readonly string[] | null;

  @Special({
    column: { type: 'jsonb' },
    field: json('expectation'),
    isRequired: true,
    inView: ApiProperty({ type: ExpectationView, description: `${CONDITION}.` }),
    inBody: applyDecorators(
      JsonMember(),
      JsonCheck('expectation', expectationFault),
      ApiProperty({
        type: ExpectationView,
        example: EXAMPLE_EXPECTATION,
        description: `${CONDITION}: \`vars\`, \`where\` or both, or \`key\` and \`schema\`.`,
      }),
    ),
  })
  expectation!: JsonInput;

  /** Derived from the other members when they are written. */
  @Special({
    column: { type: 'text', array: true },
    field: json('keys'),
    inView: ApiProperty({
      type: [String],
      example: ['ntp_servers', 'role'],
      description: 'The variables that the audit refers to.',
    }),
  })
  keys!: string[];
}

export class AuditView extends View(Audit) {}

export const auditMapping: ResourceMapping = {
  kind: 'audit',
  collection: 'audits',
  table: 'audits',
  idType: 'bigint',
  nameField: 'name',
  fields: fieldsOf(Audit),
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
