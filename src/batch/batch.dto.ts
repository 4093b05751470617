import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { JsonInput } from '../database/json-input';
import { anyValueSchema } from '../http/api-schemas';
import { JsonCheck, JsonMember } from '../http/body-validation';
import { Note } from '../resources/body-members';
import { MAX_OPERATIONS, MAX_PATH_LENGTH, METHODS, operationsError } from './batch-request';
import { NAME } from './references';

export class BatchOperationView {
  @ApiPropertyOptional({
    type: String,
    pattern: `^${NAME}$`,
    example: 'rack',
    description:
      'A name, unique in the request. Later operations refer to the id of the resource that this operation creates: with `{"$ref": "rack.id"}` in place of any value of their bodies, and with `{rack.id}` in their paths.',
  })
  id?: string;

  @ApiProperty({ enum: METHODS, example: 'POST' })
  method!: string;

  @ApiProperty({
    type: String,
    minLength: 4,
    maxLength: MAX_PATH_LENGTH,
    pattern: '^/v1/',
    example: '/v1/cells',
    description: 'The path of the write, with its query.',
  })
  path!: string;

  @ApiPropertyOptional({
    ...anyValueSchema,
    example: { name: 'rack-7', region_id: 1 },
    description: 'The body that the write has when it is sent alone.',
  })
  body?: unknown;

  @ApiPropertyOptional({
    type: String,
    example: '"4"',
    description: 'The `If-Match` of the write. A version that an earlier operation raised is the raised one.',
  })
  if_match?: string;

  @ApiPropertyOptional({ type: String, example: '*', description: 'The `If-None-Match` of the write.' })
  if_none_match?: string;
}

/** Several writes of the inventory. */
export class Batch {
  @JsonMember()
  @JsonCheck('operations', operationsError)
  @ApiProperty({
    type: [BatchOperationView],
    minItems: 1,
    maxItems: MAX_OPERATIONS,
    description: 'The writes, in the order in which they are done.',
  })
  operations!: JsonInput;

  @Note()
  note?: string | null;
}

export class OperationResultView {
  @ApiProperty({ type: String, nullable: true, example: 'rack', description: 'The id of the operation.' })
  id!: string | null;

  @ApiProperty({ type: 'integer', example: 201, description: 'The status that the write has alone.' })
  status!: number;

  @ApiProperty({
    type: String,
    nullable: true,
    example: '"1"',
    description: 'The entity tag after the operation; `null` without one.',
  })
  etag!: string | null;

  @ApiProperty({
    ...anyValueSchema,
    example: { id: 7, name: 'rack-7' },
    description: 'The body that the response to the write has alone; `null` without a body.',
  })
  body!: unknown;
}

export class BatchResultView {
  @ApiProperty({
    type: 'integer',
    format: 'int64',
    nullable: true,
    example: 17,
    description: 'The id of the change record; `null` if nothing changed.',
  })
  change_id!: number | null;

  @ApiProperty({ type: [OperationResultView], description: 'The results, in the order of the operations.' })
  results!: OperationResultView[];
}

/** Without `$ref`: bundlers of OpenAPI follow it in examples, too. */
export const BATCH_EXAMPLES = {
  new_rack: {
    summary: 'Create a cell, and set its variables',
    value: {
      note: 'CHG-1042: new rack',
      operations: [
        { id: 'rack', method: 'POST', path: '/v1/cells', body: { name: 'rack-7', region_id: 1 } },
        { method: 'PUT', path: '/v1/cells/{rack.id}/variables', body: { ntp_servers: ['10.0.0.1'] } },
      ],
    },
  },
  conditional: {
    summary: 'Update a region only if it has this version',
    value: {
      operations: [{ method: 'PUT', path: '/v1/regions/1', body: { note: 'old site' }, if_match: '"4"' }],
    },
  },
};
