import { ApiPropertyOptional, ApiProperty } from '@nestjs/swagger';
import { JsonCheck, Optional } from '../http/body-validation';

const MAX_CERT_LENGTH = 1024 * 1024;

function certFault(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '' || value.length > MAX_CERT_LENGTH)
    return `must be a text of 1 to ${String(MAX_CERT_LENGTH)} characters`;
  return value.isWellFormed() ? undefined : 'must not contain lone surrogates';
}

const CERT = {
  minLength: 1,
  maxLength: MAX_CERT_LENGTH,
  example: '-----BEGIN CERTIFICATE-----\n…',
  description: 'Encrypted at rest.',
};

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
