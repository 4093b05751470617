import { ApiPropertyOptional } from '@nestjs/swagger';
import { Entity } from 'typeorm';
import { type ResourceShape, VariableOwnerEntity } from '../database/resource-shape';
import { textFilter } from '../lists/list-filter';
import { NO_INHERITANCE } from '../variables/levels';
import type { ResourceDefinition } from '../resources/resource-definition';
import { Text } from '../resources/member-decorators';
import { CreateBody, fieldsOf, PartialBody, View } from '../resources/members';
import { VariablesProperty } from '../resources/resource.view';
import { JsonCheck, Optional, ReadsWith } from '../http/body-validation';
import type { JsonInput } from '../database/json-input';
import { VariablesMember, Note } from '../resources/body-members';
import { labelNameError, labelNamesError, parseLabelNames, trimLabelName } from './label-names';

@Entity('labels')
export class Label extends VariableOwnerEntity {
  @Text({
    example: 'compute',
    view: { description: 'The name. `key:value` is a convention, not a rule.' },
    check: labelNameError,
    // Lines contain it as it is, because it identifies their resource.
    read: trimLabelName,
  })
  label!: string;
}

export class LabelView extends View(Label) {
  @VariablesProperty()
  variables!: object;
}

export const labelShape: ResourceShape = {
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
  shape: labelShape,
  inheritance: NO_INHERITANCE,
  filters: [
    textFilter('label', 'The exact name.', 'compute'),
    textFilter('name', 'The exact name. An alias of `label`.', 'compute', 't.label'),
  ],
  showsVariables: true,
  filtersVariables: false,
};

export class CreateLabel extends CreateBody(Label) {
  @VariablesMember()
  variables?: JsonInput;
}

export class UpdateLabel extends PartialBody(CreateLabel) {}

/** The member `labels` of a create or update request. It replaces the whole set. */
const LabelNames = (): PropertyDecorator => (target, property) => {
  Optional()(target, property);
  ReadsWith(parseLabelNames)(target, property);
  JsonCheck('labels', labelNamesError)(target, property);
  ApiPropertyOptional({
    oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    example: 'compute,rack:4',
    description:
      'All labels of the resource: names separated by `,`, or an array of names. New labels are created.',
  })(target, property);
};

/** The members that regions, cells and devices have in common in create and update requests. */
export class LabelledBody {
  @LabelNames()
  labels?: string[];

  @Note()
  note?: string | null;

  @VariablesMember()
  variables?: JsonInput;
}
