import type { Response } from 'supertest';
import { rejectedByRule, setRules } from '../support/approvals';
import { doBatch } from '../support/batches';
import type { Caller } from '../support/caller';
import { asLines, sendImport } from '../support/importing';
import {
  applyProposal,
  approve,
  expectStatus,
  previewProposal,
  propose,
  type ProposalBody,
} from '../support/proposals';
import { lastChange } from '../support/reverts';
import { lockProjectOf, SecondConnection } from '../support/second-connection';
import { sharedService } from '../support/service';

const app = sharedService();
let admin: Caller;
let author: Caller;
let reviewer: Caller;
let secondConnection: SecondConnection;
beforeAll(async () => {
  secondConnection = await SecondConnection.connect(app.databaseUrl);
});
afterAll(() => secondConnection.close());
beforeEach(async () => {
  admin = await app.project();
  author = await admin.user();
  reviewer = await admin.user({ roles: ['*:write'] });
});

const proposeImport = (lines: readonly (object | string)[], query = '') =>
  sendImport(author, asLines(lines), `?propose=An%20import${query}`);
const proposed = (response: Response): ProposalBody => expectStatus(response, 202).body as ProposalBody;
const detailOf = (response: Response, status: number) =>
  (expectStatus(response, status).body as { details: readonly { field: string; code: string }[] }).details[0];
const apply = async (proposal: ProposalBody) => {
  await approve(reviewer, proposal);
  return expectStatus(await applyProposal(reviewer, proposal), 200).body as {
    change_id: number;
    results: readonly { status: number; body: unknown }[];
  };
};

const LINES = [
  { kind: 'host', name: 'web', region: 'north', ip_address: '10.0.0.1', device_type: 'x', labels: 'www' },
  { kind: 'region', name: 'north', variables: { ntp_servers: ['a'] } },
];

describe('an import that is proposed', () => {
  it('is done by the apply, in one change with its proposal', async () => {
    const proposal = proposed(await proposeImport(LINES));
    expect(proposal).toMatchObject({
      operations_total: 1,
      operations: [{ method: 'POST', path: '/v1/import', body: LINES }],
      keys: ['ntp_servers'],
    });
    await admin.get('/v1/regions').expect(200, []);
    const { impact, problems } = await previewProposal(admin, proposal);
    expect({ problems, devices: impact?.devices }).toEqual({ problems: [], devices: 1 });
    const { change_id, results } = await apply(proposal);
    expect(results).toEqual([
      expect.objectContaining({
        status: 200,
        body: { created: 2, updated: 0, unchanged: 0, failed: 0, errors: [] },
      }),
    ]);
    const record = await lastChange<Record<string, unknown>>(admin);
    expect(record).toMatchObject({
      id: change_id,
      override: null,
      proposal: {
        id: proposal.id,
        revision: 1,
        author: { id: expect.any(Number) as number, username: author.credentials.user },
        approvers: [{ id: expect.any(Number) as number, username: reviewer.credentials.user }],
      },
    });
    const [host] = (await admin.get('/v1/hosts').expect(200)).body as Record<string, unknown>[];
    expect(host).toMatchObject({ name: 'web', labels: 'www', variables: { ntp_servers: ['a'] } });
  });

  it('names each resource that it creates, the first of each kind first, and existing ones before others', async () => {
    const existing = await admin.cloud({ name: 'existing' });
    const created = (kind: string, name: string) => ({ kind, id: null, name });
    const names = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, i) => `${prefix}-${String(i)}`);
    const lines = [
      ...names('c', 120).map((name) => ({ kind: 'cloud', name })),
      ...names('r', 2).map((name) => ({ kind: 'region', name, variables: { a: 1, b: 2 } })),
      { kind: 'cloud', name: 'existing', note: 'changed' },
    ];
    const { resources } = proposed(await proposeImport(lines));
    expect(resources).toEqual([
      created('cloud', 'c-0'),
      created('region', 'r-0'),
      { kind: 'cloud', id: existing.id, name: 'existing' },
      ...names('c', 98)
        .slice(1)
        .map((name) => created('cloud', name)),
    ]);
    const hosts = ['a', 'b'].map((name) => ({ ...LINES[0], labels: [], name }));
    const both = proposed(await proposeImport([...hosts, LINES[1]!]));
    expect(both.resources).toHaveLength(3);
    expect(both.resources).toEqual(
      expect.arrayContaining([created('host', 'a'), created('host', 'b'), created('region', 'north')]),
    );
  });

  it('keeps the digits of numbers', async () => {
    const line = '{"kind":"region","name":"big","variables":{"n":12345678901234567890.10}}';
    const proposal = proposed(await proposeImport([line, '']));
    expect((await author.get(`/v1/proposals/${String(proposal.id)}`)).text).toContain(line);
    await apply(proposal);
    expect((await admin.get('/v1/regions')).text).toContain('12345678901234567890.10');
  });

  it('can be a table, whose records become lines', async () => {
    const { id: region_id } = await admin.region({ name: 'north' });
    await admin.host({ name: 'web', region_id, variables: { a: 1, b: 2 } });
    const table =
      'name,region,ip_address,device_type,variables.a,variables.b\nweb,,10.0.0.9,x,3,(unset)\ndb,north,10.0.0.2,x,,\n';
    const csv = { 'Content-Type': 'text/csv' };
    const proposal = proposed(await sendImport(author, table, '?propose=t', csv));
    expect(proposal.operations[0]!['body']).toMatchObject([
      { kind: 'host', name: 'web', variables: { a: 3 }, unset_variables: ['b'] },
      { kind: 'host', name: 'db' },
    ]);
    await apply(proposal);
    const hosts = (await admin.get('/v1/hosts?sort_keys=name')).body as Record<string, unknown>[];
    expect(hosts).toMatchObject([
      { name: 'db', ip_address: '10.0.0.2' },
      { name: 'web', ip_address: '10.0.0.9', variables: { a: 3 } },
    ]);
    expect(hosts[1]!['variables']).toEqual({ a: 3 });
  });

  it('can be a table whose numbers leave equal ones as they are, as in a direct import', async () => {
    await sendImport(
      admin,
      '{"kind":"region","name":"north"}\n' +
        '{"kind":"host","name":"web","region":"north","ip_address":"10.0.0.1","device_type":"x","variables":{"a":6.10,"b":1}}\n',
    ).expect(200);
    const variables = async () => (await admin.get('/v1/hosts').expect(200)).text;
    const table = 'name,variables.a,variables.b\nweb,6.1,2\n';
    const proposal = proposed(await sendImport(author, table, '?propose=t', { 'Content-Type': 'text/csv' }));
    expect(proposal.operations[0]!['body']).toEqual([
      { kind: 'host', name: 'web', variables: { a: 6.1, b: 2 }, keep_equal_numbers: true },
    ]);
    await apply(proposal);
    expect(await variables()).toMatch(/"a": ?6\.10, ?"b": ?2\b/);
    const line = '{"kind":"host","name":"web","variables":{"a":6.1}';
    await sendImport(admin, `${line},"keep_equal_numbers":true}\n`).expect(200);
    expect(await variables()).toMatch(/"a": ?6\.10/);
    for (const end of [',"keep_equal_numbers":false}', '}']) {
      await sendImport(admin, '{"kind":"host","name":"web","variables":{"a":6.10}}\n').expect(200);
      await sendImport(admin, `${line}${end}\n`).expect(200);
      expect(await variables()).toMatch(/"a": ?6\.1\b/);
    }
    await sendImport(admin, `${line},"keep_equal_numbers":1}\n`).expect(400);
  });

  it('is rejected with all faults of all lines, as a direct one', async () => {
    await admin.definition({ key: 'port', schema: { type: 'integer' } });
    const [web, north] = [LINES[0]!, LINES[1]!];
    const nowhere = { ...web, name: 'db', region: 'nowhere' };
    const table = ['name,region,ip_address,device_type', 'db,nowhere,10.0.0.1,x', 'mail,nowhere,7'];
    for (const [body, type, faulty] of [
      [asLines([north, { kind: 'region' }]), 'application/x-ndjson', [2]],
      [asLines([north, { kind: 'rack', name: 'x' }]), 'application/x-ndjson', [2]],
      [
        asLines([north, '{"kind":"cloud","name":"a"},{"kind":"cloud","name":"b"}']),
        'application/x-ndjson',
        [2],
      ],
      [asLines([north, { ...web, variables: { port: 'x' } }]), 'application/x-ndjson', [2]],
      [asLines([north, '', nowhere, { ...nowhere, note: 7 }, '{', web]), 'application/x-ndjson', [3, 4, 5]],
      [`${table.join('\n')}\n`, 'text/csv', [2, 3]],
    ] as const) {
      const headers = { 'Content-Type': type };
      const direct = await sendImport(admin, body, '', headers);
      expect((direct.body as { errors: { line: number }[] }).errors.map(({ line }) => line)).toEqual(faulty);
      const { status, body: rejection } = await sendImport(author, body, '?propose=t', headers);
      expect([status, rejection]).toEqual([
        direct.status,
        { ...direct.body, request_id: expect.any(String) as string },
      ]);
    }
    await admin.get('/v1/regions').expect(200, []);
    await admin.get('/v1/proposals').expect(200, []);
  });

  it('is rejected with its faulty lines, whether or not other imports of the project are running', async () => {
    const user = await admin.user({ roles: ['*:write'] });
    const release = await secondConnection.acquire(lockProjectOf(admin.projectId));
    try {
      for (const fault of ['{', { ...LINES[0]!, note: 7 }]) {
        const start = performance.now();
        const { body } = await sendImport(user, asLines([LINES[1]!, fault]), '?propose=t').expect(400);
        expect(body).toMatchObject({ failed: 1, unchecked: 1, errors: [{ line: 2 }] });
        // Changes wait for a lock for 10 s.
        expect(performance.now() - start).toBeLessThan(9_000);
      }
    } finally {
      await release();
    }
  });

  it('is rejected with its first faulty line if the others cannot be looked for', async () => {
    const user = await admin.user({ roles: ['*:write'] });
    const release = await secondConnection.acquire(lockProjectOf(admin.projectId));
    // As many imports as a user can have at a time.
    const running = Array.from({ length: 4 }, () =>
      sendImport(user, asLines(LINES)).then(({ status }) => status),
    );
    try {
      await secondConnection.waiting(running.length);
      const { body } = await sendImport(user, asLines([LINES[1]!, '{']), '?propose=t').expect(400);
      expect(body).toMatchObject({
        message: expect.stringMatching(/^operations\[0\]: line 2: /) as string,
      });
    } finally {
      await release();
    }
    expect(await Promise.all(running)).toEqual([200, 200, 200, 200]);
  });

  it('takes no options, and no more than 10,000 lines', async () => {
    for (const option of ['mode=partial', 'max_affected_devices=1', 'changes=true'])
      expect(detailOf(await proposeImport(LINES, `&${option}`), 400)).toMatchObject({
        field: option.split('=')[0],
        code: 'inconsistent',
      });
    const many = Array.from({ length: 10_001 }, (_, i) => ({ kind: 'cloud', name: `c${String(i)}` }));
    expect(detailOf(await proposeImport(many), 400)).toMatchObject({ code: 'limit_exceeded' });
  });

  it('can be previewed without storing a proposal', async () => {
    const { body } = expectStatus(await proposeImport(LINES, '&dry_run=true'), 200);
    expect(body).toMatchObject({ dry_run: true, created: 2, impact: { devices: 1 } });
    await admin.get('/v1/proposals').expect(200, []);
  });

  it('needs roles for all of its lines when it is approved', async () => {
    const proposal = proposed(await proposeImport(LINES));
    const regions = await admin.user({ roles: ['regions:write'] });
    const { revision, impact_digest } = await previewProposal(regions, proposal);
    const path = `/v1/proposals/${String(proposal.id)}/reviews`;
    await regions.post(path, { verdict: 'approve', revision, impact_digest }).expect(403);
  });

  it('can stand among other writes', async () => {
    const proposal = await propose(author, [
      { method: 'POST', path: '/v1/clouds', body: { name: 'a cloud' } },
      { method: 'POST', path: '/v1/import', body: [{ kind: 'region', name: 'r', cloud: 'a cloud' }] },
      { method: 'POST', path: '/v1/clouds', body: { name: 'another' } },
    ]);
    const { results } = await apply(proposal);
    expect(results.map(({ status }) => status)).toEqual([201, 200, 201]);
    expect((await admin.get('/v1/regions')).body).toMatchObject([{ name: 'r' }]);
    const twice = Array.from({ length: 2 }, () => ({ method: 'POST', path: '/v1/import', body: [] }));
    const response = await author.post('/v1/batch?propose=t', { operations: twice });
    expect(detailOf(response, 400)).toMatchObject({ field: 'operations[1].path', code: 'limit_exceeded' });
  });

  it('is not tried after an operation that fails, because its lines can name what that one writes', async () => {
    const proposal = await propose(author, [
      { method: 'POST', path: '/v1/regions', body: { name: 'south', variables: { port: 'none' } } },
      { method: 'POST', path: '/v1/import', body: [{ kind: 'cell', name: 'c', region: 'south' }] },
    ]);
    await admin.definition({ key: 'port', schema: { type: 'integer' } });
    const { problems } = await previewProposal(admin, proposal);
    expect(problems.map(({ operation }) => operation)).toEqual([0]);
  });

  it('must have an array of lines as its body in a proposal', async () => {
    for (const body of [undefined, 'a', {}, [1], ['{}']]) {
      const operations = [{ method: 'POST', path: '/v1/import', body }];
      const response = await author.post('/v1/batch?propose=t', { operations });
      expect([body, response.status]).toEqual([body, 400]);
    }
    const operations = [{ method: 'POST', path: '/v1/import', body: [] }];
    // A batch that is not proposed has none.
    await admin.post('/v1/batch', { operations }).expect(400);
  });
});

describe('a proposal', () => {
  it('can contain reverts and remediations, for which the approver needs the roles', async () => {
    const region = await admin.region({ name: 'north', variables: { ntp: 1 } });
    await admin.put(`/v1/regions/${String(region.id)}/variables`, { ntp: 2 }).expect(200);
    const { id } = await lastChange(admin);
    const audit = await admin.audit({ expectation: { vars: 'dns:3' } });
    const remediate = `/v1/audits/${String(audit.id)}/remediate`;
    const proposal = await propose(author, [
      { method: 'POST', path: `/v1/changes/${String(id)}/revert` },
      { method: 'POST', path: remediate, body: { level: { kind: 'region', id: region.id } } },
    ]);
    const hosts = await admin.user({ roles: ['hosts:write'] });
    const { may } = await previewProposal(hosts, proposal);
    expect(may).toMatchObject({ approve: false, apply: false });
    await apply(proposal);
    const { body } = await admin.get(`/v1/regions/${String(region.id)}/variables`).expect(200);
    expect(body).toEqual({ variables: { ntp: 1, dns: 3 } });
  });

  it('reports no errors that a revert causes that failed', async () => {
    const [one, two] = [await admin.region({ name: 'north' }), await admin.region()];
    const variables = `/v1/regions/${String(two.id)}/variables`;
    await doBatch(admin, [
      { method: 'PUT', path: `/v1/regions/${String(one.id)}`, body: { name: 'renamed' } },
      { method: 'PUT', path: variables, body: { ntp: 2 } },
    ]);
    const { id } = await lastChange(admin);
    const proposal = await propose(author, [
      { method: 'POST', path: `/v1/changes/${String(id)}/revert` },
      { method: 'POST', path: '/v1/regions', body: { name: 'renamed' } },
    ]);
    await admin.put(variables, { ntp: 3 }).expect(200);
    const { problems } = await previewProposal(admin, proposal);
    expect(problems.map(({ operation, status }) => [operation, status])).toEqual([[0, 409]]);
  });

  it('that is applied can be reverted: its change, and not what was done with the proposal itself', async () => {
    const proposal = proposed(await proposeImport(LINES));
    const { change_id } = await apply(proposal);
    await admin.post(`/v1/changes/${String(change_id)}/revert`).expect(201);
    await admin.get('/v1/hosts').expect(200, []);
    const { body } = await admin.get(`/v1/proposals/${String(proposal.id)}`).expect(200);
    expect(body).toMatchObject({ state: 'applied', change_id });
    const other = proposed(await proposeImport(LINES));
    const { id } = await lastChange(admin);
    await admin.post(`/v1/proposals/${String(other.id)}/withdraw`).expect(200);
    for (const change of [id, (await lastChange(admin)).id])
      await admin.post(`/v1/changes/${String(change)}/revert`).expect(409);
  });

  it('of a revert cannot do what only admins can', async () => {
    const { id: user } = (
      (await admin.get(`/v1/users?username=${author.credentials.user}`)).body as { id: number }[]
    )[0]!;
    await admin.put(`/v1/users/${String(user)}`, { is_admin: true }).expect(200);
    await admin.put(`/v1/users/${String(user)}`, { is_admin: false }).expect(200);
    const { id } = await lastChange(admin);
    await author.post(`/v1/changes/${String(id)}/revert?propose=t`).expect(403);
  });

  it('changes the rules of its project, if an admin proposes and another one approves it', async () => {
    await setRules(admin, [{ keys: ['ntp_*'], approvals: 1 }]).expect(200);
    const settings = `/v1/projects/${admin.projectId}/settings`;
    rejectedByRule(await admin.put(settings, { approvals: [] }));
    await author.put(`${settings}?propose=t`, { approvals: [] }).expect(403);
    const proposal = proposed(await admin.put(`${settings}?propose=No%20rules`, { approvals: [] }));
    const { revision, impact_digest } = await previewProposal(admin, proposal);
    const path = `/v1/proposals/${String(proposal.id)}`;
    await admin.post(`${path}/reviews`, { verdict: 'approve', revision, impact_digest }).expect(403);
    expectStatus(await applyProposal(admin, proposal), 409);
    const other = await admin.user({ is_admin: true });
    await approve(other, proposal);
    expectStatus(await applyProposal(admin, proposal), 200);
    expect((await admin.get(settings)).body).toMatchObject({ approvals: [] });
    expect(await lastChange(admin)).toMatchObject({ proposal: { id: proposal.id }, override: null });
  });
});
