import { ApiPropertyOptional, ApiProperty } from '@nestjs/swagger';
import { JsonCheck, Optional } from '../http/body-validation';
import { fault, type Fault } from '../core/error-details';

const MAX_CERT_LENGTH = 1024 * 1024;

function certFault(value: unknown): Fault | undefined {
  const message = `must be a text of 1 to ${String(MAX_CERT_LENGTH)} characters`;
  if (typeof value !== 'string') return fault('invalid_type', message);
  if (value === '') return fault('too_short', message);
  if (value.length > MAX_CERT_LENGTH) return fault('too_long', message);
  return value.isWellFormed() ? undefined : fault('invalid_format', 'must not contain lone surrogates');
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
