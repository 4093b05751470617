import { ApiPropertyOptional, ApiProperty } from '@nestjs/swagger';
import { Column, Entity } from 'typeorm';
import {
  historyFields,
  identityFields,
  type ResourceShape,
  ResourceEntity,
} from '../database/resource-shape';
import { NO_INHERITANCE } from '../variables/levels';
import type { ResourceDefinition } from '../resources/resource-definition';
import { ResourceView } from '../resources/resource.view';
import { JsonCheck, Optional } from '../http/body-validation';

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

export const accessSecretShape: ResourceShape<keyof AccessSecretView> = {
  kind: 'access-secret',
  collection: 'access-secrets',
  table: 'access_secrets',
  idType: 'bigint',
  nameField: 'id',
  fields: { ...identityFields, ...historyFields },
  carriesVariables: false,
  usedBy: [{ table: 'devices', column: 'access_secret_id', noun: 'devices' }],
};

export const accessSecrets: ResourceDefinition = {
  shape: accessSecretShape,
  inheritance: NO_INHERITANCE,
  filters: [],
  showsVariables: false,
  filtersVariables: false,
};

const MAX_CERT_LENGTH = 1024 * 1024;

function certFault(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '' || value.length > MAX_CERT_LENGTH)
    return `must be a text of 1 to ${String(MAX_CERT_LENGTH)} characters`;
  return value.isWellFormed() ? undefined : 'must not contain lone surrogates';
}

const CERT = { example: '-----BEGIN CERTIFICATE-----\n…', description: 'Encrypted at rest.' };

export class CreateAccessSecret {
  @ApiProperty(CERT)
  @JsonCheck('cert', certFault)
  cert!: string;
}

export class UpdateAccessSecret {
  @ApiPropertyOptional(CERT)
  @Optional()
  @JsonCheck('cert', certFault)
  cert?: string;
}
