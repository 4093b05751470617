import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MAX_OPERATIONS, MAX_PATH_LENGTH, METHODS, operationsError } from '../batch/batch-request';
import { BatchOperationView } from '../batch/batch.dto';
import { fault } from '../core/error-details';
import type { JsonInput } from '../database/json-input';
import { anyValueSchema } from '../http/api-schemas';
import { BooleanCheck, JsonCheck, JsonMember, Nullable, Optional } from '../http/body-validation';
import { TimeProperty } from '../http/time-property';
import { textError } from '../resources/body-members';
import { ActorView } from '../resources/change.view';
import { CreateBody, PartialBody } from '../resources/members';
import { Proposal, ProposalView } from './proposal.entity';

/** In characters. */
const MAX_TEXT_LENGTH = 10_000;

export const VERDICTS = ['approve', 'reject'] as const;
export type Verdict = (typeof VERDICTS)[number];

const EXAMPLE_OPERATION = {
  method: 'PUT',
  path: '/v1/regions/1/variables',
  body: { ntp_servers: ['10.0.0.2'] },
};

/** An operation of a proposal, as it was sent. */
export class ProposedOperationView {
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    example: 'rack',
    description: 'Its name, if it has one.',
  })
  id?: string | null;

  @ApiProperty({ enum: METHODS, example: EXAMPLE_OPERATION.method })
  method!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    maxLength: MAX_PATH_LENGTH,
    example: EXAMPLE_OPERATION.path,
    description: '`null` if the operation is hidden.',
  })
  path!: string | null;

  @ApiPropertyOptional({ ...anyValueSchema, example: EXAMPLE_OPERATION.body, description: 'Its body.' })
  body?: unknown;

  @ApiPropertyOptional({ type: String, example: '"4"', description: 'Its `If-Match`.' })
  if_match?: string;

  @ApiPropertyOptional({ type: String, example: '*', description: 'Its `If-None-Match`.' })
  if_none_match?: string;

  @ApiPropertyOptional({
    type: Boolean,
    example: true,
    description:
      'Set if it names a variable that is hidden from the caller: `path` and `body` are left out then.',
  })
  hidden?: true;
}

export class ProposalReviewView {
  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  id!: number;

  @ApiProperty({ type: ActorView })
  reviewer!: ActorView;

  @ApiProperty({ enum: VERDICTS, example: 'approve' })
  verdict!: Verdict;

  @ApiProperty({ type: 'integer', example: 1, description: 'The revision that was reviewed.' })
  revision!: number;

  @ApiProperty({
    type: String,
    nullable: true,
    example: '5f0c6a1e9b7d4c3a8e2f1b0d9c8a7e6f5d4c3b2a190f8e7d6c5b4a3928170605',
    description:
      'The digest of the impact that the reviewer saw; `null` for rejections, and for callers who do not see all variables.',
  })
  impact_digest!: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'Looks right.' })
  note!: string | null;

  @TimeProperty()
  created_at!: string;

  @ApiProperty({
    type: Boolean,
    example: true,
    description:
      'Whether it is the latest review of this user for the present revision, and the user still has the roles of that time. Whether its digest is the present one is only known by a preview.',
  })
  counts!: boolean;
}

/** One proposal. */
export class ProposalDetailsView extends ProposalView {
  @ApiProperty({ type: [ProposedOperationView], description: 'The operations of the present revision.' })
  operations!: ProposedOperationView[];

  @ApiProperty({ type: [ProposalReviewView], description: 'The reviews, oldest first.' })
  reviews!: ProposalReviewView[];
}

export class ProposalRevisionView {
  @ApiProperty({ type: 'integer', example: 1 })
  revision!: number;

  @TimeProperty()
  created_at!: string;

  @ApiProperty({ type: 'integer', example: 1 })
  operations_total!: number;
}

export class ProposalRevisionDetailsView extends ProposalRevisionView {
  @ApiProperty({ type: [ProposedOperationView] })
  operations!: ProposedOperationView[];
}

export class ProposalCommentView {
  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  id!: number;

  @ApiProperty({ type: ActorView })
  author!: ActorView;

  @ApiProperty({ example: 'Why not 10.0.0.3?' })
  text!: string;

  @TimeProperty()
  created_at!: string;
}

/** The members that requests can set. */
class ProposalTexts extends CreateBody<Pick<Proposal, 'title' | 'description' | 'reason'>>(Proposal) {}

/** The body of `PUT /v1/proposals/{id}`. */
export class UpdateProposal extends PartialBody(ProposalTexts) {
  @Optional()
  @JsonMember()
  @JsonCheck('operations', operationsError)
  @ApiPropertyOptional({
    type: [BatchOperationView],
    minItems: 1,
    maxItems: MAX_OPERATIONS,
    description: 'The operations of a new revision.',
  })
  operations?: JsonInput;

  @Optional()
  @BooleanCheck()
  @ApiPropertyOptional({
    type: Boolean,
    example: true,
    description:
      'Makes a new revision that takes the present inventory as its base: it conflicts only with later changes. Without `operations`, it has the same operations without their preconditions.',
  })
  rebase?: boolean;
}

const Text = (example: string, minLength: number): PropertyDecorator =>
  applyDecorators(
    JsonCheck('text', (value) => textError(value, MAX_TEXT_LENGTH, minLength)),
    ApiProperty({ type: String, example, minLength, maxLength: MAX_TEXT_LENGTH }),
  );

export class NewComment {
  @Text('Why not 10.0.0.3?', 1)
  text!: string;
}

export class NewReview {
  @JsonCheck('verdict', (value) =>
    (VERDICTS as readonly unknown[]).includes(value)
      ? undefined
      : fault('invalid_value', `must be one of ${VERDICTS.join(', ')}`),
  )
  @ApiProperty({ enum: VERDICTS, example: 'approve' })
  verdict!: Verdict;

  @JsonCheck('revision', (value) =>
    Number.isSafeInteger(value) ? undefined : fault('invalid_type', 'must be an integer'),
  )
  @ApiProperty({ type: 'integer', example: 1, description: 'The revision that is reviewed.' })
  revision!: number;

  @Nullable()
  @JsonCheck('impact_digest', (value) => textError(value, 64))
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    maxLength: 64,
    example: '5f0c6a1e9b7d4c3a8e2f1b0d9c8a7e6f5d4c3b2a190f8e7d6c5b4a3928170605',
    description: 'That of the preview. An approval needs it.',
  })
  impact_digest?: string | null;

  @Nullable()
  @JsonCheck('note', (value) => textError(value, MAX_TEXT_LENGTH, 0))
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: MAX_TEXT_LENGTH, example: 'Looks right.' })
  note?: string | null;
}
