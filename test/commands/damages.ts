import type { Caller, Resource } from '../support/caller';
import { lastChange, revert } from '../support/reverts';

/** Where damage is prepared over HTTP, while all is sound. */
export interface Fleet {
  readonly owner: Caller;
  /** The admin of another project. */
  readonly other: Caller;
  readonly root: Caller;
  /** Reads what HTTP does not show. */
  readonly value: (statement: string) => Promise<string>;
}

/** Damage that is done by SQL, and all that has to be found of it: `check: kind id: problem`, changes as `N`. */
export interface Damaged {
  readonly sql: string;
  readonly faults: readonly string[];
}

type Prepare = (fleet: Fleet) => Promise<Damaged>;

const idOf = async (resource: Promise<Resource>) => String((await resource).id);
const A = { variables: { a: 1 } };

const notAsLeft = (kind: string, id: string, members: string) =>
  `present state: ${kind} ${id}: is not as the change N left it: ${members}`;

/** The id of the only change that there is of a resource. */
async function changeOf(caller: Caller, kind: string, id: string): Promise<string> {
  const { body } = await caller.get(`/v1/changes?kind=${kind}&object_id=${id}`).expect(200);
  const [change] = body as { id: number }[];
  return String(change!.id);
}

const ofVariables: Prepare[] = [
  async ({ owner }) => {
    const id = await idOf(owner.region());
    return {
      sql: `UPDATE regions SET variables = '{"stray": 1}' WHERE id = ${id}`,
      faults: [`variables: region ${id}: the variable "stray" is set, but correlated with no change`],
    };
  },
  async ({ owner }) => {
    const id = await idOf(owner.host(A));
    return {
      sql: `UPDATE devices SET variables = '{}' WHERE id = ${id}`,
      faults: [`variables: host ${id}: the variable "a" is correlated with the change N, but not set`],
    };
  },
  async ({ owner }) => {
    const id = await idOf(owner.label(A));
    return {
      sql: `UPDATE labels SET variables = '{"a": 2}' WHERE id = ${id}`,
      faults: [`variables: label ${id}: the variable "a" has another value than the change N gave it`],
    };
  },
  async ({ owner }) => {
    const id = await idOf(owner.cell(A));
    return {
      sql: `DELETE FROM variable_correlations WHERE object_type = 'cell' AND object_id = ${id}`,
      faults: [`variables: cell ${id}: the variable "a" is set, but correlated with no change`],
    };
  },
  async ({ owner }) => {
    const id = await idOf(owner.networkDevice(A));
    await owner.put(`/v1/network-devices/${id}`, { os_version: '2' }).expect(200);
    return {
      sql: `UPDATE variable_correlations SET change_id = (SELECT max(change_id) FROM change_objects
          WHERE kind = 'network-device' AND object_id = ${id}) WHERE object_type = 'network-device' AND object_id = ${id}`,
      faults: [
        `variables: network-device ${id}: the variable "a" is correlated with the change N, but the change N was the last to set it`,
      ],
    };
  },
  async ({ owner }) => {
    const { body } = await owner.post('/v1/users', { username: 'carries' }).expect(201);
    const id = String((body as Resource).id);
    await owner.put(`/v1/users/${id}/variables`, { a: 1 }).expect(200);
    await owner.put(`/v1/users/${id}/variables`, { a: 2 }).expect(200);
    return {
      sql: `UPDATE variable_correlations SET change_id = (SELECT min(change_id) FROM change_objects
          WHERE kind = 'user' AND object_id = ${id} AND keys <> '{}') WHERE object_type = 'user' AND object_id = ${id}`,
      faults: [
        `variables: user ${id}: the variable "a" is correlated with the change N, but the change N was the last to set it`,
      ],
    };
  },
  async ({ owner }) => {
    const change = await changeOf(owner, 'region', await idOf(owner.region()));
    return {
      sql: `INSERT INTO variable_correlations VALUES ('${owner.projectId}', 'host', 123456, 'a', ${change})`,
      faults: [`variables: host 123456: the variable "a" is correlated with the change N, but not set`],
    };
  },
  async ({ owner }) => {
    const id = await idOf(owner.host(A));
    return {
      sql: `UPDATE devices SET variables = '{}' WHERE id = ${id};
        DELETE FROM variable_correlations WHERE object_type = 'host' AND object_id = ${id}`,
      faults: [`variables: host ${id}: the variable "a" is not set, but the change N set it`],
    };
  },
  async ({ owner }) => {
    const id = await idOf(owner.host(A));
    const change = await changeOf(owner, 'host', id);
    await owner.delete(`/v1/hosts/${id}/variables`, ['a']).expect(204);
    return {
      sql: `UPDATE devices SET variables = '{"a": 1}' WHERE id = ${id};
        INSERT INTO variable_correlations VALUES ('${owner.projectId}', 'host', ${id}, 'a', ${change})`,
      faults: [`variables: host ${id}: the variable "a" is set, but the change N took it away`],
    };
  },
  async ({ owner }) => {
    const id = await idOf(owner.region());
    const change = await changeOf(owner, 'region', id);
    return {
      sql: `UPDATE regions SET variables = '{"a": 1}' WHERE id = ${id};
        INSERT INTO variable_correlations VALUES ('${owner.projectId}', 'region', ${id}, 'a', ${change})`,
      faults: [`variables: region ${id}: the variable "a" is set, but no change record set it`],
    };
  },
];

const ofReferences: Prepare[] = [
  async ({ owner, other }) => {
    const [id, foreign] = [await idOf(owner.host()), await idOf(other.region())];
    return {
      sql: `UPDATE devices SET region_id = ${foreign} WHERE id = ${id}`,
      faults: [
        `references: devices ${id}: region_id ${foreign} is not among the regions of its project`,
        notAsLeft('host', id, 'region_id'),
      ],
    };
  },
  async ({ owner }) => {
    const [cell, elsewhere] = [await owner.cell(), await idOf(owner.region())];
    const id = await idOf(owner.host({ region_id: cell['region_id'], cell_id: cell.id }));
    return {
      sql: `UPDATE devices SET region_id = ${elsewhere} WHERE id = ${id}`,
      faults: [
        `references: devices ${id}: cell_id ${String(cell.id)} is not among the cells of its project with its region_id`,
        notAsLeft('host', id, 'region_id'),
      ],
    };
  },
  async ({ owner }) => {
    const [cell, region] = [await idOf(owner.cell()), await idOf(owner.region())];
    return {
      sql: `UPDATE cells SET region_id = 99999 WHERE id = ${cell}; UPDATE regions SET cloud_id = 99999 WHERE id = ${region}`,
      faults: [
        `references: cells ${cell}: region_id 99999 is not among the regions of its project`,
        notAsLeft('cell', cell, 'region_id'),
        `references: regions ${region}: cloud_id 99999 is not among the clouds of its project`,
        notAsLeft('region', region, 'cloud_id'),
      ],
    };
  },
  async ({ owner }) => {
    const id = await idOf(owner.networkDevice());
    return {
      sql: `UPDATE devices SET parent_id = 99999, access_secret_id = 99999 WHERE id = ${id}`,
      faults: [
        `references: devices ${id}: parent_id 99999 is not among the devices of its project`,
        `references: devices ${id}: access_secret_id 99999 is not among the access secrets of its project`,
        notAsLeft('network-device', id, 'access_secret_id, parent_id'),
      ],
    };
  },
  async ({ owner }) => {
    const [host, label] = [await idOf(owner.host()), await idOf(owner.label())];
    const project = `'${owner.projectId}'`;
    return {
      sql: `INSERT INTO device_labels VALUES (${project}, ${host}, 99999);
        INSERT INTO cell_labels VALUES (${project}, 99999, ${label});
        INSERT INTO region_labels VALUES (${project}, 99999, ${label})`,
      faults: [
        `references: device_labels ${host}: label_id 99999 is not among the labels of its project`,
        notAsLeft('host', host, 'labels'),
        'references: cell_labels 99999: cell_id 99999 is not among the cells of its project',
        'references: region_labels 99999: region_id 99999 is not among the regions of its project',
      ],
    };
  },
  async ({ owner, value }) => {
    const { body } = await owner.post('/v1/users', { username: 'keyless' }).expect(201);
    const key = await value(`SELECT id FROM api_keys WHERE user_id = ${String((body as Resource).id)}`);
    return {
      sql: `UPDATE api_keys SET user_id = 99999 WHERE id = ${key}`,
      faults: [`references: api_keys ${key}: user_id 99999 is not among the users of its project`],
    };
  },
  async ({ owner }) => {
    const id = await idOf(owner.region(A));
    const change = await changeOf(owner, 'region', id);
    return {
      sql: `DELETE FROM changes WHERE id = ${change}`,
      faults: [
        `references: change_objects ${change}: change_id ${change} is not among the changes of its project`,
        `references: variable_correlations ${id}: change_id ${change} is not among the changes of its project`,
      ],
    };
  },
  async ({ root }) => {
    const { body } = await root.post('/v1/projects', { name: 'lost' }).expect(201);
    const project = (body as { id: string }).id;
    const cloud = await idOf(root.in(project).cloud());
    return {
      sql: `DELETE FROM projects WHERE id = '${project}'`,
      faults: [
        `references: clouds ${cloud}: its project is not there`,
        'present state: project null: is not there, but no change record deletes it',
      ],
    };
  },
];

const ofParents: Prepare[] = [
  async ({ owner }) => {
    const top = await owner.host();
    const middle = await owner.networkDevice({ parent_id: top.id });
    const below = await owner.host({ parent_id: middle.id });
    const ring = (kind: string, { id }: Resource, parent: Resource) =>
      `parents: ${kind} ${String(id)}: is in a ring of parents, or below one: its parent is ${String(parent.id)}`;
    return {
      sql: `UPDATE devices SET parent_id = ${String(middle.id)} WHERE id = ${String(top.id)}`,
      faults: [
        ring('host', top, middle),
        ring('network-device', middle, top),
        ring('host', below, middle),
        notAsLeft('host', String(top.id), 'parent_id'),
      ],
    };
  },
];

const ofNames: Prepare[] = [
  async ({ owner }) => {
    const [one, two] = [await idOf(owner.host({ name: 'twin' })), await idOf(owner.networkDevice())];
    return {
      sql: `ALTER TABLE devices DROP CONSTRAINT devices_project_id_name_key;
        UPDATE devices SET name = 'twin' WHERE id = ${two}`,
      faults: [
        `names: devices ${one}: another has its name "twin"`,
        `names: devices ${two}: another has its name "twin"`,
        notAsLeft('network-device', two, 'name'),
      ],
    };
  },
  async ({ owner }) => {
    const region_id = (await owner.region()).id;
    const cell = (name: string, more = {}) => idOf(owner.cell({ name, region_id, ...more }));
    const [one, two] = [await cell('c1'), await cell('c2')];
    // Of another region, and so no twin.
    await owner.cell({ name: 'c1' });
    return {
      sql: `ALTER TABLE cells DROP CONSTRAINT cells_project_id_region_id_name_key;
        UPDATE cells SET name = 'c1' WHERE id = ${two}`,
      faults: [
        `names: cells ${one}: another has its name "c1"`,
        `names: cells ${two}: another has its name "c1"`,
        notAsLeft('cell', two, 'name'),
      ],
    };
  },
  async ({ owner }) => {
    const id = await idOf(owner.host());
    return {
      sql: `UPDATE devices SET kind = 'toaster' WHERE id = ${id}`,
      faults: [
        `names: devices ${id}: its kind "toaster" is not known`,
        `present state: host ${id}: is not there, but no change record deletes it`,
      ],
    };
  },
];

const ofIdentifiers: Prepare[] = [
  async ({ owner }) => {
    await owner.secret();
    const last = await idOf(owner.secret());
    return {
      sql: `SELECT setval(pg_get_serial_sequence('access_secrets', 'id'), 1)`,
      faults: [`identifiers: access_secrets ${last}: the next ids would begin at or below its id`],
    };
  },
  async ({ owner, other }) => {
    const [one, two] = [await owner.label(), await idOf(other.label())];
    return {
      sql: `UPDATE labels SET uuid = '${one.uuid}' WHERE id = ${two}`,
      faults: [
        `identifiers: labels ${String(one.id)}: another has its uuid ${one.uuid}`,
        `identifiers: labels ${two}: another has its uuid ${one.uuid}`,
        notAsLeft('label', two, 'uuid'),
      ],
    };
  },
  async ({ owner, other }) => {
    const id = await idOf(owner.cloud());
    return {
      sql: `INSERT INTO clouds (project_id, id, name) OVERRIDING SYSTEM VALUE VALUES ('${other.projectId}', ${id}, 'again')`,
      faults: [
        `identifiers: clouds ${id}: another has its id ${id}`,
        `identifiers: clouds ${id}: another has its id ${id}`,
        `present state: cloud ${id}: is there, but no change record tells of it`,
      ],
    };
  },
  async ({ owner, other, value }) => {
    const keyOf = async ({ credentials }: Caller) => {
      const keyId = credentials.token.split('_')[1] ?? '';
      return { keyId, id: await value(`SELECT id FROM api_keys WHERE key_id = '${keyId}'`) };
    };
    const [one, two] = [await keyOf(owner), await keyOf(other)];
    return {
      sql: `UPDATE api_keys SET key_id = '${one.keyId}' WHERE id = ${two.id}`,
      faults: [one, two].map(({ id }) => `identifiers: api_keys ${id}: another has its key_id ${one.keyId}`),
    };
  },
];

const object = (id: string, kind = 'cloud') => `kind = '${kind}' AND object_id = ${id}`;
const malformed = (kind: string, id: string, problem: string) =>
  `change records: ${kind} ${id}: object 0 of the change N ${problem}`;

const ofChangeRecords: Prepare[] = [
  async ({ owner }) => {
    const id = await idOf(owner.cloud());
    return {
      sql: `UPDATE change_objects SET action = 'update' WHERE ${object(id)}`,
      faults: [
        malformed('cloud', id, 'does not have the sides of its action'),
        `histories: cloud ${id}: its history begins with the change N, which did not create it`,
      ],
    };
  },
  async ({ owner }) => {
    const [list, stranger] = [await idOf(owner.cloud()), await idOf(owner.cloud())];
    return {
      sql: `UPDATE change_objects SET after = '[]' WHERE ${object(list)};
        UPDATE change_objects SET after = jsonb_set(after, '{id}', '99999') WHERE ${object(stranger)}`,
      faults: [
        malformed('cloud', list, 'has a side that is no object'),
        malformed('cloud', list, 'has a side that is of something else'),
        malformed('cloud', stranger, 'has a side that is of something else'),
        notAsLeft('cloud', stranger, 'id'),
      ],
    };
  },
  async ({ owner }) => {
    const [region, label] = [await idOf(owner.region(A)), await idOf(owner.label(A))];
    return {
      sql: `UPDATE change_objects SET variables = '{"a": {}}' WHERE ${object(region, 'region')};
        UPDATE change_objects SET keys = '{}' WHERE ${object(label, 'label')}`,
      faults: [
        malformed('region', region, 'has a variable without the sides that its change must have'),
        `variables: region ${region}: the variable "a" is set, but the change N took it away`,
        malformed('label', label, 'has other keys than its variables'),
      ],
    };
  },
  async ({ owner }) => {
    const [moved, emptied, nameless] = [
      await idOf(owner.cloud()),
      await idOf(owner.cloud()),
      await idOf(owner.cloud()),
    ];
    const change = (id: string) => changeOf(owner, 'cloud', id);
    return {
      sql: `UPDATE change_objects SET ordinal = 3 WHERE ${object(moved)};
        DELETE FROM change_objects WHERE ${object(emptied)};
        UPDATE changes SET actor_username = '' WHERE id = ${await change(nameless)}`,
      faults: [
        `change records: changes ${await change(moved)}: has objects missing: 1 are there`,
        `change records: changes ${await change(emptied)}: has objects missing: 0 are there`,
        `present state: cloud ${emptied}: is there, but no change record tells of it`,
        `change records: changes ${await change(nameless)}: does not say who made it`,
      ],
    };
  },
  async ({ owner }) => {
    const [bare, strange] = [
      await idOf(owner.host({ labels: 'l1,l2' })),
      await idOf(owner.host({ labels: 'l1,l2' })),
    ];
    return {
      sql: `UPDATE change_objects SET labels_after = '{}' WHERE ${object(bare, 'host')};
        UPDATE change_objects SET labels_after[1] = 99999 WHERE ${object(strange, 'host')}`,
      faults: [
        malformed('host', bare, 'has other labels by their ids than by their names'),
        malformed('host', strange, 'has a label that no change record tells of'),
        notAsLeft('host', bare, 'labels'),
        notAsLeft('host', strange, 'labels'),
      ],
    };
  },
];

/** Records the creation of a cloud a second time. */
const createdAgain = (id: string) => `
  WITH change AS (
    INSERT INTO changes (project_id, created_at, actor_username, request_id)
    SELECT project_id, now(), 'nobody', 'none' FROM change_objects WHERE ${object(id)} AND action = 'create' RETURNING id
  )
  INSERT INTO change_objects SELECT o.project_id, change.id, o.ordinal, o.kind, o.object_id, o.name, o.action, o.before,
    o.after, o.variables, o.keys FROM change_objects o, change WHERE ${object(id)} AND action = 'create'`;

const ofHistories: Prepare[] = [
  async ({ owner }) => {
    const id = await idOf(owner.cloud());
    for (const note of ['one', 'two']) await owner.put(`/v1/clouds/${id}`, { note }).expect(200);
    return {
      sql: `WITH lost AS (
          DELETE FROM change_objects WHERE ${object(id)} AND before -> 'version' = '1' RETURNING change_id
        ) DELETE FROM changes WHERE id IN (SELECT change_id FROM lost)`,
      faults: [
        `histories: cloud ${id}: the change N found it at the version 2, but the change before left it at 1`,
      ],
    };
  },
  async ({ owner }) => {
    const id = await idOf(owner.cloud());
    return { sql: createdAgain(id), faults: [`histories: cloud ${id}: the change N created it again`] };
  },
  async ({ owner }) => {
    const id = await idOf(owner.cloud());
    await owner.delete(`/v1/clouds/${id}`).expect(204);
    return {
      sql: createdAgain(id),
      faults: [
        `histories: cloud ${id}: the change N brought it back at the version 1, but it was deleted at 1`,
        `present state: cloud ${id}: is not there, but no change record deletes it`,
      ],
    };
  },
  async ({ owner }) => {
    const id = await idOf(owner.cloud());
    await owner.delete(`/v1/clouds/${id}`).expect(204);
    await revertLast(owner);
    await owner.delete(`/v1/clouds/${id}`).expect(204);
    // Its return is taken for another update of what is deleted.
    return {
      sql: `UPDATE change_objects SET action = 'update', before = after WHERE ${object(id)} AND after -> 'version' = '2'`,
      faults: [`histories: cloud ${id}: the change N came after its deletion`],
    };
  },
];

const ofPresentState: Prepare[] = [
  async ({ owner }) => {
    const [host, region] = [await idOf(owner.host()), await idOf(owner.region())];
    return {
      sql: `UPDATE devices SET active = NOT active, ip_address = '10.9.9.9' WHERE id = ${host};
        UPDATE regions SET version = 2 WHERE id = ${region}`,
      faults: [notAsLeft('host', host, 'active, ip_address'), notAsLeft('region', region, 'version')],
    };
  },
  async ({ root }) => {
    const { body } = await root.post('/v1/projects', { name: 'named once' }).expect(201);
    return {
      sql: `UPDATE projects SET name = 'named twice' WHERE id = '${(body as { id: string }).id}'`,
      faults: [notAsLeft('project', 'null', 'name')],
    };
  },
  async ({ owner }) => {
    const [gone, back] = [await idOf(owner.cloud()), await owner.cloud()];
    await owner.delete(`/v1/clouds/${String(back.id)}`).expect(204);
    const values = (id: string) => `('${owner.projectId}', ${id}, 'of SQL ${id}')`;
    return {
      sql: `DELETE FROM clouds WHERE id = ${gone};
        INSERT INTO clouds (project_id, id, name) OVERRIDING SYSTEM VALUE VALUES ${values('900000')}, ${values(String(back.id))};
        SELECT setval(pg_get_serial_sequence('clouds', 'id'), 900000)`,
      faults: [
        `present state: cloud ${gone}: is not there, but no change record deletes it`,
        'present state: cloud 900000: is there, but no change record tells of it',
        `present state: cloud ${String(back.id)}: is there, but the change N deleted it`,
      ],
    };
  },
  async ({ owner }) => {
    const [bare, swapped] = [
      await idOf(owner.host({ labels: 'l1,l2' })),
      await idOf(owner.host({ labels: 'l1,l2' })),
    ];
    const other = await idOf(owner.label({ label: 'l3' }));
    // Renaming is no change of what carries the label.
    await owner.host({ labels: 'once' });
    const { body } = await owner.get('/v1/labels?name=once').expect(200);
    await owner.put(`/v1/labels/${String((body as Resource[])[0]!.id)}`, { label: 'now' }).expect(200);
    return {
      sql: `DELETE FROM device_labels WHERE device_id = ${bare};
        UPDATE device_labels a SET label_id = ${other} FROM labels l
        WHERE a.device_id = ${swapped} AND l.id = a.label_id AND l.label = 'l2'`,
      faults: [notAsLeft('host', bare, 'labels'), notAsLeft('host', swapped, 'labels')],
    };
  },
];

/** Undoes what was done last. */
async function revertLast(owner: Caller): Promise<void> {
  const { id } = await lastChange(owner);
  expect((await revert(owner, id)).status).toBe(201);
}

/** By the check that is to find them. */
export const damages: Readonly<Record<string, readonly Prepare[]>> = {
  references: ofReferences,
  parents: ofParents,
  names: ofNames,
  identifiers: ofIdentifiers,
  variables: ofVariables,
  'change records': ofChangeRecords,
  histories: ofHistories,
  'present state': ofPresentState,
};
