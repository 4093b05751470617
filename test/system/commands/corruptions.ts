import type { Caller, Resource } from '../../support/caller';
import { A, changeOf, idOf, notAsLeft, type Prepare } from './corruption';
import { ofProposals } from './proposal-corruptions';
import { ofChangeRecords, ofHistories, ofPresentState } from './record-corruptions';

const ofVariables: Prepare[] = [
  async ({ owner }) => {
    const id = await idOf(owner.region());
    return {
      sql: `UPDATE regions SET variables = '{"stray": 1}' WHERE id = ${id}`,
      faults: [
        `variables: region ${id}: the variable "stray" is set, but correlated with no change`,
        'values: variable_values null: a value of the variable "stray" is missing',
      ],
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
      faults: [`variables: label ${id}: the variable "a" has another value than the change N set`],
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
    const id = await idOf(owner.host(A));
    return {
      sql: `UPDATE variable_correlations SET value_hash = 0 WHERE object_type = 'host' AND object_id = ${id}`,
      faults: [`variables: host ${id}: the variable "a" is correlated with the hash of another value`],
    };
  },
  async ({ owner }) => {
    const change = await changeOf(owner, 'region', await idOf(owner.region()));
    return {
      sql: `INSERT INTO variable_correlations VALUES ('${owner.projectId}', 'host', 123456, 'a', ${change}, 0)`,
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
        INSERT INTO variable_correlations VALUES ('${owner.projectId}', 'host', ${id}, 'a', ${change}, 0)`,
      faults: [`variables: host ${id}: the variable "a" is set, but the change N removed it`],
    };
  },
  async ({ owner }) => {
    const id = await idOf(owner.region());
    const change = await changeOf(owner, 'region', id);
    return {
      sql: `UPDATE regions SET variables = '{"a": 1}' WHERE id = ${id};
        INSERT INTO variable_correlations VALUES ('${owner.projectId}', 'region', ${id}, 'a', ${change}, 0)`,
      faults: [`variables: region ${id}: the variable "a" is set, but no change record set it`],
    };
  },
];

const ofValues: Prepare[] = [
  async ({ owner }) => {
    await owner.host({ variables: { lost: 'of a host', number: 1.5 } });
    await owner.label({ variables: { lost: 'of a label' } });
    return {
      sql: `DELETE FROM variable_values WHERE text = 'of a label';
        UPDATE variable_values SET text = 'another one' WHERE text = 'of a host';
        UPDATE variable_values SET number = 1.51 WHERE number = 1.5`,
      faults: [
        'values: variable_values null: a value of the variable "lost" is missing',
        'values: variable_values null: a value of the variable "lost" is missing',
        'values: variable_values null: a value of the variable "number" is missing',
      ],
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
    await root.put(`/v1/projects/${project}/settings`, {}).expect(200);
    return {
      sql: `DELETE FROM projects WHERE id = '${project}'`,
      faults: [
        `references: clouds ${cloud}: its project does not exist`,
        'references: project_settings null: its project does not exist',
        'present state: project null: does not exist, but no change record deletes it',
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
      `parents: ${kind} ${String(id)}: is in a cycle of parents, or below one: its parent is ${String(parent.id)}`;
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
        `names: devices ${one}: another row has its name "twin"`,
        `names: devices ${two}: another row has its name "twin"`,
        notAsLeft('network-device', two, 'name'),
      ],
    };
  },
  async ({ owner }) => {
    const region_id = (await owner.region()).id;
    const cell = (name: string, more = {}) => idOf(owner.cell({ name, region_id, ...more }));
    const [one, two] = [await cell('c1'), await cell('c2')];
    // A cell of another region may have the same name.
    await owner.cell({ name: 'c1' });
    return {
      sql: `ALTER TABLE cells DROP CONSTRAINT cells_project_id_region_id_name_key;
        UPDATE cells SET name = 'c1' WHERE id = ${two}`,
      faults: [
        `names: cells ${one}: another row has its name "c1"`,
        `names: cells ${two}: another row has its name "c1"`,
        notAsLeft('cell', two, 'name'),
      ],
    };
  },
  async ({ owner }) => {
    const [one, two] = [
      await idOf(owner.definition({ key: 'k1' })),
      await idOf(owner.definition({ key: 'k2' })),
    ];
    return {
      sql: `ALTER TABLE variable_definitions DROP CONSTRAINT variable_definitions_project_id_key_key;
        UPDATE variable_definitions SET key = 'k1' WHERE id = ${two}`,
      faults: [
        `names: variable_definitions ${one}: another row has its key "k1"`,
        `names: variable_definitions ${two}: another row has its key "k1"`,
        notAsLeft('variable-definition', two, 'key'),
      ],
    };
  },
  async ({ owner }) => {
    const id = await idOf(owner.audit());
    return {
      sql: `INSERT INTO audits (project_id, name, expectation, keys) VALUES ('${owner.projectId}', 'stray', '{}', '{}');
        UPDATE audits SET vars = 'b:1' WHERE id = ${id}`,
      faults: [
        `present state: audit ${String(Number(id) + 1)}: exists, but has no change record`,
        notAsLeft('audit', id, 'vars'),
      ],
    };
  },
  async ({ owner }) => {
    const id = await idOf(owner.host());
    return {
      sql: `UPDATE devices SET kind = 'toaster' WHERE id = ${id}`,
      faults: [
        `names: devices ${id}: its kind "toaster" is not known`,
        `present state: host ${id}: does not exist, but no change record deletes it`,
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
      faults: [`identifiers: access_secrets ${last}: the sequence is behind its id`],
    };
  },
  async ({ owner, other }) => {
    const [one, two] = [await owner.label(), await idOf(other.label())];
    return {
      sql: `UPDATE labels SET uuid = '${one.uuid}' WHERE id = ${two}`,
      faults: [
        `identifiers: labels ${String(one.id)}: another row has its uuid ${one.uuid}`,
        `identifiers: labels ${two}: another row has its uuid ${one.uuid}`,
        notAsLeft('label', two, 'uuid'),
      ],
    };
  },
  async ({ owner, other }) => {
    const id = await idOf(owner.cloud());
    return {
      sql: `INSERT INTO clouds (project_id, id, name) OVERRIDING SYSTEM VALUE VALUES ('${other.projectId}', ${id}, 'again')`,
      faults: [
        `identifiers: clouds ${id}: another row has its id ${id}`,
        `identifiers: clouds ${id}: another row has its id ${id}`,
        `present state: cloud ${id}: exists, but has no change record`,
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
      faults: [one, two].map(
        ({ id }) => `identifiers: api_keys ${id}: another row has its key_id ${one.keyId}`,
      ),
    };
  },
];

/** The damages, by the check that must find them. */
export const damages: Readonly<Record<string, readonly Prepare[]>> = {
  references: ofReferences,
  parents: ofParents,
  names: ofNames,
  identifiers: ofIdentifiers,
  variables: ofVariables,
  values: ofValues,
  'change records': ofChangeRecords,
  histories: ofHistories,
  'present state': ofPresentState,
  proposals: ofProposals,
};
