import { Entity } from 'typeorm';
import { type ResourceMapping, VariableOwnerEntity } from '../database/resource-mapping';
import { textFilter } from '../lists/list-filter';
import { NO_INHERITANCE } from '../variables/levels';
import type { ResourceDefinition } from '../resources/resource-definition';
import { Text } from '../resources/member-decorators';
import { fieldsOf, View } from '../resources/members';
import { VariablesProperty } from '../resources/resource.view';
import { labelNameError, trimLabelName } from './label-names';

@Entity('labels')
export class Label extends VariableOwnerEntity {
  @Text({
    example: 'compute',
    view: { description: 'The name. `key:value` is a convention, not a rule.' },
    check: labelNameError,
    // Lines contain it as it is, because it identifies their resource.
    read: trimLabelName,
    hasNaturalOrder: true,
  })
  label!: string;
}

export class LabelView extends View(Label) {
  @VariablesProperty()
  variables!: object;
}

export const labelMapping: ResourceMapping = {
  kind: 'label',
  collection: 'labels',
  table: 'labels',
  idType: 'bigint',
  nameField: 'label',
  fields: fieldsOf(Label),
  carriesVariables: true,
  usedBy: [
    { table: 'device_labels', column: 'label_id', pluralName: 'devices' },
    { table: 'region_labels', column: 'label_id', pluralName: 'regions' },
    { table: 'cell_labels', column: 'label_id', pluralName: 'cells' },
  ],
};

export const labels: ResourceDefinition = {
  mapping: labelMapping,
  inheritance: NO_INHERITANCE,
  filters: [
    textFilter('label', 'The exact name.', 'compute'),
    textFilter('name', 'The exact name. An alias of `label`.', 'compute', 't.label'),
  ],
  showsVariables: true,
  filtersVariables: false,
};
