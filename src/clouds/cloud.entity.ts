import { Entity } from 'typeorm';
import { textFilter } from '../lists/list-filter';
import { type ResourceMapping, ResourceEntity } from '../database/resource-mapping';
import { NO_INHERITANCE } from '../variables/levels';
import type { ResourceDefinition } from '../resources/resource-definition';
import { ChangeNote, Text } from '../resources/member-decorators';
import { fieldsOf, View } from '../resources/members';

@Entity('clouds')
export class Cloud extends ResourceEntity {
  @Text({ example: 'private', description: 'Unique in the project.', hasNaturalOrder: true })
  name!: string;

  @ChangeNote()
  note?: string | null;
}

export class CloudView extends View(Cloud) {}

export const cloudMapping: ResourceMapping = {
  kind: 'cloud',
  collection: 'clouds',
  table: 'clouds',
  idType: 'bigint',
  nameField: 'name',
  fields: fieldsOf(Cloud),
  carriesVariables: false,
  usedBy: [{ table: 'regions', column: 'cloud_id', pluralName: 'regions' }],
};

export const clouds: ResourceDefinition = {
  mapping: cloudMapping,
  inheritance: NO_INHERITANCE,
  filters: [textFilter('name', 'The exact name.', 'private')],
  showsVariables: false,
  filtersVariables: false,
};
