import { ApiProperty } from '@nestjs/swagger';
import { RECORDED_PROJECTS } from '../changes/past-state';
import { column, timestamp, type ResourceShape } from '../shared/resources/resource-shape';
import { OWN_ONLY } from '../variables/inheritance';
import { ChangeView } from '../resources/change.view';
import type { Listing } from '../resources/listing';
import { changeFilters } from './change-filters';
import { seenImpact, seenObjects } from './seen-record';

export class ChangeRecordView extends ChangeView {
  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  id!: number;

  @ApiProperty({ example: '2017-02-16T14:28:55.000000' })
  created_at!: string;
}

const changeShape: ResourceShape<keyof ChangeRecordView> = {
  kind: 'change',
  collection: 'changes',
  table: 'changes',
  projects: RECORDED_PROJECTS,
  idType: 'bigint',
  nameField: 'id',
  fields: {
    id: column('id', 'bigint'),
    project_id: column('project_id', 'uuid'),
    created_at: timestamp('created_at'),
    actor: { sql: `json_build_object('id', t.actor_id, 'username', t.actor_username)` },
    request_id: column('request_id', 'text'),
    reason: column('reason', 'text', { nullable: true }),
    impact: { sql: 'NULL', seenBy: seenImpact },
    objects: { sql: 'NULL', seenBy: seenObjects },
  },
  carriesVariables: false,
  usedBy: [],
};

/** Change records, as they are listed. */
export const changeRecords: Listing = {
  shape: changeShape,
  inheritance: OWN_ONLY,
  filters: changeFilters,
  showsVariables: false,
  filtersVariables: false,
  timeless: true,
};
