import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';

/** A value of any kind that JSON has. */
export const anyValue = {
  // The type that the compiler notes of a member, be it a class of ours, would be described beside what follows.
  type: Object,
  anyOf: [
    { type: 'object', additionalProperties: true },
    { type: 'array', items: {} },
    { type: 'string' },
    { type: 'number' },
    { type: 'boolean' },
  ],
  nullable: true,
};

const VALUE = { ...anyValue, example: ['10.0.0.1'] };

/** Who set a variable at one place, and how that is on record. */
export abstract class ProvenanceView {
  @ApiProperty({ example: 'operator', description: 'The username as it was.' })
  set_by!: string;

  @ApiProperty({ example: '2017-02-16T14:28:55.000000' })
  set_at!: string;

  @ApiProperty({ type: String, nullable: true, example: 'CHG-1042: new rack' })
  reason!: string | null;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    example: 1,
    description: 'The change record that set it.',
  })
  change_id!: number;
}

/** A level that sets a variable. */
export class LevelView extends ProvenanceView {
  @ApiProperty({ example: 'region', description: '`region`, `cell`, `label`, or the kind of the device.' })
  kind!: string;

  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  id!: number;

  @ApiProperty({ example: 'eqiad' })
  name!: string;

  @ApiProperty(VALUE)
  value!: unknown;

  @ApiProperty({ example: false, description: 'Whether a narrower level hides it.' })
  shadowed!: boolean;
}

/** Where the value of one variable comes from. */
export class ExplanationView {
  @ApiProperty(VALUE)
  value!: unknown;

  @ApiProperty({ type: LevelView, description: 'The level that the value comes from.' })
  source!: LevelView;

  @ApiProperty({ type: [LevelView], description: 'The levels that set the key, broadest first.' })
  levels!: LevelView[];
}

const EXPLANATIONS = {
  type: 'object' as const,
  additionalProperties: { $ref: getSchemaPath(ExplanationView) },
};

/** The variables of one resource, explained. */
@ApiExtraModels(ExplanationView)
export class ExplanationsView {
  @ApiProperty({ ...EXPLANATIONS, example: {} })
  variables!: object;
}

/** The `explain` of a list's items. */
export const ExplainProperty = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      ...EXPLANATIONS,
      example: {},
      description: 'Where the variables come from that the query parameter `explain` names; else absent.',
    }),
  );
