import { raw, sql, type Sql } from '../../../database/sql';
import { tableOf } from '../../../resources/members';
import { type Check, kinds, resourceTables, union } from '../check';

/** A column that refers to a row of another table in the same project. */
interface Reference {
  readonly table: string;
  readonly column: string;
  readonly target: string;
  /** The column that identifies the referring row. */
  readonly owner: string;
  /** A further column that must be equal in both rows. */
  readonly shared?: string;
}

const ofRow = (table: string, column: string, target: string): Reference => ({
  table,
  column,
  target,
  owner: 'id',
});

/** The references among the columns of resources. Several kinds can share a column. */
const ofResources: readonly Reference[] = [
  ...new Map(
    kinds.flatMap(({ table, fields }) =>
      Object.entries(fields).flatMap(([column, { references: refersTo }]): [string, Reference][] => {
        if (!refersTo) return [];
        const { target, shared } = refersTo;
        const reference = ofRow(table, column, tableOf(target()));
        return [[`${table}.${column}`, shared === undefined ? reference : { ...reference, shared }]];
      }),
    ),
  ).values(),
];

/** The references of the tables with the labels of resources. */
const ofLabels: readonly Reference[] = [
  ...new Map(
    kinds.flatMap(({ table, labels }) =>
      labels ? [[labels.table, { labels, owners: table }] as const] : [],
    ),
  ).values(),
].flatMap(({ labels: { table, owner }, owners }) => [
  { ...ofRow(table, 'label_id', 'labels'), owner },
  { ...ofRow(table, owner, owners), owner },
]);

/** Foreign keys enforce these references, but a damaged restore, or one without triggers, can violate them. */
const withinProject: readonly Reference[] = [
  ofRow('api_keys', 'user_id', 'users'),
  ...ofResources,
  ...ofLabels,
  { ...ofRow('change_objects', 'change_id', 'changes'), owner: 'change_id' },
  ofRow('proposals', 'change_id', 'changes'),
  { ...ofRow('proposal_revisions', 'proposal_id', 'proposals'), owner: 'proposal_id' },
  ofRow('proposal_reviews', 'proposal_id', 'proposals'),
  ofRow('proposal_comments', 'proposal_id', 'proposals'),
  { ...ofRow('variable_correlations', 'change_id', 'changes'), owner: 'object_id' },
];

function broken({ table, column, target, owner, shared }: Reference): Sql {
  const agree = shared === undefined ? 'true' : `o.${shared} = s.${shared}`;
  const among = `is not among the ${target.replace('_', ' ')} of its project${shared === undefined ? '' : ` with its ${shared}`}`;
  return raw(`SELECT s.project_id, '${table}' AS kind, s.${owner} AS id, '${column} ' || s.${column} || ' ${among}' AS problem
    FROM ${table} s LEFT JOIN ${target} o ON o.project_id = s.project_id AND o.id = s.${column} AND ${agree}
    WHERE s.${column} IS NOT NULL AND o.id IS NULL`);
}

const withoutProject = (table: string, id = 's.id'): Sql =>
  raw(`SELECT s.project_id, '${table}', ${id}, 'its project does not exist' FROM ${table} s
    WHERE NOT EXISTS (SELECT FROM projects p WHERE p.id = s.project_id)`);

export const references: Check = {
  name: 'references',
  invariant: "every reference points to a row of the same project, and a device's cell is in its region",
  counted: sql`SELECT sum(references_of.count)::bigint AS count FROM (${union([
    ...withinProject.map(({ table, column }) => raw(`SELECT count(${column}) AS count FROM ${table}`)),
    ...[...resourceTables, 'project_settings', 'proposals'].map((table) =>
      raw(`SELECT count(*) FROM ${table}`),
    ),
  ])}) references_of`,
  faults: union([
    ...withinProject.map(broken),
    ...resourceTables.map((table) => withoutProject(table)),
    withoutProject('project_settings', 'NULL::bigint'),
    withoutProject('proposals'),
  ]),
};

/** Devices that cannot be reached from a device without a parent are in, or below, a cycle. */
export const parents: Check = {
  name: 'parents',
  invariant: 'no device is its own ancestor',
  counted: sql`SELECT count(parent_id) AS count FROM devices`,
  faults: sql`
    WITH RECURSIVE reached (project_id, id) AS (
      SELECT d.project_id, d.id FROM devices d LEFT JOIN devices p ON p.project_id = d.project_id AND p.id = d.parent_id
      WHERE p.id IS NULL
      UNION ALL
      SELECT d.project_id, d.id FROM reached r JOIN devices d ON d.project_id = r.project_id AND d.parent_id = r.id
    )
    SELECT d.project_id, d.kind, d.id, 'is in a cycle of parents, or below one: its parent is ' || d.parent_id AS problem
    FROM devices d WHERE NOT EXISTS (SELECT FROM reached r WHERE r.project_id = d.project_id AND r.id = d.id)`,
};
