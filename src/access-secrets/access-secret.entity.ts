import { ApiPropertyOptional } from '@nestjs/swagger';
import { Column, Entity } from 'typeorm';
import {
  versionFields,
  identityFields,
  type ResourceMapping,
  ResourceEntity,
} from '../database/resource-mapping';
import { NO_INHERITANCE } from '../variables/levels';
import type { ResourceDefinition } from '../resources/resource-definition';
import { ResourceView } from '../resources/resource.view';
import { raw, type Sql } from '../database/sql';
import type { SecretBox, SealedSecret } from '../core/secret-box';

@Entity('access_secrets')
export class AccessSecret extends ResourceEntity {
  @Column('text')
  key_fingerprint!: string;

  @Column('bytea')
  initialisation_vector!: Buffer;

  @Column('bytea')
  authentication_tag!: Buffer;

  @Column('bytea')
  encrypted_cert!: Buffer;
}

/** A secret in lists and in responses to writes, without its content. */
export class AccessSecretView extends ResourceView {}

/** A secret with its content, in the response to `GET` for one secret. */
export class OpenAccessSecretView extends AccessSecretView {
  @ApiPropertyOptional({
    example: '-----BEGIN CERTIFICATE-----\n…',
    description:
      'The current content. Only this response contains it; change records do not, so it is absent with `at`.',
  })
  cert?: string;
}

export const accessSecretMapping: ResourceMapping<keyof AccessSecretView> = {
  kind: 'access-secret',
  collection: 'access-secrets',
  table: 'access_secrets',
  idType: 'bigint',
  nameField: 'id',
  fields: { ...identityFields, ...versionFields },
  carriesVariables: false,
  usedBy: [{ table: 'devices', column: 'access_secret_id', pluralName: 'devices' }],
};

export const accessSecrets: ResourceDefinition = {
  mapping: accessSecretMapping,
  inheritance: NO_INHERITANCE,
  filters: [],
  showsVariables: false,
  filtersVariables: false,
  singleMembers: ['cert'],
};

/** The columns of an encrypted `cert`. */
export type SealedCert = Omit<SealedSecret, 'content'> & Pick<AccessSecret, 'encrypted_cert'>;

/** Identifies the secret of a `cert`. These values never change, not even with a restore. */
export type CertOwner = Pick<AccessSecret, 'project_id' | 'uuid'>;

/**
 * The byte before the authentication tag in its column: the `cert` is bound to its secret. Earlier versions of Muster
 * stored the tag without it, and bound the `cert` to its project only. Removing the byte does not make a `cert`
 * readable in another row, because the authenticated data differs.
 */
const BOUND_TO_SECRET = Buffer.from([2]);

/** Whether an earlier version of Muster encrypted the `cert` of a row of `access_secrets`. */
export const isInLegacyFormat: Sql = raw('octet_length(authentication_tag) = 16');

export function sealCert(box: SecretBox, cert: string, owner: CertOwner): SealedCert {
  const { content, authentication_tag, ...sealed } = box.seal(cert, additionalData(owner));
  return {
    ...sealed,
    authentication_tag: Buffer.concat([BOUND_TO_SECRET, authentication_tag]),
    encrypted_cert: content,
  };
}

/**
 * @throws InventoryError 503 if this deployment does not have the key
 * @throws Error if the row was damaged, or belongs to another secret
 */
export function openCert(box: SecretBox, row: SealedCert & CertOwner): string {
  const { authentication_tag: tag, encrypted_cert: content } = row;
  const isBound = tag.length === 17 && tag.subarray(0, 1).equals(BOUND_TO_SECRET);
  const authentication_tag = isBound ? tag.subarray(1) : tag;
  return box.open({ ...row, authentication_tag, content }, isBound ? additionalData(row) : row.project_id);
}

const additionalData = ({ project_id, uuid }: CertOwner): string =>
  JSON.stringify(['access secret', project_id, uuid]);
