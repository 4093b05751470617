import { Entity } from 'typeorm';
import { cloudMapping } from '../clouds/cloud.entity';
import { type LabelTable, type ResourceMapping, VariableOwnerEntity } from '../database/resource-mapping';
import { Region, regionMapping } from '../regions/region.entity';
import { idFilter, parseIdValue, labelFilter, textFilter } from '../lists/list-filter';
import { sql } from '../database/sql';
import type { Inheritance } from '../variables/levels';
import type { ResourceDefinition } from '../resources/resource-definition';
import { ExplainProperty } from '../variables/explanation';
import { ChangeNote, Labels, Reference, Text } from '../resources/member-decorators';
import { fieldsOf, View } from '../resources/members';
import { VariablesProperty } from '../resources/resource.view';

export const cellLabels: LabelTable = { table: 'cell_labels', owner: 'cell_id' };

@Entity('cells')
export class Cell extends VariableOwnerEntity {
  @Text({ example: 'rack-1', description: 'Unique in the region.', hasNaturalOrder: true })
  name!: string;

  @Reference(() => Region, {
    description: "The cell's region.",
    line: { example: 'eqiad', description: "The name of the cell's region." },
  })
  region_id!: number;

  @Labels(cellLabels)
  labels!: string;

  @ChangeNote()
  note?: string | null;
}

export class CellView extends View(Cell) {
  @VariablesProperty()
  variables!: object;

  @ExplainProperty()
  explain?: object;
}

export const cellMapping: ResourceMapping = {
  kind: 'cell',
  collection: 'cells',
  table: 'cells',
  idType: 'bigint',
  nameField: 'name',
  fields: fieldsOf(Cell),
  carriesVariables: true,
  labels: cellLabels,
  usedBy: [{ table: 'devices', column: 'cell_id', pluralName: 'devices' }],
};

const inheritance: Inheritance = { region: 't.region_id' };

export const cells: ResourceDefinition = {
  mapping: cellMapping,
  inheritance,
  filters: [
    idFilter('region_id', 'Cells in this region.', regionMapping),
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
    ...idFilter('cloud_id', 'Resources in the regions of this cloud.', cloudMapping),
    condition: (value: string) => sql`t.region_id IN (SELECT r.id FROM regions r
      WHERE r.project_id = t.project_id AND r.cloud_id = ${parseIdValue('cloud_id', value)})`,
  };
}
