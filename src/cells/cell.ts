import { ApiProperty } from '@nestjs/swagger';
import { Column, Entity } from 'typeorm';
import { cloudShape } from '../clouds/cloud';
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
import { regionShape } from '../regions/region';
import { idFilter, parseIdValue, labelFilter, textFilter } from '../list/list-filter';
import { sql } from '../database/sql';
import type { Inheritance } from '../variables/levels';
import type { ResourceDefinition } from '../resources/resource-definition';
import { ExplainProperty } from '../variables/explanation';
import { LabelsProperty, ResourceView, VariablesProperty } from '../resources/resource.view';
import { LabelledBody } from '../labels/label';
import { OptionalId, OptionalText, RequiredId, RequiredText } from '../resources/body-members';

@Entity('cells')
export class Cell extends VariableOwnerEntity {
  @Column('bigint', { transformer: bigintNumber })
  region_id!: number;

  @Column('text')
  name!: string;

  @Column('text', { nullable: true })
  note!: string | null;
}

export class CellView extends ResourceView {
  @ApiProperty({ example: 'rack-1', description: 'Unique in the region.' })
  name!: string;

  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  region_id!: number;

  @LabelsProperty()
  labels!: string;

  @ApiProperty({ type: String, nullable: true, example: null })
  note!: string | null;

  @VariablesProperty()
  variables!: object;

  @ExplainProperty()
  explain?: object;
}

export const cellLabels: LabelTable = { table: 'cell_labels', owner: 'cell_id' };

export const cellShape: ResourceShape<Exclude<keyof CellView, 'variables' | 'explain'>> = {
  kind: 'cell',
  collection: 'cells',
  table: 'cells',
  idType: 'bigint',
  nameField: 'name',
  fields: {
    ...identityFields,
    name: column('name', 'text'),
    region_id: column('region_id', 'bigint'),
    labels: labelNames(cellLabels),
    note: column('note', 'text', { nullable: true }),
    ...versionFields,
  },
  carriesVariables: true,
  labels: cellLabels,
  usedBy: [{ table: 'devices', column: 'cell_id', noun: 'devices' }],
};

const inheritance: Inheritance = { region: 't.region_id' };

export const cells: ResourceDefinition = {
  shape: cellShape,
  inheritance,
  filters: [
    idFilter('region_id', 'Cells in this region.', regionShape),
    textFilter('name', 'The exact name.', 'rack-1'),
    labelFilter(cellLabels.table, cellLabels.owner),
    inCloudFilter(),
  ],
  showsVariables: true,
  filtersVariables: true,
};

/** Filters resources by the cloud of their region. */
export function inCloudFilter() {
  return {
    ...idFilter('cloud_id', 'Resources in the regions of this cloud.', cloudShape),
    condition: (value: string) => sql`t.region_id IN (SELECT r.id FROM regions r
      WHERE r.project_id = t.project_id AND r.cloud_id = ${parseIdValue('cloud_id', value)})`,
  };
}

export class CreateCell extends LabelledBody {
  @RequiredText('rack-1', 'Unique in the region.')
  name!: string;

  @RequiredId("The cell's region.")
  region_id!: number;
}

export class UpdateCell extends LabelledBody {
  @OptionalText('rack-1', 'Unique in the region.')
  name?: string;

  @OptionalId("The cell's current region. To move a cell, use `PUT /v1/regions/{id}`.")
  region_id?: number;
}
