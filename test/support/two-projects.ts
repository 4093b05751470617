import type { Service } from './service';
import { SecondConnection } from './second-connection';
import { aName, type Caller } from './caller';

/** An ID that does not exist. */
export const ABSENT = 900_000_001;
export const ABSENT_PROJECT = '00000000-0000-4000-8000-000000000000';
/** Part of every text in one project, and of no other text. */
export const MARK = 'zq7hidden';

/** The address of every device of that project, and of no other device. */
export const MARKED_ADDRESS = '192.0.2.77';

/** A variable that both projects set. */
export const SHARED_KEY = 'shared_key';

/** Members of any resource, including projects and change records. */
export interface Thing {
  readonly id: number | string;
  readonly uuid?: string;
  readonly [member: string]: unknown;
}

/** One resource of each collection. */
export type Inventory = Readonly<Record<string, Thing>>;

/**
 * Gives each table its own range of a million IDs, so that no two resources share an ID and no ID appears in a
 * response by chance.
 */
export async function spreadIds(databaseUrl: string): Promise<void> {
  const secondConnection = await SecondConnection.connect(databaseUrl);
  try {
    const tables = await secondConnection.rows<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns WHERE is_identity = 'YES' ORDER BY table_name`,
    );
    for (const [i, { name }] of tables.entries())
      await secondConnection.rows(`SELECT setval(pg_get_serial_sequence($1, 'id'), $2, false)`, [
        name,
        (i + 1) * 1_000_000,
      ]);
  } finally {
    await secondConnection.close();
  }
}

/** A project with one resource of each collection. Every text in it begins with `mark`. */
export async function fullProject(
  app: Service,
  mark: string,
): Promise<{ admin: Caller; inventory: Inventory }> {
  const { projectId } = await app.project(aName(mark));
  const admin = await app.root.in(projectId).user({ username: aName(mark), is_admin: true });
  const note = aName(mark);
  const variables = { [`${mark}_key`]: `${mark} value`, [SHARED_KEY]: `${mark} value` };
  const [cloud, label, secret] = [
    await admin.cloud({ name: aName(mark), note }),
    await admin.label({ label: aName(mark), variables }),
    await admin.secret({ cert: `${mark} cert` }),
  ];
  const labels = [String(label['label'])];
  const shared = { note, variables, labels };
  const region = await admin.region({ name: aName(mark), cloud_id: cloud.id, ...shared });
  const cell = await admin.cell({ name: aName(mark), region_id: region.id, ...shared });
  const place = {
    region_id: region.id,
    cell_id: cell.id,
    device_type: `${mark} type`,
    ip_address: mark === MARK ? MARKED_ADDRESS : '192.0.2.1',
  };
  const device = await admin.networkDevice({
    name: aName(mark),
    ...place,
    ...shared,
    model_name: `${mark} model`,
  });
  const host = await admin.host({
    name: aName(mark),
    ...place,
    ...shared,
    parent_id: device.id,
    access_secret_id: secret.id,
  });
  const definition = await admin.definition({
    key: `${mark}_key`,
    description: note,
    schema: { type: 'string' },
  });
  const vars = `${mark}_key:"${mark} value"`;
  const audit = await admin.audit({ name: aName(mark), description: note, vars, expectation: { vars } });
  const view = await admin.view({
    name: aName(mark),
    description: note,
    address: `/devices?where=${mark}_key+exists`,
  });
  const { user } = (await admin.user({ username: aName(mark), roles: [`${mark}_*`] })).credentials;
  const one = async (path: string) => ((await admin.get(path).expect(200)).body as Thing[])[0]!;
  const project = (await app.root.get(`/v1/projects/${projectId}`).expect(200)).body as Thing;
  const path = `/v1/regions/${String(region.id)}/variables`;
  const proposed = await admin
    .put(`${path}?propose=${aName(mark)}`, { [`${mark}_key`]: `${mark} other` })
    .expect(202);
  const proposal = proposed.body as Thing;
  await admin.post(`/v1/proposals/${String(proposal.id)}/comments`, { text: aName(mark) }).expect(201);
  const change = await one(`/v1/changes?kind=host&object_id=${String(host.id)}`);
  const inventory = {
    projects: project,
    users: await one(`/v1/users?username=${user}`),
    clouds: cloud,
    regions: region,
    cells: cell,
    labels: label,
    hosts: host,
    'network-devices': device,
    devices: host,
    'access-secrets': secret,
    'variable-definitions': definition,
    audits: audit,
    views: view,
    changes: change,
    proposals: proposal,
  };
  return { admin, inventory };
}
