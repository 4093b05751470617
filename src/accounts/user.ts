import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Column, Entity } from 'typeorm';
import { type RequestContext, roleError } from '../core/context/request-context';
import { isVisiblePattern } from '../database/resource-sql';
import { textFilter } from '../lists/list-filter';
import { sql, type Sql } from '../database/sql';
import {
  column,
  versionFields,
  identityFields,
  json,
  type ResourceShape,
  VariableOwnerEntity,
} from '../database/resource-shape';
import { NO_INHERITANCE } from '../variables/levels';
import type { ResourceDefinition } from '../resources/resource-definition';
import { ResourceView } from '../resources/resource.view';
import { IsBoolean } from 'class-validator';
import { JsonCheck, Nullable, Optional } from '../http/body-validation';
import { parseTime, TIME_FORMAT } from '../core/parameters';
import { OptionalText, RequiredText } from '../resources/body-members';

@Entity('users')
export class User extends VariableOwnerEntity {
  @Column('text')
  username!: string;

  @Column('boolean')
  is_admin!: boolean;

  @Column('boolean')
  is_root!: boolean;

  @Column('jsonb')
  roles!: string[];

  /** The user's id in Keystone; null for other users. Not part of the API: see external-users.ts. */
  @Column('text', { nullable: true })
  keystone_id!: string | null;

  /** The issuer and the subject of a user of OpenID Connect; null for other users. */
  @Column('text', { nullable: true })
  oidc_subject!: string | null;
}

export class UserView extends ResourceView {
  @ApiProperty({ example: 'operator', description: 'Unique in the project.' })
  username!: string;

  @ApiProperty({ example: false })
  is_admin!: boolean;

  @ApiProperty({ example: false })
  is_root!: boolean;

  @ApiProperty({ type: [String], example: ['hosts:write', 'ntp_*'] })
  roles!: readonly string[];
}

/** A user together with a new API key. */
export class UserWithKeyView extends UserView {
  @ApiProperty({ example: 'mst_0123456789abcdef_…', description: 'Only this response contains it.' })
  api_key!: string;
}

/** Removes roles for variables that are hidden from the caller, because they would reveal the keys. */
function visibleRoles({ visibility }: RequestContext, roles: Sql): Sql {
  if (visibility.seesEverything) return roles;
  return sql`(SELECT COALESCE(jsonb_agg(r.role ORDER BY r.ordinality), '[]')
    FROM jsonb_array_elements_text(${roles}) WITH ORDINALITY AS r (role)
    WHERE r.role LIKE '%:%' OR ${isVisiblePattern(visibility, sql`r.role`)})`;
}

export const userShape: ResourceShape<keyof UserView> = {
  kind: 'user',
  collection: 'users',
  table: 'users',
  idType: 'bigint',
  nameField: 'username',
  fields: {
    ...identityFields,
    username: column('username', 'text'),
    is_admin: column('is_admin', 'boolean'),
    is_root: column('is_root', 'boolean'),
    roles: { ...json('roles'), redact: visibleRoles },
    ...versionFields,
  },
  carriesVariables: true,
  // Other routes for users are restricted by their access: see `READ_USERS`.
  readableBy: ({ isRestricted, principal }) =>
    isRestricted === true ? sql`t.id = ${principal.userId}` : sql`true`,
  usedBy: [],
};

export const users: ResourceDefinition = {
  shape: userShape,
  inheritance: NO_INHERITANCE,
  filters: [
    textFilter('username', 'The exact name.', 'operator'),
    textFilter('name', 'The exact name: the same as `username`.', 'operator', 't.username'),
  ],
  showsVariables: false,
  filtersVariables: false,
};

const MAX_ROLES = 200;

function rolesFault(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length > MAX_ROLES)
    return `must be an array of at most ${String(MAX_ROLES)} strings`;
  for (const role of value) {
    const fault = typeof role === 'string' ? roleError(role) : 'a role is a string';
    if (fault !== undefined) return fault;
  }
  return undefined;
}

abstract class UserBody {
  @ApiPropertyOptional({ example: false })
  @Optional()
  @IsBoolean({ message: 'must be true or false' })
  is_admin?: boolean;

  @ApiPropertyOptional({ example: false, description: 'Only root can set it.' })
  @Optional()
  @IsBoolean({ message: 'must be true or false' })
  is_root?: boolean;

  @ApiPropertyOptional({
    type: [String],
    example: ['hosts:write', 'ntp_*'],
    description: '`<collection>:write`, `*:write`; a variable key, or a prefix of keys followed by `*`.',
  })
  @Optional()
  @JsonCheck('roles', rolesFault)
  roles?: string[];
}

export class CreateUser extends UserBody {
  @RequiredText('operator', 'Unique in the project.')
  username!: string;
}

export class UpdateUser extends UserBody {
  @OptionalText('operator', 'Unique in the project.')
  username?: string;
}

function futureFault(value: unknown): string | undefined {
  const time = typeof value === 'string' ? parseTime(value) : undefined;
  if (time === undefined) return `must be ${TIME_FORMAT}`;
  return Date.parse(time) > Date.now() ? undefined : 'must lie in the future';
}

export class NewApiKeyBody {
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    example: '2030-01-01T00:00:00',
    description:
      'When the key expires, in UTC or with an offset such as `+01:00`; a date alone is midnight. If omitted or `null`, the key never expires; for a caller who is not an admin, it expires with the API key of the request. A later time is rejected with `400`.',
  })
  @Nullable()
  @JsonCheck('time', futureFault)
  expires_at?: string | null;
}
