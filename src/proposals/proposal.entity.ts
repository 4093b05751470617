import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Column, Entity } from 'typeorm';
import {
  bigintNumber,
  column,
  type Field,
  json,
  type ResourceMapping,
  ResourceEntity,
} from '../database/resource-mapping';
import { sql } from '../database/sql';
import { JsonCheck, Nullable } from '../http/body-validation';
import { titleError } from '../http/proposed-title';
import { Description, textError } from '../resources/body-members';
import { ActorView } from '../resources/change.view';
import { Special } from '../resources/member-decorators';
import { fieldsOf, View } from '../resources/members';
import type { ResourceDefinition } from '../resources/resource-definition';
import { NO_INHERITANCE } from '../variables/levels';
import { proposalFilters } from './proposal-filters';
import { PROPOSAL_KIND } from './proposal-kind';
import { PROPOSAL_STATES, type ProposalState } from './proposal-states';

/** Up to this many resources, a proposal is listed by them. */
export const MAX_RESOURCES = 100;

/** How many variables a proposal can write. All of them decide who sees it. */
export const MAX_KEYS = 1_000;

const MAX_REASON_LENGTH = 2_000;

/** A resource that a proposal writes. */
export class ProposedResourceView {
  @ApiProperty({ example: 'region' })
  kind!: string;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    nullable: true,
    example: 1,
    description: '`null` for resources that it creates, and for the settings of the project.',
  })
  id!: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'north',
    description: 'Its name when the revision was made. `null` for audits, whose names not everybody sees.',
  })
  name!: string | null;
}

class ApprovalCountsView {
  @ApiProperty({
    type: 'integer',
    example: 1,
    description: 'How many approvals it needed when its revision was made. A preview has the present number.',
  })
  required!: number;

  @ApiProperty({
    type: 'integer',
    example: 0,
    description: 'How many users approve the present revision. A preview says which approvals still count.',
  })
  given!: number;
}

/** A member by which lists are not sorted. */
const unsorted = (name: string): Field => ({ sql: `t.${name}` });

const count = (name: string, description: string, example: number) =>
  Special({
    column: { type: 'integer' },
    field: unsorted(name),
    inView: ApiProperty({ type: 'integer', example, description }),
  });

/** Entities are used for writes only: see `ResourceEntity`. */
@Entity('proposals')
export class Proposal extends ResourceEntity {
  @Special({
    column: { type: 'text' },
    field: unsorted('title'),
    inView: ApiProperty({ type: String, example: 'New NTP servers' }),
    inBody: applyDecorators(
      JsonCheck('title', titleError),
      ApiProperty({ type: String, minLength: 1, maxLength: 255, example: 'New NTP servers' }),
    ),
  })
  title!: string;

  @Special({
    column: { type: 'text', nullable: true },
    field: unsorted('description'),
    inView: ApiProperty({ type: String, nullable: true, example: null }),
    inBody: Description('The old servers are switched off in May.', 'What it is for.'),
  })
  description!: string | null;

  @Special({
    column: { type: 'text' },
    field: column('state', 'text'),
    inView: ApiProperty({ enum: PROPOSAL_STATES, example: 'open' }),
  })
  state!: ProposalState;

  @count('revision', 'The number of its present revision.', 1)
  revision!: number;

  @Special({
    column: { type: 'text', nullable: true },
    field: unsorted('reason'),
    inView: ApiProperty({
      type: String,
      nullable: true,
      example: 'CHG-1042: new rack',
      description: 'The reason of the change, when it is applied.',
    }),
    inBody: applyDecorators(
      Nullable(),
      JsonCheck('reason', (value) => textError(value, MAX_REASON_LENGTH, 0)),
      ApiPropertyOptional({
        type: String,
        nullable: true,
        maxLength: MAX_REASON_LENGTH,
        example: 'CHG-1042: new rack',
        description: 'The reason of the change, when it is applied.',
      }),
    ),
  })
  reason!: string | null;

  @Special({
    field: { sql: `json_build_object('id', t.author_id, 'username', t.author_username)` },
    inView: ApiProperty({ type: ActorView }),
  })
  readonly author!: ActorView;

  @Column('bigint', { transformer: bigintNumber }) author_id!: number;
  @Column('text') author_username!: string;

  @Special({
    column: { type: 'jsonb' },
    field: json('resources'),
    inView: ApiProperty({
      type: [ProposedResourceView],
      description: 'The resources that it writes: up to 100, one of each kind first.',
    }),
  })
  resources!: readonly ProposedResourceView[];

  @Special({
    column: { type: 'text', array: true },
    field: json('keys'),
    inView: ApiProperty({
      type: [String],
      example: ['ntp_servers'],
      description:
        'The variables that it writes, and private ones that it names. Callers who do not see all of them do not see the proposal.',
    }),
  })
  keys!: string[];

  @count('operations_total', 'The number of its operations.', 1)
  operations_total!: number;

  @Special({
    field: { sql: `json_build_object('required', t.approvals_required, 'given', t.approvals_given)` },
    inView: ApiProperty({ type: ApprovalCountsView }),
  })
  readonly approvals!: ApprovalCountsView;

  @Column('integer') approvals_required!: number;
  @Column('integer') approvals_given!: number;

  @count('comments_total', 'The number of comments.', 0)
  comments_total!: number;

  @Special({
    // The record that contains the state `applied` is stored before its id is known.
    field: { sql: 't.change_id', derived: true },
    inView: ApiProperty({
      type: 'integer',
      format: 'int64',
      nullable: true,
      example: null,
      description: 'The id of the change that applied it; `null` before.',
    }),
  })
  readonly change_id!: number | null;

  @Column('bigint', { transformer: bigintNumber }) bytes!: number;
  @Column('bytea') secret!: Buffer;
}

/** A write that waits for approval, as lists show it. */
export class ProposalView extends View<Omit<Proposal, 'bytes' | 'secret'>>(Proposal) {}

export const proposalMapping: ResourceMapping = {
  kind: PROPOSAL_KIND,
  collection: 'proposals',
  table: 'proposals',
  idType: 'bigint',
  nameField: 'title',
  fields: fieldsOf(Proposal),
  carriesVariables: false,
  // A caller who may not see a variable that a proposal writes does not see the proposal.
  referencedVariableKeys: (row) => `ARRAY(SELECT jsonb_array_elements_text(${row} -> 'keys'))`,
  // Users without roles see no other users, if the project's settings say so.
  readableBy: ({ isRestricted, principal }) =>
    isRestricted === true ? sql`t.author_id = ${principal.userId}` : sql`true`,
  usedBy: [],
};

export const proposals: ResourceDefinition = {
  mapping: proposalMapping,
  inheritance: NO_INHERITANCE,
  filters: proposalFilters,
  showsVariables: false,
  filtersVariables: false,
  singleMembers: ['operations', 'reviews'],
  isPresentOnly: true,
};
