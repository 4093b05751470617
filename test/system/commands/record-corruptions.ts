import type { Caller, Resource } from '../../support/caller';
import { lastChange, revert } from '../../support/reverts';
import { changeOf, idOf, A, notAsLeft, type Prepare } from './corruption';

const object = (id: string, kind = 'cloud') => `kind = '${kind}' AND object_id = ${id}`;
const malformed = (kind: string, id: string, problem: string) =>
  `change records: ${kind} ${id}: object 0 of the change N ${problem}`;

export const ofChangeRecords: Prepare[] = [
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
        malformed('cloud', list, 'has a side that is not a JSON object'),
        malformed('cloud', list, 'has a side that belongs to another resource'),
        malformed('cloud', stranger, 'has a side that belongs to another resource'),
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
        `variables: region ${region}: the variable "a" is set, but the change N removed it`,
        malformed('label', label, 'has keys that differ from its variables'),
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
        `change records: changes ${await change(moved)}: has missing objects: 1 exist`,
        `change records: changes ${await change(emptied)}: has missing objects: 0 exist`,
        `present state: cloud ${emptied}: exists, but has no change record`,
        `change records: changes ${await change(nameless)}: has no author`,
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
        malformed('host', bare, 'has label ids that do not match its label names'),
        malformed('host', strange, 'has a label without a change record'),
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

export const ofHistories: Prepare[] = [
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
        `histories: cloud ${id}: the change N restored it at the version 1, but it was deleted at 1`,
        `present state: cloud ${id}: does not exist, but no change record deletes it`,
      ],
    };
  },
  async ({ owner }) => {
    const id = await idOf(owner.cloud());
    await owner.delete(`/v1/clouds/${id}`).expect(204);
    await revertLast(owner);
    await owner.delete(`/v1/clouds/${id}`).expect(204);
    // The revert's re-creation becomes an update of a deleted resource.
    return {
      sql: `UPDATE change_objects SET action = 'update', before = after WHERE ${object(id)} AND after -> 'version' = '2'`,
      faults: [`histories: cloud ${id}: the change N came after its deletion`],
    };
  },
];

export const ofPresentState: Prepare[] = [
  async ({ owner }) => {
    const [host, region] = [await idOf(owner.host()), await idOf(owner.region())];
    const reformed = await idOf(owner.networkDevice({ vlans: [1] }));
    return {
      sql: `UPDATE devices SET active = NOT active, ip_address = '10.9.9.9' WHERE id = ${host};
        UPDATE devices SET vlans = '[1.0]' WHERE id = ${reformed};
        UPDATE regions SET version = 2 WHERE id = ${region}`,
      faults: [
        notAsLeft('host', host, 'active, ip_address'),
        notAsLeft('network-device', reformed, 'vlans'),
        notAsLeft('region', region, 'version'),
      ],
    };
  },
  async ({ root }) => {
    const { body } = await root.post('/v1/projects', { name: 'named once' }).expect(201);
    return {
      sql: `UPDATE projects SET name = 'named twice' WHERE id = '${(body as { id: string }).id}'`,
      faults: [notAsLeft('project', 'null', 'name')],
    };
  },
  async ({ root }) => {
    const { body } = await root.post('/v1/projects', { name: 'with settings' }).expect(201);
    const project = (body as { id: string }).id;
    await root.put(`/v1/projects/${project}/settings`, { private: ['db_*'] }).expect(200);
    await root.put(`/v1/projects/${project}/settings`, { private: ['db_password'] }).expect(200);
    return {
      sql: `UPDATE project_settings SET private = '[]' WHERE project_id = '${project}'`,
      faults: [notAsLeft('project-settings', 'null', 'private')],
    };
  },
  async ({ owner }) => {
    const [deleted, back] = [await idOf(owner.cloud()), await owner.cloud()];
    await owner.delete(`/v1/clouds/${String(back.id)}`).expect(204);
    const values = (id: string) => `('${owner.projectId}', ${id}, 'of SQL ${id}')`;
    return {
      sql: `DELETE FROM clouds WHERE id = ${deleted};
        INSERT INTO clouds (project_id, id, name) OVERRIDING SYSTEM VALUE VALUES ${values('900000')}, ${values(String(back.id))};
        SELECT setval(pg_get_serial_sequence('clouds', 'id'), 900000)`,
      faults: [
        `present state: cloud ${deleted}: does not exist, but no change record deletes it`,
        'present state: cloud 900000: exists, but has no change record',
        `present state: cloud ${String(back.id)}: exists, but the change N deleted it`,
      ],
    };
  },
  async ({ owner }) => {
    const [bare, swapped] = [
      await idOf(owner.host({ labels: 'l1,l2' })),
      await idOf(owner.host({ labels: 'l1,l2' })),
    ];
    const other = await idOf(owner.label({ label: 'l3' }));
    // Renaming a label does not change the hosts that have it.
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

/** Reverts the last change. */
async function revertLast(owner: Caller): Promise<void> {
  const { id } = await lastChange(owner);
  expect((await revert(owner, id)).status).toBe(201);
}
