import { ApiProperty } from '@nestjs/swagger';
import { cellShape } from '../../cells/cell';
import { anyDeviceShape } from '../../devices/device-kind';
import { deviceKinds } from '../../devices/device-kinds';
import { labelShape } from '../../labels/label';
import { regionShape } from '../../regions/region';
import { anyValue, ProvenanceView } from '../explanation.view';
import { LinkView } from '../../resources/resource.view';
import { textFilter } from '../../list/list-filter';
import type { ListNames } from '../../list/list-query';
import { timestampText, type Field, type ResourceShape } from '../../database/resource-shape';
import { keyFilter } from './distinct-keys';

/** A place where a variable is set: a key of a region, cell, label or device. */
export class VariablePlaceView extends ProvenanceView {
  @ApiProperty({ example: 'ntp_servers' })
  key!: string;

  @ApiProperty({ example: 'region', description: '`region`, `cell`, `label`, or the kind of the device.' })
  kind!: string;

  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  id!: number;

  @ApiProperty({ example: 'eqiad' })
  name!: string;

  @ApiProperty({ format: 'uuid', example: '717e9a21-6e2d-44e0-bc84-8398563bda06' })
  project_id!: string;

  @ApiProperty({ ...anyValue, example: ['10.0.0.1'] })
  value!: unknown;

  @ApiProperty({ type: [LinkView], description: '`owner` is the resource that the variable is set on.' })
  links!: LinkView[];
}

/** The kinds of resources whose variables are part of the inventory. */
const owners: readonly ResourceShape[] = [
  regionShape,
  cellShape,
  labelShape,
  ...deviceKinds.map((kind) => kind.shape),
];

/** The collection of each kind of owner. */
export const collectionOf: ReadonlyMap<string, string> = new Map(
  owners.map(({ kind, collection }) => [kind, collection]),
);

/** An expression over the row `o` of the owner, in the table of its kind. */
function ownerField(expression: (shape: ResourceShape) => string): Field {
  const select = (shape: ResourceShape) => `(SELECT ${expression(shape)} FROM ${shape.table} o
    WHERE o.project_id = t.project_id AND o.id = t.object_id)`;
  const cases = [regionShape, cellShape, labelShape].map(
    (shape) => `WHEN '${shape.kind}' THEN ${select(shape)}`,
  );
  return { sql: `CASE t.object_type ${cases.join(' ')} ELSE ${select(anyDeviceShape)} END` };
}

/** A place as SQL over its correlation `t` and the change `c` that set it. */
export const placeShape: Pick<ResourceShape<Exclude<keyof VariablePlaceView, 'links'>>, 'fields' | 'kind'> = {
  kind: 'variable',
  fields: {
    key: { sql: 't.key' },
    kind: { sql: 't.object_type' },
    id: { sql: 't.object_id' },
    name: ownerField(({ nameField }) => `o.${nameField}`),
    project_id: { sql: 't.project_id' },
    value: ownerField(() => 'o.variables -> t.key'),
    set_by: { sql: 'c.actor_username' },
    set_at: { sql: timestampText('c.created_at') },
    reason: { sql: 'c.reason' },
    change_id: { sql: 't.change_id' },
  },
};

/** The parameters of `GET /v1/variables`. */
export const placeParameters: ListNames = {
  members: [...Object.keys(placeShape.fields), 'links'],
  filters: [
    keyFilter,
    textFilter('kind', 'Only variables that are set on resources of this kind.', 'region', 't.object_type'),
  ],
  common: ['limit', 'sort_dir', 'fields', 'project_id'],
  others: [{ name: 'marker' }],
};
