import { ApiProperty } from '@nestjs/swagger';
import { namedSchema, resourceMembers, variableChanges } from '../http/api-schemas';

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
