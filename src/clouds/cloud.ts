import { ApiProperty } from '@nestjs/swagger';
import { Column, Entity } from 'typeorm';
import { textFilter } from '../list/list-filter';
import {
  column,
  versionFields,
  identityFields,
  type ResourceShape,
  ResourceEntity,
} from '../database/resource-shape';
import { NO_INHERITANCE } from '../variables/levels';
import type { ResourceDefinition } from '../resources/resource-definition';
import { ResourceView } from '../resources/resource.view';
import { Note, OptionalText, RequiredText } from '../resources/body-members';

@Entity('clouds')
export class Cloud extends ResourceEntity {
  @Column('text')
  name!: string;

  @Column('text', { nullable: true })
  note!: string | null;
}

export class CloudView extends ResourceView {
  @ApiProperty({ example: 'private', description: 'Unique in the project.' })
  name!: string;

  @ApiProperty({ type: String, nullable: true, example: null })
  note!: string | null;
}

export const cloudShape: ResourceShape<keyof CloudView> = {
  kind: 'cloud',
  collection: 'clouds',
  table: 'clouds',
  idType: 'bigint',
  nameField: 'name',
  fields: {
    ...identityFields,
    name: column('name', 'text'),
    note: column('note', 'text', { nullable: true }),
    ...versionFields,
  },
  carriesVariables: false,
  usedBy: [{ table: 'regions', column: 'cloud_id', noun: 'regions' }],
};

export const clouds: ResourceDefinition = {
  shape: cloudShape,
  inheritance: NO_INHERITANCE,
  filters: [textFilter('name', 'The exact name.', 'private')],
  showsVariables: false,
  filtersVariables: false,
};

export class CreateCloud {
  @RequiredText('private', 'Unique in the project.')
  name!: string;

  @Note()
  note?: string | null;
}

export class UpdateCloud {
  @OptionalText('private', 'Unique in the project.')
  name?: string;

  @Note()
  note?: string | null;
}
