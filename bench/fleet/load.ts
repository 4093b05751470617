import type { Client } from 'pg';
import { cloudMapping } from '../../src/clouds/cloud.entity';
import { cellMapping } from '../../src/cells/cell.entity';
import { deviceKinds } from '../../src/devices/device-kinds';
import { labelMapping } from '../../src/labels/label.entity';
import { regionMapping } from '../../src/regions/region.entity';
import { documents } from '../../src/admin/integrity-check/check';
import { insertValues, scalarsIn } from '../../src/database/variable-values';
import { OBJECTS_A_RECORD, type Dimensions } from './dimensions';
import { CELL_DOCUMENT, deviceDocument, FUNCTIONS, LABEL_DOCUMENT, regionDocument } from './documents';
import { withoutIndexes } from './indexes';
import { recordCreations } from './records';

/** The highest existing IDs. For example, the first region of a project gets the ID after `regions`. */
interface Bases {
  readonly clouds: number;
  readonly regions: number;
  readonly cells: number;
  readonly labels: number;
  readonly devices: number;
}

/** A project to fill. */
interface EmptyProject {
  readonly id: string;
  readonly dimensions: Dimensions;
}

const CLOUDS = 3;

/** Fills empty projects. */
export async function loadProjects(
  client: Client,
  projects: readonly EmptyProject[],
  log: (sentence: string) => void,
): Promise<void> {
  for (const statement of [...SETTINGS, ...FUNCTIONS]) await client.query(statement);
  log('loads devices');
  await withoutIndexes(client, ['devices', 'device_labels'], async () => {
    for (const project of projects) await loadProject(client, project);
  });
  await client.query(`ANALYZE`);
  log('loads change records');
  await withoutIndexes(client, ['change_objects', 'variable_correlations'], async () => {
    for (const { id } of projects) await recordProject(client, id);
  });
  log('loads values');
  const { text, values } = insertValues(scalarsIn(documents));
  await client.query(text, values);
  await client.query(`SET session_replication_role = origin`);
  log('gathers statistics');
  await client.query(`VACUUM ANALYZE`);
}

/** Foreign keys are not checked, because the rows are consistent. `muster-admin verify` can check them. */
const SETTINGS = [
  `SET session_replication_role = replica`,
  `SET maintenance_work_mem = '1GB'`,
  `SET work_mem = '256MB'`,
  `SET synchronous_commit = off`,
];

async function loadProject(client: Client, { id, dimensions }: EmptyProject): Promise<void> {
  const bases = await basesOf(client);
  for (const statement of [...levels(id, dimensions, bases), ...devices(id, dimensions, bases)])
    await client.query(statement);
  for (const table of ['clouds', 'regions', 'cells', 'labels', 'devices'])
    await client.query(
      `SELECT setval(pg_get_serial_sequence('${table}', 'id'), (SELECT max(id) FROM ${table}))`,
    );
}

/** Writes change records of the creations, and correlates each variable with its record. */
async function recordProject(client: Client, project: string): Promise<void> {
  const kinds = [
    cloudMapping,
    labelMapping,
    regionMapping,
    cellMapping,
    ...deviceKinds.map(({ mapping }) => mapping),
  ];
  for (const mapping of kinds) await recordCreations(client, project, mapping, OBJECTS_A_RECORD);
  await client.query(
    `INSERT INTO variable_correlations (project_id, object_type, object_id, key, change_id, value_hash)
     SELECT o.project_id, o.kind, o.object_id, v.key, o.change_id,
       CASE WHEN jsonb_typeof(v.value -> 'after') IN ('array', 'object') THEN 0
         ELSE jsonb_hash_extended(v.value -> 'after', hashtextextended(v.key, 0)) END
     FROM change_objects o, jsonb_each(o.variables) v WHERE o.project_id = $1`,
    [project],
  );
}

async function basesOf(client: Client): Promise<Bases> {
  const last = (table: string) => `(SELECT COALESCE(max(id), 0)::integer FROM ${table}) AS ${table}`;
  const tables = ['clouds', 'regions', 'cells', 'labels', 'devices'].map(last).join(', ');
  const { rows } = await client.query<Bases>(`SELECT ${tables}`);
  if (!rows[0]) throw new Error('the query returned no row');
  return rows[0];
}

function levels(project: string, { regions, cells, labels }: Dimensions, bases: Bases): string[] {
  const row = `'${project}'::uuid`;
  return [
    `INSERT INTO clouds (project_id, id, name) OVERRIDING SYSTEM VALUE
      SELECT ${row}, ${bases.clouds} + 1 + i, 'cloud-' || i FROM generate_series(0, ${CLOUDS - 1}) i`,
    `INSERT INTO labels (project_id, id, label, variables) OVERRIDING SYSTEM VALUE
      SELECT ${row}, ${bases.labels} + 1 + k, 'label-' || lpad(k::text, 3, '0'), ${LABEL_DOCUMENT}
      FROM generate_series(0, ${labels - 1}) k`,
    `INSERT INTO regions (project_id, id, name, cloud_id, variables) OVERRIDING SYSTEM VALUE
      SELECT ${row}, ${bases.regions} + 1 + i, 'region-' || lpad(i::text, 2, '0'), ${bases.clouds} + 1 + i % ${CLOUDS},
        ${regionDocument(regions)} FROM generate_series(0, ${regions - 1}) i`,
    // By Zipf's law: the largest of 50 regions has a fifth of all cells and devices.
    `INSERT INTO cells (project_id, id, region_id, name, variables) OVERRIDING SYSTEM VALUE
      SELECT ${row}, ${bases.cells} + 1 + j, ${bases.regions} + 1 + share.i, 'cell-' || lpad(j::text, 4, '0'), ${CELL_DOCUMENT}
      FROM generate_series(0, ${cells - 1}) j JOIN (
        SELECT i, sum(1.0 / (i + 1)) OVER (ORDER BY i) / sum(1.0 / (i + 1)) OVER () AS upto, 1.0 / (i + 1) / sum(1.0 / (i + 1)) OVER () AS width
        FROM generate_series(0, ${regions - 1}) i
      ) share ON (j + 0.5) / ${cells} <= share.upto AND (j + 0.5) / ${cells} > share.upto - share.width`,
    `INSERT INTO cell_labels (project_id, cell_id, label_id)
      SELECT ${row}, ${bases.cells} + 1 + j, ${bases.labels} + 1 + j % ${labels} FROM generate_series(0, ${cells - 1}) j`,
  ];
}

function devices(project: string, dimensions: Dimensions, bases: Bases): string[] {
  const { devices: count, cells, labels, rack } = dimensions;
  const row = `'${project}'::uuid`;
  return [
    // Each rack belongs to a cell (a few to none), and every second rack to its own switch.
    `INSERT INTO devices (project_id, id, kind, name, region_id, cell_id, parent_id, ip_address, device_type, active,
        note, created_at, model_name, variables) OVERRIDING SYSTEM VALUE
      SELECT ${row}, ${bases.devices} + 1 + n, CASE WHEN n % ${rack} = 0 THEN 'network-device' ELSE 'host' END,
        c.name || CASE WHEN n % ${rack} = 0 THEN '-switch-' ELSE '-host-' END || lpad(n::text, 7, '0'), c.region_id,
        CASE WHEN pg_temp.chance(n / ${rack}, 11) >= 0.05 THEN c.id END, ${parentOf(dimensions, bases)},
        '10.0.0.0'::inet + n,
        CASE WHEN n % ${rack} = 0 THEN 'switch' WHEN pg_temp.chance(n, 12) < 0.8 THEN 'server' WHEN n % 2 = 0 THEN 'storage'
          ELSE 'gpu' END,
        pg_temp.chance(n, 13) < 0.97, CASE WHEN n % 50 = 9 THEN 'to be looked at' END,
        now() - make_interval(secs => ${count} - n), CASE WHEN n % ${rack} = 0 THEN 'model-' || n / ${rack} % 5 END,
        ${deviceDocument(count)}
      FROM generate_series(0::bigint, ${count - 1}) n
      JOIN cells c ON c.project_id = ${row} AND c.id = ${bases.cells} + 1 + floor(${cells} * pg_temp.chance(n / ${rack}, 10))::bigint
      ORDER BY n`,
    // Up to four labels per device, two on average. The most frequent label is on one device in seven.
    `INSERT INTO device_labels (project_id, device_id, label_id)
      SELECT DISTINCT ${row}, ${bases.devices} + 1 + n, ${bases.labels} + 1 + floor(${labels} * power(pg_temp.chance(n, 20 + slot), 2))::bigint
      FROM generate_series(0::bigint, ${count - 1}) n, generate_series(0, 3) slot WHERE pg_temp.chance(n, 30 + slot) < 0.505
      ORDER BY 2, 3`,
  ];
}

/**
 * The root of the tree is the device in the middle. Elsewhere, a rack's first device may be the parent of the others.
 */
function parentOf({ devices: count, descendants, rack }: Dimensions, bases: Bases): string {
  const top = treeTop(count);
  const place = `(n - ${top})`;
  return `CASE WHEN ${place} BETWEEN 1 AND ${descendants} THEN ${bases.devices} + 1 + ${top} + (${place} - 1) / 10
    WHEN n = ${top} OR n % ${rack} = 0 OR n / ${rack} % 2 = 0 THEN NULL ELSE ${bases.devices} + 1 + n / ${rack} * ${rack} END`;
}

/** The number of the device with the most descendants. */
export const treeTop = (count: number): number => count / 2;
