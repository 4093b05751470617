import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Column, Entity } from 'typeorm';
import { type RequestContext, roleError } from '../core/context/request-context';
import { isVisiblePattern } from '../database/resource-sql';
import { textFilter } from '../lists/list-filter';
import { sql, type Sql } from '../database/sql';
import { json, type ResourceMapping, VariableOwnerEntity } from '../database/resource-mapping';
import { NO_INHERITANCE } from '../variables/levels';
import type { ResourceDefinition } from '../resources/resource-definition';
import { Flag, Special, Text } from '../resources/member-decorators';
import { fieldsOf, View } from '../resources/members';
import { JsonCheck, Optional } from '../http/body-validation';

const EXAMPLE_ROLES = ['hosts:write', 'ntp_*'];

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

/** Removes roles for variables that are hidden from the caller, because they would reveal the keys. */
function visibleRoles({ visibility }: RequestContext, roles: Sql): Sql {
  if (visibility.seesEverything) return roles;
  return sql`(SELECT COALESCE(jsonb_agg(r.role ORDER BY r.ordinality), '[]')
    FROM jsonb_array_elements_text(${roles}) WITH ORDINALITY AS r (role)
    WHERE r.role LIKE '%:%' OR ${isVisiblePattern(visibility, sql`r.role`)})`;
}

@Entity('users')
export class User extends VariableOwnerEntity {
  @Text({ example: 'operator', description: 'Unique in the project.' })
  username!: string;

  @Flag({ default: false, example: false })
  is_admin?: boolean;

  @Flag({ default: false, example: false, body: { description: 'Only root can set it.' } })
  is_root?: boolean;

  @Special({
    column: { type: 'jsonb' },
    field: { ...json('roles'), redact: visibleRoles },
    inView: ApiProperty({ type: [String], example: EXAMPLE_ROLES }),
    inBody: applyDecorators(
      Optional(),
      JsonCheck('roles', rolesFault),
      ApiPropertyOptional({
        type: [String],
        maxItems: MAX_ROLES,
        example: EXAMPLE_ROLES,
        description: '`<collection>:write`, `*:write`; a variable key, or a prefix of keys followed by `*`.',
      }),
    ),
  })
  roles?: readonly string[];

  /** The user's id in Keystone; null for other users. Not part of the API: see external-users.ts. */
  @Column('text', { nullable: true })
  keystone_id!: string | null;

  /** The issuer and the subject of a user of OpenID Connect; null for other users. */
  @Column('text', { nullable: true })
  oidc_subject!: string | null;
}

/** Without the columns that the API does not have. */
export type UserOfApi = Omit<User, 'keystone_id' | 'oidc_subject'>;

export class UserView extends View<UserOfApi>(User) {}

/** A user together with a new API key. */
export class UserWithKeyView extends UserView {
  @ApiProperty({ example: 'mst_0123456789abcdef_…', description: 'Only this response contains it.' })
  api_key!: string;
}

export const userMapping: ResourceMapping = {
  kind: 'user',
  collection: 'users',
  table: 'users',
  idType: 'bigint',
  nameField: 'username',
  fields: fieldsOf(User),
  carriesVariables: true,
  // Other routes for users are restricted by their access: see `READ_USERS`.
  readableBy: ({ isRestricted, principal }) =>
    isRestricted === true ? sql`t.id = ${principal.userId}` : sql`true`,
  usedBy: [],
};

export const users: ResourceDefinition = {
  mapping: userMapping,
  inheritance: NO_INHERITANCE,
  filters: [
    textFilter('username', 'The exact name.', 'operator'),
    textFilter('name', 'The exact name: the same as `username`.', 'operator', 't.username'),
  ],
  showsVariables: false,
  filtersVariables: false,
};
