import { applyDecorators } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiProperty,
  ApiPropertyOptional,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import { ApiErrorView, errorResponse } from '../http/api-errors';
import { jsonContent, variableChanges } from '../http/api-schemas';
import { WrittenValueView } from '../resources/impact.view';
import { PROPOSAL_STATES } from './proposal-states';

const CHANGES = { ntp_servers: { before: ['10.0.0.1'], after: ['10.0.0.2'] } };

class DifferentDeviceView {
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'host',
    description: '`null` for a device that does not exist any more.',
  })
  kind!: string | null;

  @ApiProperty({ type: 'integer', format: 'int64', example: 17 })
  id!: number;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'web-9',
    description: '`null` for a device that does not exist any more.',
  })
  name!: string | null;

  @ApiProperty({
    ...variableChanges,
    nullable: true,
    example: null,
    description: 'What was approved for it; `null`: nothing.',
  })
  approved!: object | null;

  @ApiProperty({
    ...variableChanges,
    nullable: true,
    example: CHANGES,
    description: 'What would change now; `null`: nothing.',
  })
  now!: object | null;
}

class DifferentValueView {
  @ApiProperty({ example: 'region' })
  kind!: string;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    nullable: true,
    example: 1,
    description: '`null` for a resource that the proposal creates.',
  })
  id!: number | null;

  @ApiProperty({ example: 'north' })
  name!: string;

  @ApiProperty({ example: 'variables.ntp_servers', description: 'A member, or `variables.` and a key.' })
  field!: string;

  @ApiProperty({
    type: WrittenValueView,
    nullable: true,
    example: CHANGES.ntp_servers,
    description: 'What was approved; `null`: it was not written.',
  })
  approved!: WrittenValueView | null;

  @ApiProperty({
    type: WrittenValueView,
    nullable: true,
    example: null,
    description: 'What would be written now; `null`: it is not written.',
  })
  now!: WrittenValueView | null;
}

/** What a proposal would do now, and how that differs from what was approved. */
class ImpactDifferenceView {
  @ApiProperty({
    type: 'integer',
    format: 'int64',
    example: 12,
    description: 'How many devices would change now.',
  })
  devices!: number;

  @ApiProperty({
    type: 'integer',
    example: 3,
    description: 'How many devices would change now and would not have when it was approved.',
  })
  came!: number;

  @ApiProperty({ type: 'integer', example: 0, description: 'How many would not change any more.' })
  went!: number;

  @ApiProperty({ type: 'integer', example: 0, description: 'How many would change in another way.' })
  other!: number;

  @ApiProperty({ type: [DifferentDeviceView], description: 'Up to 100 of these devices.' })
  items!: DifferentDeviceView[];

  @ApiProperty({
    type: [DifferentValueView],
    description: 'Up to 100 members and variables that would be written differently.',
  })
  resources!: DifferentValueView[];
}

class GivenApprovalsView {
  @ApiProperty({ type: 'integer', example: 1 })
  required!: number;

  @ApiProperty({ type: 'integer', example: 0 })
  given!: number;
}

/** A `409` of a proposal. */
class ProposalErrorView extends ApiErrorView {
  @ApiPropertyOptional({
    enum: PROPOSAL_STATES,
    example: 'applied',
    description: 'The state of a proposal that is applied, withdrawn or rejected.',
  })
  state?: string;

  @ApiPropertyOptional({
    type: 'integer',
    example: 2,
    description: 'Of `revision_changed`: the present revision.',
  })
  revision?: number;

  @ApiPropertyOptional({ type: GivenApprovalsView, description: 'Of `approval_missing`.' })
  approvals?: GivenApprovalsView;

  @ApiPropertyOptional({
    type: ImpactDifferenceView,
    nullable: true,
    description:
      'Of `impact_changed`, when it is applied: what is different now. `null` in other responses, and if the approved impact was too large to be kept.',
  })
  now?: ImpactDifferenceView | null;
}

/** Documents the `409` of the actions on a proposal. */
export const ApiProposalConflict = () =>
  applyDecorators(
    ApiExtraModels(ProposalErrorView),
    ApiResponse({
      status: 409,
      ...errorResponse(409),
      description:
        'The proposal is applied, withdrawn or rejected, now has another revision or another impact, lacks approvals, or conflicts with later changes; or an operation fails.',
      content: jsonContent({ $ref: getSchemaPath(ProposalErrorView) }),
    }),
  );
