import { ApiPropertyOptional } from '@nestjs/swagger';
import { CreateBody, PartialBody } from '../resources/members';
import { NullableText } from '../resources/body-members';
import { JsonCheck, Nullable } from '../http/body-validation';
import { parseTime, TIME_FORMAT } from '../core/parameters';
import { User, UserOfApi } from './user.entity';
import { fault, type Fault } from '../core/error-details';

export class CreateUser extends CreateBody<UserOfApi>(User, undefined, 'optional first') {}

export class UpdateUser extends PartialBody(CreateUser) {}

function futureFault(value: unknown): Fault | undefined {
  if (typeof value !== 'string') return fault('invalid_type', `must be ${TIME_FORMAT}`);
  const time = parseTime(value);
  if (time === undefined) return fault('invalid_format', `must be ${TIME_FORMAT}`);
  return Date.parse(time) > Date.now() ? undefined : fault('out_of_range', 'must lie in the future');
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

  @NullableText('Pipeline of the web shop', 'What the key is for. The list of keys shows it.')
  note?: string | null;
}
