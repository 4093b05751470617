import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';

/** The schema of any JSON value. */
export const anyValueSchema = {
  // Overrides the type that the compiler emits for the member, which would be added to the schema.
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

const VALUE_SCHEMA = { ...anyValueSchema, example: ['10.0.0.1'] };

/** Who set a variable at a level, and the change record of it. */
export abstract class ProvenanceView {
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'operator',
    description:
      'The username at the time of the change. `null`, as `reason` and `change_id`, for callers who cannot read change records.',
  })
  set_by!: string | null;

  @ApiProperty({ example: '2017-02-16T14:28:55.000000' })
  set_at!: string;

  @ApiProperty({ type: String, nullable: true, example: 'CHG-1042: new rack' })
  reason!: string | null;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    nullable: true,
    example: 1,
    description: 'The id of the change that set it.',
  })
  change_id!: number | null;
}

/** A level that sets a variable. */
export class LevelView extends ProvenanceView {
  @ApiProperty({ example: 'region', description: '`region`, `cell`, `label`, or the kind of the device.' })
  kind!: string;

  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  id!: number;

  @ApiProperty({ example: 'eqiad' })
  name!: string;

  @ApiProperty(VALUE_SCHEMA)
  value!: unknown;

  @ApiProperty({ example: false, description: 'Whether a narrower level overrides it.' })
  shadowed!: boolean;
}

/** The value of a variable, and the levels that set it. */
export class ExplanationView {
  @ApiProperty(VALUE_SCHEMA)
  value!: unknown;

  @ApiProperty({ type: LevelView, description: 'The level that the value comes from.' })
  source!: LevelView;

  @ApiProperty({ type: [LevelView], description: 'The levels that set the key, broadest first.' })
  levels!: LevelView[];
}

const EXPLANATIONS_SCHEMA = {
  type: 'object' as const,
  additionalProperties: { $ref: getSchemaPath(ExplanationView) },
};

/** The explained variables of one resource. */
@ApiExtraModels(ExplanationView)
export class ExplanationsView {
  @ApiProperty({ ...EXPLANATIONS_SCHEMA, example: {} })
  variables!: object;
}

/** The member `explain` of a list's items. */
export const ExplainProperty = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      ...EXPLANATIONS_SCHEMA,
      example: {},
      description:
        'The origin of the variables that the query parameter `explain` names. Absent without that parameter.',
    }),
  );
