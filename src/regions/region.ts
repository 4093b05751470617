import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Column, Entity } from 'typeorm';
import { changeRecordAt, type PointInTime } from '../changes/point-in-time';
import { cloudShape } from '../clouds/cloud';
import { idFilter, labelFilter, textFilter } from '../list/list-filter';
import { sql, type Sql } from '../database/sql';
import {
  column,
  versionFields,
  identityFields,
  labelNames,
  type LabelTable,
  type ResourceShape,
  bigintNumber,
  VariableOwnerEntity,
} from '../database/resource-shape';
import { NO_INHERITANCE } from '../variables/levels';
import type { ResourceDefinition } from '../resources/resource-definition';
import { LabelsProperty, ResourceView, VariablesProperty } from '../resources/resource.view';
import { LabelledBody } from '../labels/label';
import { JsonCheck, Optional, ReadsWith } from '../http/body-validation';
import { NullableId, OptionalText, RequiredText } from '../resources/body-members';
import { isObject } from '../core/context/variable-keys';

@Entity('regions')
export class Region extends VariableOwnerEntity {
  @Column('text')
  name!: string;

  @Column('bigint', { nullable: true, transformer: bigintNumber })
  cloud_id!: number | null;

  @Column('text', { nullable: true })
  note!: string | null;
}

class RegionCellView {
  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  id!: number;

  @ApiProperty({ example: 'rack-1' })
  name!: string;
}

export class RegionView extends ResourceView {
  @ApiProperty({ example: 'eqiad', description: 'Unique in the project.' })
  name!: string;

  @ApiProperty({ type: 'integer', format: 'int64', nullable: true, example: null })
  cloud_id!: number | null;

  @ApiProperty({ type: [RegionCellView], description: "A summary of the region's cells, sorted by name." })
  cells!: RegionCellView[];

  @LabelsProperty()
  labels!: string;

  @ApiProperty({ type: String, nullable: true, example: null })
  note!: string | null;

  @VariablesProperty()
  variables!: object;
}

export const regionLabels: LabelTable = { table: 'region_labels', owner: 'region_id' };

export const regionShape: ResourceShape<Exclude<keyof RegionView, 'variables'>> = {
  kind: 'region',
  collection: 'regions',
  table: 'regions',
  idType: 'bigint',
  nameField: 'name',
  fields: {
    ...identityFields,
    name: column('name', 'text'),
    cloud_id: column('cloud_id', 'bigint', { nullable: true }),
    cells: {
      sql: `COALESCE((SELECT json_agg(json_build_object('id', c.id, 'name', c.name) ORDER BY c.name)
        FROM cells c WHERE c.project_id = t.project_id AND c.region_id = t.id), '[]')`,
      derived: true,
    },
    labels: labelNames(regionLabels),
    note: column('note', 'text', { nullable: true }),
    ...versionFields,
  },
  carriesVariables: true,
  labels: regionLabels,
  usedBy: [
    { table: 'cells', column: 'region_id', noun: 'cells' },
    { table: 'devices', column: 'region_id', noun: 'devices' },
  ],
};

export const regions: ResourceDefinition = {
  shape: regionShape,
  inheritance: NO_INHERITANCE,
  filters: [
    textFilter('name', 'The exact name.', 'eqiad'),
    labelFilter(regionLabels.table, regionLabels.owner),
    idFilter('cloud_id', 'Regions in this cloud.', cloudShape),
  ],
  showsVariables: true,
  filtersVariables: true,
  past: { members: { cells: pastCells } },
};

/** The cells of the region `t` at a point in time. The candidates are all cells that were ever in the region. */
function pastCells(at: PointInTime): Sql {
  const ofCell = sql`o.project_id = t.project_id AND o.kind = 'cell' AND o.object_id = once.id`;
  return sql`COALESCE((
    SELECT json_agg(json_build_object('id', once.id, 'name', c.name) ORDER BY c.name COLLATE "C")
    FROM (
      SELECT DISTINCT o.object_id AS id FROM change_objects o
      WHERE o.project_id = t.project_id AND o.kind = 'cell' AND o.after ->> 'region_id' = t.id::text
    ) once CROSS JOIN LATERAL (${changeRecordAt(at, ofCell)}) c
    WHERE c.after ->> 'region_id' = t.id::text
  ), '[]')`;
}

export class CreateRegion extends LabelledBody {
  @RequiredText('eqiad', 'Unique in the project.')
  name!: string;

  @NullableId('The cloud that the region belongs to.')
  cloud_id?: number | null;
}

/** Converts objects with an `id` into ids. Other values are returned unchanged; the validation rejects them. */
function parseCellIds(value: unknown): unknown {
  return Array.isArray(value) ? value.map((cell: unknown) => (isObject(cell) ? cell['id'] : cell)) : value;
}

function cellIdsError(value: unknown): string | undefined {
  const areIds =
    Array.isArray(value) && value.length <= 1_000 && value.every((id) => Number.isSafeInteger(id));
  return areIds ? undefined : 'must be an array of at most 1000 ids, or objects with an id';
}

export class UpdateRegion extends LabelledBody {
  @OptionalText('eqiad', 'Unique in the project.')
  name?: string;

  @NullableId('The cloud that the region belongs to.')
  cloud_id?: number | null;

  @ApiPropertyOptional({
    type: 'array',
    items: { oneOf: [{ type: 'integer' }, { type: 'object', properties: { id: { type: 'integer' } } }] },
    example: [1, { id: 2 }],
    description: 'Cells to move into this region, with their devices. Other cells do not move.',
  })
  @Optional()
  @ReadsWith(parseCellIds)
  @JsonCheck('cells', cellIdsError)
  cells?: number[];
}
