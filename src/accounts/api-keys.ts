import { generateApiKey } from '../auth/identity/api-key';
import type { ChangeSet } from '../changes/change-set';
import { sql } from '../database/sql';
import { ApiProperty } from '@nestjs/swagger';
import type { ResourceDefinition } from '../resources/resource-definition';
import { column, timestamp, type ResourceMapping } from '../database/resource-mapping';
import { NO_INHERITANCE } from '../variables/levels';
import { TimeProperty } from '../http/time-property';

const KEY_STATES = ['in use', 'expired', 'revoked'] as const;

/** An API key without its secret, which is not stored. */
export class ApiKeyView {
  @ApiProperty({
    type: 'integer',
    format: 'int64',
    example: 1,
    description: 'The position in the list, for `marker`.',
  })
  id!: number;

  @ApiProperty({ example: '0123456789abcdef', description: 'The part of the key between the underscores.' })
  key_id!: string;

  @ApiProperty({ enum: KEY_STATES, example: 'in use' })
  state!: (typeof KEY_STATES)[number];

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'Pipeline of the web shop',
    description: 'What the key is for, as said when it was created.',
  })
  note!: string | null;

  @TimeProperty()
  created_at!: string;

  @TimeProperty({ nullable: true, example: null, description: 'When the key expires; `null`: never.' })
  expires_at!: string | null;

  @TimeProperty({
    nullable: true,
    example: null,
    description: 'When the key was revoked; `null` if it was not.',
  })
  revoked_at!: string | null;
}

export const apiKeyMapping: ResourceMapping<keyof ApiKeyView> = {
  kind: 'api-key',
  collection: 'api-keys',
  table: 'api_keys',
  idType: 'bigint',
  nameField: 'key_id',
  fields: {
    id: column('id', 'bigint'),
    key_id: column('key_id', 'text'),
    state: {
      sql: `CASE WHEN t.revoked_at IS NOT NULL THEN 'revoked' WHEN t.expires_at <= now() THEN 'expired' ELSE 'in use' END`,
    },
    note: column('note', 'text', { nullable: true }),
    created_at: timestamp('created_at'),
    expires_at: timestamp('expires_at', { nullable: true }),
    revoked_at: timestamp('revoked_at', { nullable: true }),
  },
  carriesVariables: false,
  usedBy: [],
};

/** The keys of a user, including expired and revoked ones. */
export const apiKeys: ResourceDefinition = {
  mapping: apiKeyMapping,
  inheritance: NO_INHERITANCE,
  filters: [],
  showsVariables: false,
  filtersVariables: false,
  isPresentOnly: true,
};

/** The user of a key. */
interface KeyOwner {
  readonly projectId: string;
  readonly id: number;
}

/** A condition: whether the key `t` is active. */
export const IS_ACTIVE = sql`t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())`;

/** What is stored about a new key. */
export interface NewKey {
  /** When the key expires, in UTC; absent or null: never. */
  readonly expires_at?: string | null | undefined;
  /** What it is for. */
  readonly note?: string | null | undefined;
}

/** Creates a key for a user and returns it. It cannot be read again. */
export async function issueKey(
  change: ChangeSet,
  user: KeyOwner,
  { expires_at: expiresAt, note = null }: NewKey = {},
): Promise<string> {
  const { key, keyId, secretHash } = generateApiKey();
  const ends = expiresAt === undefined || expiresAt === null ? null : expiresAt.replace(/Z?$/, 'Z');
  await change.tx
    .execute(sql`INSERT INTO api_keys (project_id, user_id, key_id, secret_hash, expires_at, note)
    VALUES (${user.projectId}, ${user.id}, ${keyId}, decode(${secretHash.toString('hex')}, 'hex'), ${ends}::timestamptz,
      ${note})`);
  return key;
}

/** A key that was just revoked. */
export interface RevokedKey {
  readonly keyId: string;
  /** Whether it would never have expired. */
  readonly isUnlimited: boolean;
}

/**
 * Revokes keys of a user. @param keyId the key; undefined: all keys
 * @returns the keys that were not revoked before, in the order in which they were created
 */
export async function revokeKeys(change: ChangeSet, user: KeyOwner, keyId?: string): Promise<RevokedKey[]> {
  const isSelected = keyId === undefined ? sql`true` : sql`key_id = ${keyId}`;
  const revoked = await change.tx.rows<{
    id: number;
    keyId: string;
    isUnlimited: boolean;
  }>(sql`UPDATE api_keys SET revoked_at = now()
    WHERE project_id = ${user.projectId} AND user_id = ${user.id} AND revoked_at IS NULL AND ${isSelected}
    RETURNING id, key_id AS "keyId", expires_at IS NULL AS "isUnlimited"`);
  return revoked.sort((a, b) => a.id - b.id);
}
