import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { MAX_PATTERN_LENGTH, patternError } from '../../changes/change-reason';
import {
  column,
  versionFields,
  json,
  type ResourceShape,
  VersionedEntity,
} from '../../database/resource-shape';
import { NO_INHERITANCE } from '../../variables/levels';
import type { ResourceDefinition } from '../../resources/resource-definition';
import { IsBoolean } from 'class-validator';
import { JsonCheck, Nullable, Optional } from '../../http/body-validation';
import { isObject, variableKeyError } from '../../core/context/variable-keys';

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
}

/** The requirements of a project for the reasons of its changes. */
class ChangeReasonView {
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
    type: String,
    nullable: true,
    example: '2017-02-16T14:28:55.000000',
    description: '`null` until they are set for the first time.',
  })
  created_at!: string | null;

  @ApiProperty({ type: String, nullable: true, example: null })
  updated_at!: string | null;

  @ApiProperty({ type: 'integer', example: 1, description: '0 until they are set for the first time.' })
  version!: number;
}

/** A project has at most one row of settings. Its id is the id of the project. */
export const settingsShape: ResourceShape<keyof ProjectSettingsView> = {
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
    ...versionFields,
  },
  carriesVariables: false,
  usedBy: [],
};

export const projectSettings: ResourceDefinition = {
  shape: settingsShape,
  inheritance: NO_INHERITANCE,
  filters: [],
  showsVariables: false,
  filtersVariables: false,
};

const MAX_PRIVATE = 200;
const OPTIONAL_PREFIX = 'private:';
/** Removes the optional prefix of a key in `private`. */
export const privateKey = (text: string): string =>
  text.startsWith(OPTIONAL_PREFIX) ? text.slice(OPTIONAL_PREFIX.length) : text;

function privateFault(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length > MAX_PRIVATE)
    return `must be an array of at most ${String(MAX_PRIVATE)} strings`;
  for (const given of value) {
    if (typeof given !== 'string') return 'a key is a string';
    const key = privateKey(given);
    const prefix = key.endsWith('*') ? key.slice(0, -1) : undefined;
    if (prefix !== '' && variableKeyError(prefix ?? key) !== undefined)
      return `${JSON.stringify(given)} is neither a variable's key nor a prefix of keys with *`;
  }
  return undefined;
}

function changeReasonFault(value: unknown): string | undefined {
  if (!isObject(value) || Object.keys(value).some((member) => member !== 'required' && member !== 'pattern'))
    return 'must be null, or an object of required and pattern';
  const { required, pattern = null } = value;
  if (typeof required !== 'boolean') return 'required must be true or false';
  if (pattern === null) return undefined;
  const fault = typeof pattern === 'string' ? patternError(pattern) : 'must be a string or null';
  return fault === undefined ? undefined : `pattern ${fault}`;
}

export class UpdateSettings {
  @Nullable()
  @JsonCheck('change_reason', changeReasonFault)
  @ApiPropertyOptional({
    type: ChangeReasonView,
    nullable: true,
    description: '`null`: no reason is required.',
  })
  change_reason?: { required: boolean; pattern?: string | null } | null;

  @Optional()
  @JsonCheck('private', privateFault)
  @ApiPropertyOptional({
    type: [String],
    example: ['db_password', 'secret_*'],
    description:
      'Keys, or prefixes of keys followed by `*`. The whole set; `private:db_password` is the same key.',
  })
  private?: string[];

  @Optional()
  @IsBoolean({ message: 'must be true or false' })
  @ApiPropertyOptional({
    example: true,
    description:
      'Whether a device cannot get an address that another device of the project has. Existing devices are not checked.',
  })
  unique_addresses?: boolean;

  @Optional()
  @IsBoolean({ message: 'must be true or false' })
  @ApiPropertyOptional({
    example: true,
    description:
      'Whether users without roles see no other users and no change records, and create no API keys.',
  })
  restricts_readers?: boolean;
}
