import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { JsonCheck, JsonMember, Optional } from '../../http/json-member';
import type { JsonInput } from '../../database/json-input';
import { variablesFault } from '../../core/context/variable-key';
import { Note } from '../../resources/body-members';

const MAX_IDS = 100_000;

function idsFault(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_IDS)
    return `must be an array of 1 to ${String(MAX_IDS)} ids`;
  return value.every((id) => Number.isSafeInteger(id)) ? undefined : 'must be integers';
}

/** The variables to set on many resources. */
export class SetVariables {
  @Optional()
  @JsonCheck('ids', idsFault)
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'integer', format: 'int64' },
    example: [1, 2],
    minItems: 1,
    maxItems: MAX_IDS,
    description: 'The ids of the resources to change. Without `ids`, the filters in the query select them.',
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
    description: 'Keys and values to set. Other variables do not change.',
  })
  variables!: JsonInput;
}
