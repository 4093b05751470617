import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { JsonCheck, JsonMember, Nullable, Optional } from '../../http/json-member';
import type { JsonInput } from '../../database/json-input';
import { Description, Note, OptionalText, RequiredText } from '../../resources/body-members';
import { anyValue } from '../../variables/explanation.view';
import { isObject, jsonFault } from '../../core/context/variable-key';
import { auditedKinds, EXAMPLE_EXPECTATION, ExpectationView } from './audit';
import { expectationFault, filtersFault } from './expectation';
import { remediatedKinds } from './remediation-levels';

const describes = () => Description('Every host has two clocks.', 'What it is for.');

const Kind = () =>
  applyDecorators(
    Nullable(),
    JsonCheck('kind', (value) =>
      auditedKinds.some((kind) => kind === value)
        ? undefined
        : `must be null or one of ${auditedKinds.join(', ')}`,
    ),
    ApiPropertyOptional({
      type: String,
      nullable: true,
      enum: [...auditedKinds, null],
      example: 'host',
      description: '`null`: devices of every kind.',
    }),
  );

const Population = () =>
  applyDecorators(
    Nullable(),
    JsonCheck('vars', filtersFault),
    ApiPropertyOptional({
      type: String,
      nullable: true,
      example: 'role:"compute"',
      description: 'Which devices it is about, as filters by resolved variables; `null`: all.',
    }),
  );

const isExpectation = () => applyDecorators(JsonMember(), JsonCheck('expectation', expectationFault));

const EXPECTATION = {
  type: ExpectationView,
  example: EXAMPLE_EXPECTATION,
  description: 'What must hold of them: `vars`, or `key` and `schema`.',
};

export class CreateAudit {
  @RequiredText('two-clocks', 'Unique in the project.')
  name!: string;

  @describes()
  description?: string | null;

  @Kind()
  kind?: string | null;

  @Population()
  vars?: string | null;

  @isExpectation()
  @ApiProperty(EXPECTATION)
  expectation!: JsonInput;
}

export class UpdateAudit {
  @OptionalText('two-clocks', 'Unique in the project.')
  name?: string;

  @describes()
  description?: string | null;

  @Kind()
  kind?: string | null;

  @Population()
  vars?: string | null;

  @Optional()
  @isExpectation()
  @ApiPropertyOptional(EXPECTATION)
  expectation?: JsonInput;
}

/** A region, cell, label or device. */
export class LevelReference {
  @ApiProperty({ enum: remediatedKinds, example: 'region' })
  kind!: string;

  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  id!: number;
}

function levelFault(value: unknown): string | undefined {
  if (!isObject(value) || Object.keys(value).sort().join(' ') !== 'id kind')
    return 'must be an object of kind and id';
  const { kind, id } = value;
  if (!remediatedKinds.some((known) => known === kind))
    return `kind must be one of ${remediatedKinds.join(', ')}`;
  return Number.isSafeInteger(id) ? undefined : 'id must be an integer';
}

export class Remediation {
  @JsonCheck('level', levelFault)
  @ApiProperty({ type: LevelReference, description: 'Where the value is set.' })
  level!: LevelReference;

  @Optional()
  @JsonMember()
  @JsonCheck('value', jsonFault)
  @ApiPropertyOptional({
    ...anyValue,
    example: ['10.0.0.1', '10.0.0.2'],
    description: 'What is set; without it, what the audit expects.',
  })
  value?: JsonInput;

  @Note()
  note?: string | null;
}
