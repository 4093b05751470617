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

/** How many of its objects a record shows in lists, and by itself; all are at `…/objects`. */
const SHOWN_IN_LISTS = 100;
export const SHOWN_ALONE = 1_000;

const changeShape = (extract: Extract): ResourceShape<keyof ChangeRecordView> => ({
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
    objects: { sql: 'NULL', seenBy: (ctx) => seenObjects(ctx, extract) },
  },
  carriesVariables: false,
  readableBy: (ctx) => seesRecord(ctx),
  usedBy: [],
});

const listing = (extract: Extract): Listing => ({
  shape: changeShape(extract),
  inheritance: OWN_ONLY,
  filters: changeFilters,
  showsVariables: false,
  filtersVariables: false,
  timeless: true,
});

/** Change records, as they are listed. */
export const changeRecords = listing({ most: SHOWN_IN_LISTS });

/** One change record by itself. */
export const changeRecord = listing({ most: SHOWN_ALONE });

/** The change records of one resource, which each shows. @param resource a condition over `o` */
export const changeRecordsOf = (resource: Sql): Listing =>
  listing({ most: SHOWN_IN_LISTS, always: resource });
