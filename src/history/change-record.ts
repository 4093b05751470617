import { ApiProperty } from '@nestjs/swagger';
import { RECORDED_PROJECTS } from '../changes/past-state';
import type { Sql } from '../database/sql';
import { column, timestamp, type ResourceShape } from '../database/resource-shape';
import { OWN_ONLY } from '../variables/inheritance';
import { ChangeView } from '../resources/change.view';
import type { Listing } from '../resources/resource-definition';
import { changeFilters } from './change-filters';
import { seenImpact, seenObjects, seenTotal, seesRecord, type Extract } from './visible-change';

export class ChangeRecordView extends ChangeView {
  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  id!: number;

  @ApiProperty({ example: '2017-02-16T14:28:55.000000' })
  created_at!: string;
}

/** Limits on the objects that a record shows: in lists, and as a single resource. `…/objects` lists all of them. */
const MAX_OBJECTS_IN_LISTS = 100;
const MAX_OBJECTS = 1_000;

const changeShape = (selection: Extract): ResourceShape<keyof ChangeRecordView> => ({
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
    objects_total: { sql: 'NULL', seenBy: seenTotal },
    objects: { sql: 'NULL', seenBy: (ctx) => seenObjects(ctx, selection) },
  },
  carriesVariables: false,
  readableBy: (ctx) => seesRecord(ctx),
  usedBy: [],
});

const changeListing = (selection: Extract): Listing => ({
  shape: changeShape(selection),
  inheritance: OWN_ONLY,
  filters: changeFilters,
  showsVariables: false,
  filtersVariables: false,
  timeless: true,
});

/** Change records in lists. */
export const changeRecords = changeListing({ most: MAX_OBJECTS_IN_LISTS });

/** A single change record. */
export const changeRecord = changeListing({ most: MAX_OBJECTS });

/** The change records of one resource. Each shows the object of that resource. @param resource a condition on `o` */
export const changeRecordsOf = (resource: Sql): Listing =>
  changeListing({ most: MAX_OBJECTS_IN_LISTS, always: resource });
