import { ApiProperty } from '@nestjs/swagger';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { textFilter } from '../lists/list-filter';
import { column, versionFields, type ResourceMapping, VersionedEntity } from '../database/resource-mapping';
import { NO_INHERITANCE } from '../variables/levels';
import type { ResourceDefinition } from '../resources/resource-definition';
import { TimeProperty } from '../http/time-property';

@Entity('projects')
export class Project extends VersionedEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column({ type: 'uuid', insert: false, update: false })
  project_id!: string;

  @Column({ type: 'uuid', insert: false, update: false })
  uuid!: string;

  @Column('text')
  name!: string;
}

const UUID = { format: 'uuid', example: '717e9a21-6e2d-44e0-bc84-8398563bda06' };

/** A project. Its id, uuid and project_id are equal. */
export class ProjectView {
  @ApiProperty(UUID)
  id!: string;

  @ApiProperty(UUID)
  uuid!: string;

  @ApiProperty(UUID)
  project_id!: string;

  @ApiProperty({ example: 'fleet', description: 'Unique in the deployment.' })
  name!: string;

  @TimeProperty()
  created_at!: string;

  @TimeProperty({ nullable: true, example: null })
  updated_at!: string | null;

  @ApiProperty({ type: 'integer', example: 1 })
  version!: number;
}

export const projectMapping: ResourceMapping<keyof ProjectView> = {
  kind: 'project',
  collection: 'projects',
  table: 'projects',
  idType: 'uuid',
  nameField: 'name',
  fields: {
    id: column('id', 'uuid'),
    uuid: column('uuid', 'uuid'),
    project_id: column('project_id', 'uuid'),
    name: column('name', 'text'),
    ...versionFields,
  },
  carriesVariables: false,
  usedBy: [
    'users',
    'clouds',
    'regions',
    'cells',
    'labels',
    'devices',
    'access_secrets',
    'variable_definitions',
    'audits',
    'views',
  ].map((table) => ({ table, column: 'project_id', pluralName: table.replace('_', ' ') })),
};

export const projects: ResourceDefinition = {
  mapping: projectMapping,
  inheritance: NO_INHERITANCE,
  filters: [textFilter('name', 'The exact name.', 'fleet')],
  showsVariables: false,
  filtersVariables: false,
};
