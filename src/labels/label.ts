import { ApiProperty } from '@nestjs/swagger';
import { Column, Entity } from 'typeorm';
import { VariableOwnerEntity } from '../database/resource.entity';
import { column, historyFields, identityFields, type ResourceShape } from '../database/resource-shape';
import { textFilter } from '../list/list-filter';
import { NO_INHERITANCE } from '../variables/levels';
import type { ResourceDefinition } from '../resources/resource-definition';
import { ResourceView, VariablesProperty } from '../resources/resource.view';

@Entity('labels')
export class Label extends VariableOwnerEntity {
  @Column('text')
  label!: string;
}

export class LabelView extends ResourceView {
  @ApiProperty({ example: 'compute', description: 'The name. `key:value` is a convention, not a rule.' })
  label!: string;

  @VariablesProperty()
  variables!: object;
}

export const labelShape: ResourceShape<Exclude<keyof LabelView, 'variables'>> = {
  kind: 'label',
  collection: 'labels',
  table: 'labels',
  idType: 'bigint',
  nameField: 'label',
  fields: { ...identityFields, label: column('label', 'text'), ...historyFields },
  carriesVariables: true,
  usedBy: [
    { table: 'device_labels', column: 'label_id', noun: 'devices' },
    { table: 'region_labels', column: 'label_id', noun: 'regions' },
    { table: 'cell_labels', column: 'label_id', noun: 'cells' },
  ],
};

export const labels: ResourceDefinition = {
  shape: labelShape,
  inheritance: NO_INHERITANCE,
  filters: [
    textFilter('label', 'The exact name.', 'compute'),
    textFilter('name', 'The exact name. An alias of `label`.', 'compute', 't.label'),
  ],
  showsVariables: true,
  filtersVariables: false,
};
