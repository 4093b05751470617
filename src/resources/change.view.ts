import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { anyValueSchema, namedSchema, resourceMembers, variableChanges } from '../http/api-schemas';
import { LinkView } from './resource.view';

/** The id of a resource of any kind. */
export const resourceId = namedSchema('ResourceId', {
  oneOf: [
    { type: 'integer', format: 'int64' },
    { type: 'string', format: 'uuid' },
  ],
  description: 'An integer; for a project, a UUID.',
});

export class ActorView {
  @ApiProperty({
    type: 'integer',
    format: 'int64',
    nullable: true,
    example: 1,
    description: '`null` for a command.',
  })
  id!: number | null;

  @ApiProperty({ example: 'operator', description: 'The username at the time of the change.' })
  username!: string;
}

export class ChangedObjectView {
  @ApiProperty({ example: 'host' })
  kind!: string;

  @ApiProperty({ allOf: [resourceId], example: 1 })
  id!: number | string;

  @ApiProperty({ example: 'node1' })
  name!: string;

  @ApiProperty({ enum: ['create', 'update', 'delete'] })
  action!: string;

  @ApiProperty({ ...resourceMembers, nullable: true, example: { active: true } })
  before!: object | null;

  @ApiProperty({ ...resourceMembers, nullable: true, example: { active: false } })
  after!: object | null;

  @ApiProperty({
    ...variableChanges,
    example: { ntp_servers: { before: ['10.0.0.1'], after: ['10.0.0.2'] } },
    description: 'Both sides of every variable that changed; a side is absent where the key is not set.',
  })
  variables!: object;
}

class ImpactCountView {
  @ApiProperty({
    type: 'integer',
    format: 'int64',
    example: 12,
    description: 'How many devices got a different resolved value of some variable.',
  })
  devices!: number;
}

class ProposalUserView {
  @ApiProperty({
    type: 'integer',
    format: 'int64',
    nullable: true,
    example: 2,
    description: '`null` if the user was deleted before.',
  })
  id!: number | null;

  @ApiProperty({ example: 'amy' })
  username!: string;
}

/** The proposal that a change applied. */
class AppliedProposalView {
  @ApiProperty({ type: 'integer', format: 'int64', example: 7 })
  id!: number;

  @ApiProperty({ type: 'integer', example: 2, description: 'The revision that was applied.' })
  revision!: number;

  @ApiProperty({ type: ProposalUserView })
  author!: ProposalUserView;

  @ApiProperty({
    type: [ProposalUserView],
    example: [{ id: 3, username: 'ben' }],
    description: 'Those whose approvals counted.',
  })
  approvers!: ProposalUserView[];
}

/** What a dry run says of rules that the write meets. */
export class RequiredApprovalView {
  @ApiProperty({
    example:
      'The rule approvals[0] (keys ntp_*) requires 1 approval. Propose the write instead: send the same request with ?propose=<title>.',
  })
  message!: string;

  @ApiProperty({
    example: 'approvals[0] (keys ntp_*) requires 1 approval',
    description: 'The first rule that it meets, in words.',
  })
  description!: string;

  @ApiProperty({
    type: 'integer',
    example: 0,
    description: 'The first rule that it meets: its place in the setting `approvals`, counted from 0.',
  })
  rule!: number;

  @ApiProperty({
    type: 'integer',
    example: 1,
    description: 'How many approvals the rules that it meets require.',
  })
  approvals!: number;
}

export const RequiredApproval = () =>
  ApiPropertyOptional({
    type: RequiredApprovalView,
    description:
      'Set if the write meets a rule of the project (`approvals`): without the dry run, it is rejected with `403`.',
  });

/** What a dry run says of a reason that the project does not accept. */
export class RejectedReasonView {
  @ApiProperty({ enum: ['required', 'invalid_format'] })
  code!: string;

  @ApiProperty({ example: 'changes in this project need a reason that matches ^CHG-[0-9]+' })
  message!: string;
}

export const RejectedReason = () =>
  ApiPropertyOptional({
    type: RejectedReasonView,
    description:
      'Set if the project does not accept the reason (`change_reason`): without the dry run, the write is rejected with `400`.',
  });

/** What a change did. It is recorded, or the result of a dry run. */
export abstract class ChangeView {
  @ApiProperty({ format: 'uuid', example: '717e9a21-6e2d-44e0-bc84-8398563bda06' })
  project_id!: string;

  @ApiProperty({ type: ActorView })
  actor!: ActorView;

  @ApiProperty({ example: '2f1c6f0e-8f1d-4c53-9b5e-2a4f3f2b8a10' })
  request_id!: string;

  @ApiProperty({ type: String, nullable: true, example: 'CHG-1042: new rack' })
  reason!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: null,
    description: 'Why an admin passed the rules for approvals: the header `X-Change-Override`.',
  })
  override!: string | null;

  @ApiProperty({
    type: AppliedProposalView,
    nullable: true,
    example: null,
    description: '`null` if the write was done without a proposal.',
  })
  proposal!: AppliedProposalView | null;

  @ApiProperty({
    type: 'array',
    items: { type: 'integer', format: 'int64' },
    example: [],
    description: 'The ids of the changes that it reverted, newest first.',
  })
  reverts!: number[];

  @ApiProperty({
    type: ImpactCountView,
    nullable: true,
    description:
      '`null` in records from before impacts were counted. For callers who do not see all variables, also `null` in records from before a variable became private.',
  })
  impact!: ImpactCountView | null;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    example: 1,
    description: 'How many resources it touched that the caller may see.',
  })
  objects_total!: number;

  @ApiProperty({
    type: [ChangedObjectView],
    description:
      'In the order in which they were touched: the first 1,000 in a single record, the first 100 in lists and in the feed. `/v1/changes/{id}/objects` lists all of them.',
  })
  objects!: ChangedObjectView[];
}

/** The change of a dry run. It has no id and no time. */
export class TriedChangeView extends ChangeView {
  @ApiProperty({ type: 'integer', format: 'int64', nullable: true, example: null })
  id!: null;

  @ApiProperty({ type: String, nullable: true, example: null })
  created_at!: null;
}

/** A device whose resolved variables a change alters. */
export class AffectedDeviceView {
  @ApiProperty({ example: 'host' })
  kind!: string;

  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  id!: number;

  @ApiProperty({ example: 'node1' })
  name!: string;

  @ApiProperty({
    ...variableChanges,
    example: { ntp_servers: { before: ['10.0.0.1'], after: ['10.0.0.2'] } },
    description:
      'Both sides of every resolved variable that changes; a side is absent where the key is not set.',
  })
  changes!: object;
}

class RegionCountView {
  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  id!: number;

  @ApiProperty({ type: 'integer', format: 'int64', example: 12 })
  devices!: number;
}

/** Both sides of a member or a variable. */
export class WrittenValueView {
  @ApiPropertyOptional({
    ...anyValueSchema,
    example: ['10.0.0.1'],
    description: 'Absent where it is not set.',
  })
  before?: unknown;

  @ApiPropertyOptional({
    ...anyValueSchema,
    example: ['10.0.0.2'],
    description: 'Absent where it is not set.',
  })
  after?: unknown;
}

/** Devices on which the value of a variable changes in the same way. */
export class ImpactGroupView extends WrittenValueView {
  @ApiProperty({
    example: 'mC0uK3P0YQ2v1Q4s',
    description: 'Identifies the variable with both values: the same in every response.',
  })
  id!: string;

  @ApiProperty({ example: 'ntp_servers' })
  key!: string;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    example: 12,
    description: 'How many devices it changes on.',
  })
  devices!: number;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    example: 2,
    description:
      'How many devices do not get the value, because a narrower level overrides it; 0 if several levels change at once and one is a label.',
  })
  overriding!: number;

  @ApiProperty({
    type: [RegionCountView],
    example: [{ id: 1, devices: 12 }],
    description: 'The regions with the most of these devices: up to 20.',
  })
  regions!: RegionCountView[];

  @ApiProperty({ type: 'integer', example: 1, description: 'The number of all regions with such devices.' })
  regions_total!: number;
}

export const impactGroups = {
  type: [ImpactGroupView],
  description: 'The changes of values, those of the most devices first: up to 100.',
} satisfies ApiPropertyOptions;

export const impactGroupsTotal = {
  type: 'integer',
  example: 1,
  description: 'The number of all groups. At most 10,000 are counted: the first ones that are found.',
} satisfies ApiPropertyOptions;

export class PreviewedImpactView {
  @ApiProperty({
    type: 'integer',
    format: 'int64',
    example: 1,
    description: 'How many devices get a different resolved value of some variable. The number is exact.',
  })
  devices!: number;

  @ApiProperty({
    type: [String],
    example: ['ntp_servers'],
    description: 'The keys of these variables, sorted.',
  })
  keys!: string[];

  @ApiPropertyOptional({
    ...impactGroups,
    description: `${impactGroups.description} Only on the first page.`,
  })
  groups?: ImpactGroupView[];

  @ApiPropertyOptional(impactGroupsTotal)
  groups_total?: number;

  @ApiProperty({ type: [AffectedDeviceView], description: 'A page of the devices, sorted by id.' })
  items!: AffectedDeviceView[];

  @ApiProperty({ type: [LinkView], description: '`self`, and `first` and `next` if these pages exist.' })
  links!: LinkView[];
}

/** The response to a dry run. */
export class PreviewView {
  @ApiProperty({
    type: Boolean,
    example: true,
    description: 'Tells a preview from other responses.',
  })
  dry_run!: true;

  @ApiProperty({ type: TriedChangeView, description: 'The record that the change would store.' })
  change!: TriedChangeView;

  @ApiProperty({ type: PreviewedImpactView })
  impact!: PreviewedImpactView;

  @RequiredApproval()
  approval_required?: RequiredApprovalView;

  @RejectedReason()
  reason_rejected?: RejectedReasonView;
}
