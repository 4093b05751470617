import { ApiProperty } from '@nestjs/swagger';
import { deviceKinds } from '../../devices/device-kinds';
import { cellShape } from '../../cells/cell';
import { labelShape } from '../../labels/label';
import { regionShape } from '../../regions/region';
import type { ListNames } from '../../list/list-query';
import { keyFilter } from './distinct-keys';

/** A key of a project, with the number of resources that set it in each collection, including all kinds of devices. */
export class VariableKeyView {
  @ApiProperty({ example: 'ntp_servers' })
  key!: string;

  @ApiProperty({ format: 'uuid', example: '717e9a21-6e2d-44e0-bc84-8398563bda06' })
  project_id!: string;

  @ApiProperty({
    type: 'integer',
    example: 1250,
    description: 'How many devices resolve the key to a value, own or inherited.',
  })
  resolved_by!: number;
}

/** The kinds of resources that set keys, and the members that count them. */
export const countedKinds: readonly (readonly [kind: string, collection: string])[] = [
  regionShape,
  cellShape,
  labelShape,
  ...deviceKinds.map(({ shape }) => shape),
].map(({ kind, collection }) => [kind, collection]);

for (const [, collection] of countedKinds)
  ApiProperty({ type: 'integer', example: 3, description: `How many ${collection} set it.` })(
    VariableKeyView.prototype,
    collection,
  );

/** The parameters of `GET /v1/variable-keys`. */
export const keyParameters: ListNames = {
  members: ['key', 'project_id', ...countedKinds.map(([, collection]) => collection), 'resolved_by'],
  filters: [keyFilter],
  common: ['limit', 'sort_dir', 'fields', 'project_id'],
  others: [{ name: 'marker' }],
};
