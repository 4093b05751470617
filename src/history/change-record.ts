import { ApiProperty } from '@nestjs/swagger';
import { RECORDED_PROJECTS } from '../database/distribution';
import { type Sql, sql } from '../database/sql';
import { column, timestamp, type ResourceShape } from '../database/resource-shape';
import { NO_INHERITANCE } from '../variables/levels';
import { ChangeView } from '../resources/change.view';
import type { ResourceDefinition } from '../resources/resource-definition';
import { changeFilters } from './change-filters';
import {
  visibleImpact,
  visibleObjects,
  visibleTotal,
  canSeeRecord,
  type ObjectSelection,
} from './visible-change';
import { type RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors/inventory-error';
import type { Queryable } from '../database/database';
import { from, inScope, isReadable } from '../database/resource-sql';
import { scopeOfResource } from '../database/resource-scope';

export class ChangeRecordView extends ChangeView {
  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  id!: number;

  @ApiProperty({ example: '2017-02-16T14:28:55.000000' })
  created_at!: string;
}

/** Limits on the objects that a record shows: in lists, and as a single resource. `…/objects` lists all of them. */
const MAX_OBJECTS_IN_LISTS = 100;
const MAX_OBJECTS = 1_000;

const changeShape = (selection: ObjectSelection): ResourceShape<keyof ChangeRecordView> => ({
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
    impact: { sql: 'NULL', redact: visibleImpact },
    objects_total: { sql: 'NULL', redact: visibleTotal },
    objects: { sql: 'NULL', redact: (ctx) => visibleObjects(ctx, selection) },
  },
  carriesVariables: false,
  readableBy: (ctx) => canSeeRecord(ctx),
  usedBy: [],
});

const changeListing = (selection: ObjectSelection): ResourceDefinition => ({
  shape: changeShape(selection),
  inheritance: NO_INHERITANCE,
  filters: changeFilters,
  showsVariables: false,
  filtersVariables: false,
  isImmutable: true,
});

/** Change records in lists. */
export const changeRecords = changeListing({ maxObjects: MAX_OBJECTS_IN_LISTS });

/** A single change record. */
export const changeRecord = changeListing({ maxObjects: MAX_OBJECTS });

/** The change records of one resource. Each shows the object of that resource. @param resource a condition on `o` */
export const changeRecordsOf = (resource: Sql): ResourceDefinition =>
  changeListing({ maxObjects: MAX_OBJECTS_IN_LISTS, pinned: resource });

/** Identifies a recorded change. */
export interface ChangeId {
  readonly projectId: string;
  readonly id: number;
}

/** Finds a change that the caller can see. @throws InventoryError 404 */
export async function findChange(ctx: RequestContext, id: number, on: Queryable): Promise<ChangeId> {
  const { shape } = changeRecords;
  const [row] = await on.rows<{ project_id: string }>(sql`SELECT t.project_id ${from(shape)}
    WHERE ${inScope(shape, await scopeOfResource(ctx, shape, id, on))} AND ${isReadable(shape, ctx)} AND t.id = ${id}`);
  if (!row) throw InventoryError.notFound(shape.kind, id);
  return { projectId: row.project_id, id };
}
