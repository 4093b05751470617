import { ApiProperty } from '@nestjs/swagger';
import { InventoryError } from '../shared/errors/inventory-error';
import { idValue, textFilter, type ListFilter } from '../shared/list/list-filter';
import { raw, sql, type Sql } from '../shared/persistence/sql';
import { column, timestamp, type ResourceShape } from '../shared/resources/resource-shape';
import { OWN_ONLY } from '../variables/inheritance';
import type { Listing } from '../resources/listing';

class ActorView {
  @ApiProperty({
    type: 'integer',
    format: 'int64',
    nullable: true,
    example: 1,
    description: '`null`: a command.',
  })
  id!: number | null;

  @ApiProperty({ example: 'operator', description: 'The name as it was.' })
  username!: string;
}

class ChangedObjectView {
  @ApiProperty({ example: 'host' })
  kind!: string;

  @ApiProperty({ oneOf: [{ type: 'integer' }, { type: 'string' }], example: 1 })
  id!: number | string;

  @ApiProperty({ example: 'node1' })
  name!: string;

  @ApiProperty({ enum: ['create', 'update', 'delete'] })
  action!: string;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, example: { active: true } })
  before!: object | null;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, example: { active: false } })
  after!: object | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    example: { ntp_servers: { before: ['10.0.0.1'], after: ['10.0.0.2'] } },
    description: 'Both sides of every variable that changed; a side is absent where the key is not set.',
  })
  variables!: object;
}

export class ChangeRecordView {
  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  id!: number;

  @ApiProperty({ format: 'uuid', example: '717e9a21-6e2d-44e0-bc84-8398563bda06' })
  project_id!: string;

  @ApiProperty({ example: '2017-02-16T14:28:55.000000' })
  created_at!: string;

  @ApiProperty({ type: ActorView })
  actor!: ActorView;

  @ApiProperty({ example: '2f1c6f0e-8f1d-4c53-9b5e-2a4f3f2b8a10' })
  request_id!: string;

  @ApiProperty({ type: String, nullable: true, example: 'CHG-1042: new rack' })
  reason!: string | null;

  @ApiProperty({ type: [ChangedObjectView] })
  objects!: ChangedObjectView[];
}

/** Every project with records, also one that was deleted, each found by one look into the index. */
const RECORDED_PROJECTS = `
  WITH RECURSIVE recorded (project_id) AS (
    (SELECT project_id FROM changes ORDER BY project_id LIMIT 1)
    UNION ALL
    SELECT (SELECT c.project_id FROM changes c WHERE c.project_id > recorded.project_id ORDER BY c.project_id LIMIT 1)
    FROM recorded WHERE recorded.project_id IS NOT NULL
  ) SELECT project_id FROM recorded WHERE project_id IS NOT NULL`;

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
    objects: {
      sql: `(SELECT json_agg(json_build_object('kind', o.kind,
          'id', COALESCE(to_json(o.object_id), to_json(o.project_id)), 'name', o.name, 'action', o.action,
          'before', o.before, 'after', o.after, 'variables', o.variables) ORDER BY o.ordinal)
        FROM change_objects o WHERE o.project_id = t.project_id AND o.change_id = t.id)`,
    },
  },
  carriesVariables: false,
  usedBy: [],
};

const touches = (condition: string) =>
  raw(`EXISTS (SELECT FROM change_objects o
  WHERE o.project_id = t.project_id AND o.change_id = t.id AND ${condition}`);

function timeFilter(name: string, description: string, operator: '>=' | '<'): ListFilter {
  return {
    name,
    description,
    type: 'string',
    example: '2017-02-16T14:28:55.000000',
    condition: (value) => {
      const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?Z?$/.test(value);
      if (!isTime || Number.isNaN(Date.parse(value.endsWith('Z') ? value : `${value}Z`)))
        throw InventoryError.invalid(name, 'must be a time in UTC such as 2017-02-16T14:28:55');
      return sql`t.created_at ${raw(operator)} ${value.replace(/Z?$/, 'Z')}::timestamptz`;
    },
  };
}

const kindFilter = textFilter('kind', 'Touching resources of this kind.', 'host');
const keyFilter = textFilter('key', 'Touching the variable of this key.', 'ntp_servers');

/** Change records, as they are listed. */
export const changeRecords: Listing = {
  shape: changeShape,
  inheritance: OWN_ONLY,
  filters: [
    {
      ...kindFilter,
      condition: (value) => sql`${touches('o.kind =')} ${value})`,
    },
    {
      name: 'object_id',
      description: 'Touching the resource with this id; together with `kind`.',
      type: 'integer',
      example: 1,
      // The same object must be of the kind: a change may touch a host 7 and a label 1.
      condition: (value, given) => {
        const kind = given.get('kind');
        const ofKind = kind === undefined ? sql`true` : sql`o.kind = ${kind}`;
        return sql`${touches('o.object_id =')} ${idValue('object_id', value)} AND ${ofKind})`;
      },
    },
    { ...keyFilter, condition: (value) => sql`${touches('o.keys @>')} ARRAY[${value}::text])` },
    textFilter('actor', 'Made by the user of this name.', 'operator', 't.actor_username'),
    textFilter('request_id', 'Made by this request.', '2f1c6f0e-8f1d-4c53-9b5e-2a4f3f2b8a10'),
    timeFilter('since', 'Made at this time or later, UTC.', '>='),
    timeFilter('until', 'Made before this time, UTC.', '<'),
  ],
  showsVariables: false,
  filtersVariables: false,
};

/**
 * The records that touch one resource. A record outlives what it tells of: a resource that was deleted has a history.
 * @param id a project's is its UUID
 */
export function touching({ kind, idType }: ResourceShape, id: number | string): Sql {
  return idType === 'uuid'
    ? sql`t.project_id = ${id}::uuid AND ${touches('o.kind =')} ${kind})`
    : sql`${touches('o.object_id =')} ${id}::bigint AND o.kind = ${kind})`;
}
