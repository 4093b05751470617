import { ApiPropertyOptional } from '@nestjs/swagger';
import { patternError } from '../../changes/change-reason';
import { IsBoolean } from 'class-validator';
import { JsonCheck, Nullable, Optional } from '../../http/body-validation';
import { isObject, variableKeyError } from '../../core/context/variable-keys';
import { ChangeReasonView } from './settings.entity';

const MAX_PRIVATE = 200;

const OPTIONAL_PREFIX = 'private:';

/** Removes the optional prefix of a key in `private`. */
export const privateKey = (text: string): string =>
  text.startsWith(OPTIONAL_PREFIX) ? text.slice(OPTIONAL_PREFIX.length) : text;

function privateFault(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length > MAX_PRIVATE)
    return `must be an array of at most ${String(MAX_PRIVATE)} strings`;
  for (const given of value) {
    if (typeof given !== 'string') return 'a key is a string';
    const key = privateKey(given);
    const prefix = key.endsWith('*') ? key.slice(0, -1) : undefined;
    if (prefix !== '' && variableKeyError(prefix ?? key) !== undefined)
      return `${JSON.stringify(given)} is neither a variable's key nor a prefix of keys with *`;
  }
  return undefined;
}

function changeReasonFault(value: unknown): string | undefined {
  if (!isObject(value) || Object.keys(value).some((member) => member !== 'required' && member !== 'pattern'))
    return 'must be null, or an object of required and pattern';
  const { required, pattern = null } = value;
  if (typeof required !== 'boolean') return 'required must be true or false';
  if (pattern === null) return undefined;
  const fault = typeof pattern === 'string' ? patternError(pattern) : 'must be a string or null';
  return fault === undefined ? undefined : `pattern ${fault}`;
}

export class UpdateSettings {
  @Nullable()
  @JsonCheck('change_reason', changeReasonFault)
  @ApiPropertyOptional({
    type: ChangeReasonView,
    nullable: true,
    description: '`null`: no reason is required.',
  })
  change_reason?: { required: boolean; pattern?: string | null } | null;

  @Optional()
  @JsonCheck('private', privateFault)
  @ApiPropertyOptional({
    type: [String],
    maxItems: MAX_PRIVATE,
    example: ['db_password', 'secret_*'],
    description:
      'Keys, or prefixes of keys followed by `*`. The whole set; `private:db_password` is the same key.',
  })
  private?: string[];

  @Optional()
  @IsBoolean({ message: 'must be true or false' })
  @ApiPropertyOptional({
    example: true,
    description:
      'Whether a device cannot get an address that another device of the project has. Existing devices are not checked.',
  })
  unique_addresses?: boolean;

  @Optional()
  @IsBoolean({ message: 'must be true or false' })
  @ApiPropertyOptional({
    example: true,
    description:
      'Whether users without roles see no other users and no change records, and create no API keys.',
  })
  restricts_readers?: boolean;
}
