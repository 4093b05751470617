import type { Response } from 'supertest';
import { OVERRIDE, rejectedByRule, setRules } from '../support/approvals';
import { countOfChanges, hostBody } from '../support/batches';
import type { Caller, Resource } from '../support/caller';
import { asLines } from '../support/importing';
import { lastChange } from '../support/reverts';
import { sharedService } from '../support/service';

/** What the writes of the tests write to: a region with two hosts, which inherit its variables. */
interface Fixture {
  readonly region: Resource;
  readonly other: Resource;
  readonly host: Resource;
  readonly label: Resource;
  readonly cell: Resource;
  readonly audit: Resource;
  /** The id of the change that has set `ntp_servers` of the region. */
  readonly change: number;
}

/** A write, and which of the rules it meets. */
interface Case {
  readonly name: string;
  readonly meets: readonly ('keys' | 'collections' | 'devices')[];
  readonly method?: 'post' | 'put' | 'delete';
  readonly path: (fixture: Fixture) => string;
  readonly body?: unknown;
}

const RULES = {
  keys: { keys: ['ntp_*'], approvals: 1 },
  collections: { collections: ['regions', 'labels'], approvals: 1 },
  devices: { min_devices: 2, approvals: 1 },
};

const ntp = { ntp_servers: ['10.0.0.2'] };
const region =
  (suffix = '') =>
  (fixture: Fixture) =>
    `/v1/regions/${String(fixture.region.id)}${suffix}`;
const host =
  (suffix = '') =>
  (fixture: Fixture) =>
    `/v1/hosts/${String(fixture.host.id)}${suffix}`;

const CASES: readonly Case[] = [
  { name: 'a member of a region', meets: ['collections'], path: region(), body: { note: 'n' } },
  {
    name: 'a variable of a region',
    meets: ['keys', 'collections', 'devices'],
    path: region('/variables'),
    body: ntp,
  },
  {
    name: 'unsetting a variable',
    meets: ['keys', 'collections', 'devices'],
    method: 'delete',
    path: region('/variables/ntp_servers'),
  },
  { name: 'another variable of a host', meets: [], path: host('/variables'), body: { other: 1 } },
  {
    name: 'a single variable of a host',
    meets: ['keys'],
    path: host('/variables/ntp_pool'),
    body: { value: 1 },
  },
  { name: 'variables in the body of a host', meets: ['keys'], path: host(), body: { variables: ntp } },
  {
    name: 'a move of a host to a region with another value',
    meets: ['keys'],
    path: host(),
    body: (fixture: Fixture) => ({ region_id: fixture.other.id }),
  },
  {
    name: 'a new host',
    meets: ['keys'],
    method: 'post',
    path: () => '/v1/hosts',
    body: (fixture: Fixture) => hostBody({ region_id: fixture.region.id }),
  },
  { name: 'labels of a host', meets: ['keys'], path: host('/labels'), body: { labels: ['ntp'] } },
  { name: 'a deleted host', meets: ['keys'], method: 'delete', path: host() },
  {
    name: 'a deleted label without devices',
    meets: ['keys', 'collections'],
    method: 'delete',
    path: ({ label }) => `/v1/labels/${String(label.id)}`,
  },
  { name: 'a cell', meets: [], path: ({ cell }) => `/v1/cells/${String(cell.id)}`, body: { note: 'n' } },
  {
    name: 'a new cloud',
    meets: [],
    method: 'post',
    path: () => '/v1/clouds',
    body: { name: 'a cloud' },
  },
  {
    name: 'variables of many hosts',
    meets: ['keys', 'devices'],
    path: () => '/v1/hosts/variables?device_type=server',
    body: { variables: ntp },
  },
  {
    name: 'a batch',
    meets: ['keys', 'collections', 'devices'],
    method: 'post',
    path: () => '/v1/batch',
    body: (fixture: Fixture) => ({
      operations: [
        { method: 'PUT', path: host('/variables')(fixture), body: { other: 1 } },
        { method: 'PUT', path: region('/variables')(fixture), body: ntp },
      ],
    }),
  },
  {
    name: 'a revert',
    meets: ['keys', 'collections', 'devices'],
    method: 'post',
    path: ({ change }) => `/v1/changes/${String(change)}/revert`,
  },
  {
    name: 'a remediation',
    meets: ['keys', 'collections', 'devices'],
    method: 'post',
    path: ({ audit }) => `/v1/audits/${String(audit.id)}/remediate`,
    body: (fixture: Fixture) => ({ level: { kind: 'region', id: fixture.region.id } }),
  },
  {
    name: 'an import of a region',
    meets: ['keys', 'collections', 'devices'],
    method: 'post',
    path: () => '/v1/import',
    body: asLines([{ kind: 'region', name: 'north', variables: ntp }]),
  },
  {
    name: 'an import of hosts',
    meets: ['keys', 'devices'],
    method: 'post',
    path: () => '/v1/import',
    body: asLines(['web1', 'web2'].map((name) => ({ kind: 'host', name, region: 'south' }))),
  },
  {
    name: 'an import without other values',
    meets: [],
    method: 'post',
    path: () => '/v1/import',
    body: asLines([{ kind: 'host', name: 'web1', note: 'n' }]),
  },
];

async function send(
  caller: Caller,
  fixture: Fixture,
  { method = 'put', path: pathOf, body: given }: Case,
  parameter = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const path = pathOf(fixture);
  const query = parameter === '' ? '' : `${path.includes('?') ? '&' : '?'}${parameter}`;
  const body: unknown = typeof given === 'function' ? (given as (f: Fixture) => unknown)(fixture) : given;
  const type = path === '/v1/import' ? { 'Content-Type': 'application/x-ndjson' } : {};
  const sent = caller.send(method, `${path}${query}`, undefined, { ...type, ...headers });
  if (body === undefined) return sent;
  if (path === '/v1/import') return sent.send(body as string);
  return sent.set('Content-Type', 'application/json').send(JSON.stringify(body));
}

describe('a project with rules for approvals', () => {
  const app = sharedService();
  let admin: Caller;
  let writer: Caller;
  let fixture: Fixture;
  beforeEach(async () => {
    admin = await app.project();
    writer = await admin.user({ roles: ['*:write'] });
    const north = await admin.region({ name: 'north', variables: { ntp_servers: ['10.0.0.9'] } });
    await admin.put(`/v1/regions/${String(north.id)}/variables`, { ntp_servers: ['10.0.0.1'] }).expect(200);
    const { id: change } = await lastChange(admin);
    const other = await admin.region({ name: 'south', variables: { ntp_servers: ['10.1.0.1'] } });
    const label = await admin.label({ label: 'ntp', variables: { ntp_servers: ['10.2.0.1'] } });
    const cell = await admin.cell({ region_id: north.id });
    const web1 = await admin.host({ name: 'web1', region_id: north.id });
    await admin.host({ name: 'web2', region_id: north.id });
    const value = ['10.0.0.2'];
    const audit = await admin.audit({ expectation: { vars: 'ntp_servers:"10.0.0.2"', value } });
    fixture = { region: north, other, host: web1, label, cell, audit, change };
  });

  it.each(CASES)('rejects $name if it meets a rule: $meets', async (write) => {
    const names = Object.keys(RULES) as (keyof typeof RULES)[];
    await setRules(admin, Object.values(RULES)).expect(200);
    const before = await countOfChanges(admin);
    const met = names.flatMap((name, i) => (write.meets.includes(name) ? [`approvals[${String(i)}]`] : []));
    const preview = await send(writer, fixture, write, 'dry_run=true');
    expect([preview.status, preview.text]).toEqual([200, expect.any(String)]);
    const written = await send(writer, fixture, write);
    if (met.length === 0) {
      expect(preview.body).not.toHaveProperty('approval_required');
      expect(written.status).toBeLessThan(300);
      return;
    }
    expect(rejectedByRule(written)).toEqual(met);
    expect(preview.body).toMatchObject({
      dry_run: true,
      impact: {},
      approval_required: {
        rule: Number(/\d+/.exec(met[0]!)),
        approvals: 1,
        message: written.body.message as string,
        description: written.body.details[0].message as string,
      },
    });
    expect(await countOfChanges(admin)).toBe(before);
    // Root has no other way round the rules.
    expect(rejectedByRule(await send(app.root.in(admin.projectId), fixture, write))).toEqual(met);
    const overridden = await send(admin, fixture, write, '', OVERRIDE);
    expect(overridden.status < 300 || overridden.text).toBe(true);
    expect(await lastChange(admin)).toMatchObject({
      override: OVERRIDE['X-Change-Override'],
      proposal: null,
    });
  });
});
