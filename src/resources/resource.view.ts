import { ApiProperty } from '@nestjs/swagger';
import { variableMap } from '../http/api-schemas';
import { TimeProperty } from '../http/time-property';

/** The members of every resource. Views only document responses; the resource's mapping defines how they are read. */
export class ResourceView {
  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  id!: number;

  @ApiProperty({ format: 'uuid', example: '0b3f1f57-6b0a-4d0c-9f0e-7a1f7c1c2b11' })
  uuid!: string;

  @ApiProperty({ format: 'uuid', example: '717e9a21-6e2d-44e0-bc84-8398563bda06' })
  project_id!: string;

  @TimeProperty()
  created_at!: string;

  @TimeProperty({ nullable: true, description: '`null` until the first update.' })
  updated_at!: string | null;

  @ApiProperty({
    type: 'integer',
    example: 1,
    description: 'Incremented by every change. The entity tag for `If-Match`.',
  })
  version!: number;
}

/** The member `variables` of a response. */
export const VariablesProperty = (): PropertyDecorator =>
  ApiProperty({
    ...variableMap,
    example: { ntp_servers: ['10.0.0.1'], rack: { row: 4 } },
    description: 'The resolved variables; with `resolved-values=false`, the own variables.',
  });

/** The member `labels` of a response. */
export const LabelsProperty = (): PropertyDecorator =>
  ApiProperty({
    type: String,
    example: 'compute,rack:4',
    description: 'Names joined by `,`, sorted by code point.',
  });

export class LinkView {
  @ApiProperty({ format: 'uri', example: 'http://127.0.0.1:7780/v1/cells/1' })
  href!: string;

  @ApiProperty({ example: 'up' })
  rel!: string;
}
