import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { anyValueSchema } from '../http/api-schemas';
import {
  impactGroups,
  impactGroupsTotal,
  ImpactGroupView,
  PreviewedImpactView,
} from '../resources/impact.view';
import { TriedChangeView } from '../resources/preview.view';

class ProposalProblemView {
  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 0,
    description: 'The operation that fails, counted from 0; `null` if none of them alone does.',
  })
  operation!: number | null;

  @ApiProperty({ type: 'integer', example: 409, description: 'The status that the operation has alone.' })
  status!: number;

  @ApiProperty({ example: 'conflict' })
  code!: string;

  @ApiProperty({ example: 'operations[0]: name: is already in use' })
  message!: string;

  @ApiPropertyOptional({ type: String, example: 'operations[0].name' })
  field?: string;
}

/** The impact of a proposal. */
class GroupedImpactView extends PreviewedImpactView {
  @ApiProperty({ type: [ImpactGroupView], description: impactGroups.description, required: true })
  declare groups: ImpactGroupView[];

  @ApiProperty({ type: 'integer', example: 1, description: impactGroupsTotal.description, required: true })
  declare groups_total: number;
}

class ProposalConflictView {
  @ApiProperty({
    type: 'integer',
    example: 0,
    description: 'The first operation that writes the resource, counted from 0.',
  })
  operation!: number;

  @ApiProperty({ example: 'region' })
  kind!: string;

  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  resource_id!: number;

  @ApiProperty({ example: 'north' })
  name!: string;

  @ApiProperty({ example: 'variables.ntp_servers', description: 'A member, or `variables.` and a key.' })
  field!: string;

  @ApiPropertyOptional({
    ...anyValueSchema,
    example: ['10.0.0.1'],
    description: 'The value when the revision was made; absent if it was not set.',
  })
  then?: unknown;

  @ApiPropertyOptional({
    ...anyValueSchema,
    example: ['10.0.0.9'],
    description: 'The value now; absent if it is not set.',
  })
  now?: unknown;

  @ApiPropertyOptional({
    ...anyValueSchema,
    example: ['10.0.0.2'],
    description: 'The value that the proposal sets; absent if it removes it.',
  })
  proposed?: unknown;
}

class PreviewedApprovalsView {
  @ApiProperty({ type: 'integer', example: 1, description: 'How many approvals it needs now.' })
  required!: number;

  @ApiProperty({ type: 'integer', example: 0, description: 'How many count now, for this impact.' })
  given!: number;

  @ApiProperty({
    type: [Number],
    example: [],
    description: 'The ids of the reviews that approved the revision with another impact.',
  })
  stale!: number[];
}

class ProposalRightsView {
  @ApiProperty({ type: Boolean, example: false, description: 'Whether the caller can approve it now.' })
  approve!: boolean;

  @ApiProperty({ type: Boolean, example: false, description: 'Whether the caller can apply it now.' })
  apply!: boolean;

  @ApiProperty({ type: [String], example: ['It needs 1 approval, and has 0.'], description: 'Why not.' })
  missing!: string[];
}

/** What a proposal would do now. */
export class ProposalPreviewView {
  @ApiProperty({ type: 'integer', example: 1 })
  revision!: number;

  @ApiProperty({
    type: String,
    nullable: true,
    example: '5f0c6a1e9b7d4c3a8e2f1b0d9c8a7e6f5d4c3b2a190f8e7d6c5b4a3928170605',
    description: 'Identifies the impact as the caller sees it, for a review; `null` if it cannot be applied.',
  })
  impact_digest!: string | null;

  @ApiProperty({
    type: Boolean,
    example: true,
    description: 'Whether its operations can be done now, without conflicts.',
  })
  applicable!: boolean;

  @ApiProperty({ type: [ProposalProblemView], description: 'Why it cannot be applied.' })
  problems!: ProposalProblemView[];

  @ApiProperty({ type: TriedChangeView, nullable: true, description: '`null` if an operation fails.' })
  change!: TriedChangeView | null;

  @ApiProperty({ type: GroupedImpactView, nullable: true, description: '`null` if an operation fails.' })
  impact!: GroupedImpactView | null;

  @ApiProperty({
    type: [ProposalConflictView],
    description: 'What it writes and others have changed since the revision was made.',
  })
  conflicts!: ProposalConflictView[];

  @ApiProperty({ type: PreviewedApprovalsView })
  approvals!: PreviewedApprovalsView;

  @ApiProperty({ type: ProposalRightsView })
  may!: ProposalRightsView;
}
