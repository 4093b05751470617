import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { roleError } from '../core/context/role';
import { JsonCheck, Nullable, Optional } from '../http/json-member';
import { parseTime, TIME_FORMAT } from '../http/parse-time';
import { OptionalText, RequiredText } from '../resources/body-members';

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
