import { existsSync, readFileSync } from 'node:fs';
import { resolve as resolvePath } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { sharedService } from '../support/service';
import type { Caller, Resource } from '../support/caller';
import { exportTexts } from '../support/export-reader';
import { loadFleet, type Fleet, type FleetDevice, type VariablesOf } from '../support/fleet';
import { importLines } from '../support/importing';
import { resolve } from '../support/naive-resolver';
import { everyItem } from '../support/pages';

/** A real fleet that is not part of the repository: 2,326 hosts, and sites with 67 kB of variables. */
const file =
  process.env['MUSTER_REAL_FLEET'] ?? resolvePath(__dirname, '../../../shared/data/wikimedia-fleet.json');
const exists = existsSync(file);
if (!exists)
  console.info(`The tests of the real fleet are skipped: ${file} does not exist. Set MUSTER_REAL_FLEET.`);

/** Reads a member of nested JSON. Returns undefined if a step of the path does not exist. */
const at = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[step] : undefined,
    value,
  );

const every = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [];

type Predicate = (variables: VariablesOf, host: FleetDevice) => boolean;

/** Typical queries, and predicates that select the same hosts from resolved variables. */
const queries: readonly (readonly [string, string, Predicate])[] = [
  ['in the cluster that their cell sets', 'cluster:"kubernetes"', (v) => v['cluster'] === 'kubernetes'],
  [
    'with the cluster of their role instead of their cell’s',
    'cluster:"insetup"',
    (v) => v['cluster'] === 'insetup',
  ],
  ['that do not page, unlike their site', 'do_paging:false', (v) => v['do_paging'] === false],
  ['that page, like their site', 'do_paging:true', (v) => v['do_paging'] === true],
  [
    'that override their site’s certificate host',
    'acmechief_host:"acmechief2002.codfw.wmnet"',
    (v) => v['acmechief_host'] === 'acmechief2002.codfw.wmnet',
  ],
  ['that belong to a shard', 'mariadb__shard:"s1"', (v) => v['mariadb__shard'] === 's1'],
  [
    'administered by a group: an array',
    'profile__admin__groups:"analytics-admins"',
    (v) => every(v['profile__admin__groups']).includes('analytics-admins'),
  ],
  [
    'administered first by a group: an array element',
    'profile__admin__groups[0]:"elasticsearch-roots"',
    (v) => at(v, 'profile__admin__groups', 0) === 'elasticsearch-roots',
  ],
  [
    'that serve a pool: a nested path with a quoted key',
    'profile__lvs__realserver__pools."text-https".services[*]:"cdn"',
    (v) => every(at(v, 'profile__lvs__realserver__pools', 'text-https', 'services')).includes('cdn'),
  ],
  [
    'that serve any pool of the CDN: every key of an object',
    'profile__lvs__realserver__pools.*.services:"cdn"',
    (v) =>
      every(v['profile__lvs__realserver__pools']).some((pool) => every(at(pool, 'services')).includes('cdn')),
  ],
  [
    'with a keytab: an array of objects',
    'profile__kerberos__keytabs__keytabs_metadata[*].owner:"hdfs"',
    (v) =>
      every(v['profile__kerberos__keytabs__keytabs_metadata']).some((one) => at(one, 'owner') === 'hdfs'),
  ],
  [
    'that listen on a port: a number in an array of objects',
    'profile__tlsproxy__envoy__services.port:80.0',
    (v) => every(v['profile__tlsproxy__envoy__services']).some((one) => at(one, 'port') === 80),
  ],
  [
    'with their site’s value instead of the role’s',
    'profile__lvs__ipip_enabled:true',
    (v) => v['profile__lvs__ipip_enabled'] === true,
  ],
  [
    'with the role’s value, because their site sets none',
    'profile__lvs__ipip_enabled:false',
    (v) => v['profile__lvs__ipip_enabled'] === false,
  ],
  [
    'with a certificate overridden by null',
    'profile__acme_chief__ssl_client_certificate_source:null',
    (v) => v['profile__acme_chief__ssl_client_certificate_source'] === null,
  ],
  [
    'in the site of a network, by a nested variable of the site',
    'prometheus_nodes[0]:"prometheus1005.eqiad.wmnet"',
    (v) => at(v, 'prometheus_nodes', 0) === 'prometheus1005.eqiad.wmnet',
  ],
  [
    'that use nftables in a cluster: two conditions',
    'profile__firewall__provider:"nftables",cluster:"misc"',
    (v) => v['profile__firewall__provider'] === 'nftables' && v['cluster'] === 'misc',
  ],
  [
    'of a cluster with a role contact',
    'cluster:"elasticsearch",profile__contacts__role_contacts[*]:"Search Platform",do_paging:true',
    (v) =>
      v['cluster'] === 'elasticsearch' &&
      every(v['profile__contacts__role_contacts']).includes('Search Platform') &&
      v['do_paging'] === true,
  ],
  ['with a value that no host has', 'cluster:"nowhere"', () => false],
];

/** A label without variables, of one host for each combination of levels and of own keys. */
const SAMPLE = 'of-each-combination';

function withSample(fleet: Fleet): Fleet {
  const combinations = new Set<string>();
  const hosts = fleet.hosts.map((host) => {
    const { region, cell, labels, variables } = host;
    const combination = JSON.stringify([region, cell, labels, Object.keys(variables).sort()]);
    if (combinations.has(combination)) return host;
    combinations.add(combination);
    return { ...host, labels: [...labels, SAMPLE] };
  });
  return { ...fleet, labels: [...fleet.labels, { label: SAMPLE, variables: {} }], hosts };
}

(exists ? describe : describe.skip)('the real fleet', () => {
  const app = sharedService();
  let admin: Caller;
  let fleet: Fleet;
  let resolved: ReadonlyMap<string, VariablesOf>;

  beforeAll(async () => {
    admin = await app.project();
    fleet = withSample(JSON.parse(readFileSync(file, 'utf8')) as Fleet);
    resolved = new Map(fleet.hosts.map((host) => [host.name, resolve(fleet, host)]));
    await loadFleet(admin, fleet);
  }, 180_000);
  it('is loaded completely', async () => {
    const count = async (collection: string) =>
      ((await admin.get(`/v1/${collection}?fields=id&limit=10000`).expect(200)).body as unknown[]).length;
    expect(await Promise.all(['regions', 'cells', 'labels', 'hosts'].map(count))).toEqual([
      fleet.regions.length,
      fleet.cells.length,
      fleet.labels.length,
      fleet.hosts.length,
    ]);
    expect(fleet.hosts.length).toBeGreaterThan(2_000);
  });

  it('resolves a host of each combination of levels in pages like a naive resolver', async () => {
    const different: string[] = [];
    const seen = new Set<string>();
    const path = `/v1/hosts?fields=name,variables&limit=100&label=${SAMPLE}`;
    for await (const { name, variables } of everyItem(admin, path)) {
      seen.add(name);
      if (!isDeepStrictEqual(variables, resolved.get(name))) different.push(name);
    }
    expect(different).toEqual([]);
    const sample = fleet.hosts.filter(({ labels }) => labels.includes(SAMPLE));
    expect(seen).toEqual(new Set(sample.map(({ name }) => name)));
    expect(sample.length).toBeGreaterThan(250);
  }, 120_000);

  it('resolves single hosts like a naive resolver', async () => {
    const hosts = (await admin.get('/v1/hosts?fields=id,name&limit=10000').expect(200)).body as Resource[];
    for (const { id, name } of hosts.filter((_, i) => i % 40 === 0)) {
      const one = (await admin.get(`/v1/hosts/${String(id)}`).expect(200)).body as Resource;
      expect(isDeepStrictEqual(one.variables, resolved.get(name))).toBe(true);
      const own = (await admin.get(`/v1/hosts/${String(id)}/variables`).expect(200)).body as Resource;
      expect(own.variables).toEqual(fleet.hosts.find((host) => host.name === name)?.variables);
    }
  }, 60_000);

  it.each(queries)('finds hosts %s: %s', async (_, vars, predicate) => {
    const response = await admin
      .get(`/v1/hosts?fields=name&limit=10000&vars=${encodeURIComponent(vars)}`)
      .expect(200);
    const expected = fleet.hosts.filter((host) => predicate(resolved.get(host.name) ?? {}, host));
    expect((response.body as Resource[]).map((host) => host.name).sort()).toEqual(
      expected.map((host) => host.name).sort(),
    );
  });

  it('has matches for every query, but not all hosts for any', () => {
    const counts = queries.slice(0, -1).map(([, vars, predicate]) => ({
      vars,
      found: fleet.hosts.filter((host) => predicate(resolved.get(host.name) ?? {}, host)).length,
    }));
    expect(counts.filter(({ found }) => found === 0 || found === fleet.hosts.length)).toEqual([]);
  });

  it('finds the hosts that override a variable of their site', async () => {
    const overriding = fleet.hosts.filter((host) => Object.hasOwn(host.variables, 'cluster'));
    expect(overriding.length).toBeGreaterThan(0);
    for (const value of new Set(overriding.map((host) => host.variables['cluster']))) {
      const vars = `cluster:${JSON.stringify(value)}`;
      const response = await admin
        .get(`/v1/hosts?fields=name&limit=10000&vars=${encodeURIComponent(vars)}`)
        .expect(200);
      const expected = fleet.hosts.filter(({ name }) => resolved.get(name)?.['cluster'] === value);
      expect((response.body as Resource[]).map(({ name }) => name).sort()).toEqual(
        expected.map(({ name }) => name).sort(),
      );
    }
  });

  it('is recreated by its export, in any order of the lines', async () => {
    const lines = await exportTexts(admin);
    const copy = await app.project();
    const summary = await importLines(copy, [...lines].reverse());
    expect(summary).toMatchObject({ created: lines.length, failed: 0 });
    // Ids follow the order of an import.
    expect((await exportTexts(copy)).sort()).toEqual([...lines].sort());
    expect(await importLines(copy, lines)).toMatchObject({ created: 0, updated: 0, unchanged: lines.length });
  }, 180_000);
});
