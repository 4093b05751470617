import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ApprovalRule } from '../../auth/project-policies';
import { MAX_PATTERN_LENGTH } from '../../changes/change-reason';
import {
  column,
  versionFields,
  json,
  type ResourceMapping,
  VersionedEntity,
} from '../../database/resource-mapping';
import { NO_INHERITANCE } from '../../variables/levels';
import type { ResourceDefinition } from '../../resources/resource-definition';
import { TimeProperty } from '../../http/time-property';

@Entity('project_settings')
export class ProjectSettings extends VersionedEntity {
  @PrimaryColumn('uuid')
  project_id!: string;

  @Column({ type: 'uuid', insert: false, update: false })
  id!: string;

  @Column('jsonb', { nullable: true })
  change_reason!: object | null;

  @Column('jsonb')
  private!: string[];

  @Column('boolean', { default: false })
  unique_addresses!: boolean;

  @Column('boolean', { default: false })
  restricts_readers!: boolean;

  @Column('jsonb', { default: [] })
  approvals!: ApprovalRule[];
}

/** The requirements of a project for the reasons of its changes. */
export class ChangeReasonView {
  @ApiProperty({ example: true, description: 'Whether every change needs a reason.' })
  required!: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    example: '^CHG-\\d+',
    maxLength: MAX_PATTERN_LENGTH,
    description:
      'A regular expression (RE2) that a part of the reason must match; `null`: any reason is accepted.',
  })
  pattern!: string | null;
}

/** The maximum numbers of a project's rules for approvals, and of the items of a rule. */
export const APPROVAL_LIMITS = { rules: 50, items: 200, approvals: 20 };

/** A rule for which writes need approvals. */
export class ApprovalRuleView {
  @ApiPropertyOptional({
    type: [String],
    minItems: 1,
    maxItems: APPROVAL_LIMITS.items,
    example: ['ntp_*'],
    description:
      'Keys, or prefixes of keys followed by `*`. The write sets or removes such a key, or alters its resolved value for a device.',
  })
  keys?: string[];

  @ApiPropertyOptional({
    type: [String],
    minItems: 1,
    maxItems: APPROVAL_LIMITS.items,
    example: ['regions'],
    description: 'The write touches a resource of one of these collections.',
  })
  collections?: string[];

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    example: 100,
    description: 'The write alters a resolved value for at least as many devices.',
  })
  min_devices?: number;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: APPROVAL_LIMITS.approvals,
    example: 1,
    description: 'How many approvals it needs.',
  })
  approvals!: number;

  @ApiPropertyOptional({
    example: 'regions:write',
    description:
      'The role that the approvers need: `admin`, or a role of users. Admins have every role. Without it, everybody who may do the write can approve it.',
  })
  approvers?: string;
}

export class ProjectSettingsView {
  @ApiProperty({ format: 'uuid', example: '717e9a21-6e2d-44e0-bc84-8398563bda06' })
  project_id!: string;

  @ApiProperty({ type: ChangeReasonView, nullable: true, description: '`null`: no reason is required.' })
  change_reason!: ChangeReasonView | null;

  @ApiProperty({
    type: [String],
    example: ['db_password', 'secret_*'],
    description:
      'The keys that are hidden from callers without a role for them: a key, or a prefix followed by `*`.',
  })
  private!: string[];

  @ApiProperty({
    example: false,
    description: 'Whether a device cannot get an address that another device of the project has.',
  })
  unique_addresses!: boolean;

  @ApiProperty({
    example: false,
    description:
      'Whether users without roles see no other users and no change records, and create no API keys.',
  })
  restricts_readers!: boolean;

  @ApiProperty({
    type: [ApprovalRuleView],
    example: [{ keys: ['ntp_*'], collections: ['regions'], min_devices: 100, approvals: 1 }],
    description: 'Which writes need approvals. A write meets a rule if it fulfils all that the rule names.',
  })
  approvals!: ApprovalRuleView[];

  @TimeProperty({ nullable: true, description: '`null` until they are set for the first time.' })
  created_at!: string | null;

  @TimeProperty({ nullable: true, example: null })
  updated_at!: string | null;

  @ApiProperty({ type: 'integer', example: 1, description: '0 until they are set for the first time.' })
  version!: number;
}

/** A project has at most one row of settings. Its id is the id of the project. */
export const settingsMapping: ResourceMapping<keyof ProjectSettingsView> = {
  kind: 'project-settings',
  collection: 'project-settings',
  table: 'project_settings',
  idType: 'uuid',
  nameField: 'project_id',
  fields: {
    project_id: column('project_id', 'uuid'),
    change_reason: json('change_reason'),
    private: json('private'),
    unique_addresses: column('unique_addresses', 'boolean'),
    restricts_readers: column('restricts_readers', 'boolean'),
    approvals: json('approvals'),
    ...versionFields,
  },
  carriesVariables: false,
  usedBy: [],
};

export const projectSettings: ResourceDefinition = {
  mapping: settingsMapping,
  inheritance: NO_INHERITANCE,
  filters: [],
  showsVariables: false,
  filtersVariables: false,
};
