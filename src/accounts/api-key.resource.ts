import { ApiProperty } from '@nestjs/swagger';
import type { ResourceDefinition } from '../resources/resource-definition';
import { column, timestamp, type ResourceShape } from '../database/resource-shape';
import { NO_INHERITANCE } from '../variables/levels';

export const KEY_STATES = ['in use', 'expired', 'revoked'] as const;

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

  @ApiProperty({ example: '2017-02-16T14:28:55.000000' })
  created_at!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: null,
    description: 'When the key expires; `null`: never.',
  })
  expires_at!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: null,
    description: 'When the key was revoked; `null` if it was not.',
  })
  revoked_at!: string | null;
}

export const apiKeyShape: ResourceShape<keyof ApiKeyView> = {
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
    created_at: timestamp('created_at'),
    expires_at: timestamp('expires_at', { nullable: true }),
    revoked_at: timestamp('revoked_at', { nullable: true }),
  },
  carriesVariables: false,
  usedBy: [],
};

/** The keys of a user, including expired and revoked ones. */
export const apiKeys: ResourceDefinition = {
  shape: apiKeyShape,
  inheritance: NO_INHERITANCE,
  filters: [],
  showsVariables: false,
  filtersVariables: false,
  isImmutable: true,
};
