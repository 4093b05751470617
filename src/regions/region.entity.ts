import { ApiProperty } from '@nestjs/swagger';
import { Entity } from 'typeorm';
import { changeRecordAt, type PointInTime } from '../changes/point-in-time';
import { Cloud, cloudMapping } from '../clouds/cloud.entity';
import { idFilter, labelFilter, textFilter } from '../lists/list-filter';
import { sql, type Sql } from '../database/sql';
import { type LabelTable, type ResourceMapping, VariableOwnerEntity } from '../database/resource-mapping';
import { NO_INHERITANCE } from '../variables/levels';
import type { ResourceDefinition } from '../resources/resource-definition';
import { ChangeNote, Labels, Reference, Special, Text } from '../resources/member-decorators';
import { fieldsOf, View } from '../resources/members';
import { VariablesProperty } from '../resources/resource.view';

class RegionCellView {
  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  id!: number;

  @ApiProperty({ example: 'rack-1' })
  name!: string;
}

export const regionLabels: LabelTable = { table: 'region_labels', owner: 'region_id' };

@Entity('regions')
export class Region extends VariableOwnerEntity {
  @Text({ example: 'eqiad', description: 'Unique in the project.', hasNaturalOrder: true })
  name!: string;

  @Reference(() => Cloud, {
    nullable: true,
    view: { example: null },
    description: 'The cloud that the region belongs to.',
    line: { example: 'private', description: 'The name of the cloud of the region.' },
  })
  cloud_id?: number | null;

  @Special({
    field: {
      sql: `COALESCE((SELECT json_agg(json_build_object('id', c.id, 'name', c.name) ORDER BY c.name)
        FROM cells c WHERE c.project_id = t.project_id AND c.region_id = t.id), '[]')`,
      derived: true,
    },
    inView: ApiProperty({
      type: [RegionCellView],
      description: "A summary of the region's cells, sorted by name.",
    }),
  })
  cells!: RegionCellView[];

  @Labels(regionLabels)
  labels!: string;

  @ChangeNote()
  note?: string | null;
}

export class RegionView extends View(Region) {
  @VariablesProperty()
  variables!: object;
}

export const regionMapping: ResourceMapping = {
  kind: 'region',
  collection: 'regions',
  table: 'regions',
  idType: 'bigint',
  nameField: 'name',
  fields: fieldsOf(Region),
  carriesVariables: true,
  labels: regionLabels,
  usedBy: [
    { table: 'cells', column: 'region_id', pluralName: 'cells' },
    { table: 'devices', column: 'region_id', pluralName: 'devices' },
  ],
};

export const regions: ResourceDefinition = {
  mapping: regionMapping,
  inheritance: NO_INHERITANCE,
  filters: [
    textFilter('name', 'The exact name.', 'eqiad'),
    labelFilter(regionLabels.table, regionLabels.owner),
    idFilter('cloud_id', 'Regions in this cloud.', cloudMapping),
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
