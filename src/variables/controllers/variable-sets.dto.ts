import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { JsonCheck, JsonMember, Optional } from '../../http/json-member';
import type { JsonInput } from '../../database/json-input';
import { variablesFault } from '../../core/context/variable-key';
import { Note } from '../../resources/body-members';

const MOST_IDS = 100_000;

function idsFault(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_IDS)
    return `must be an array of 1 to ${String(MOST_IDS)} ids`;
  return value.every((id) => Number.isSafeInteger(id)) ? undefined : 'must be integers';
}

/** Variables for many resources. */
export class SetVariables {
  @Optional()
  @JsonCheck('ids', idsFault)
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'integer', format: 'int64' },
    example: [1, 2],
    minItems: 1,
    maxItems: MOST_IDS,
    description: 'Which are meant; otherwise those that the filters in the query find.',
  })
  ids?: number[];

  @Note()
  note?: string | null;

  @JsonMember()
  @JsonCheck('variables', variablesFault)
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    example: { ntp_servers: ['10.0.0.1'], rack: { row: 4 } },
    description: 'Keys and values, laid over those that each has.',
  })
  variables!: JsonInput;
}
