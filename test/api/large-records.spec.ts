import { Client } from 'pg';
import { startService, type OwnService } from '../support/service';
import type { Caller, Resource } from '../support/caller';
import { lastChange } from '../support/reverts';

interface Shown {
  readonly id: number;
  readonly objects_total: number;
  readonly objects: { readonly id: number; readonly kind: string; readonly action: string }[];
}

/** Every seventh is a network device. 10,003 are hosts: above the revert limit and one page of an impact. */
const DEVICES = 11_670;

/** Records whose objects exceed one response. */
describe('change records of many resources', () => {
  let app: OwnService;
  beforeAll(async () => {
    // A change of ten thousand resources delays other changes and the feed.
    app = await startService();
  });
  afterAll(() => app.stop());

  let admin: Caller;
  /** The hosts that the change altered. */
  let ids: number[];
  let record: Shown;
  beforeAll(async () => {
    admin = await app.project();
    const region = await admin.region();
    const client = new Client(app.databaseUrl);
    await client.connect();
    const { rows } = await client.query<{ id: string; kind: string }>(
      `INSERT INTO devices (project_id, kind, name, region_id, ip_address, device_type)
       SELECT $1, CASE n % 7 WHEN 0 THEN 'network-device' ELSE 'host' END, 'd' || n, $2, '10.0.0.1', 'server'
       FROM generate_series(1, ${String(DEVICES)}) n RETURNING id, kind`,
      [admin.projectId, region.id],
    );
    // Without statistics, the planner selects the hosts of the change with a nested loop.
    await client.query('ANALYZE devices');
    await client.end();
    ids = rows
      .filter(({ kind }) => kind === 'host')
      .map(({ id }) => Number(id))
      .sort((a, b) => a - b);
    const query = `/v1/hosts/variables?region_id=${String(region.id)}`;
    const { body } = await admin.put(query, { variables: { a: 1 } }).expect(200);
    expect(body).toMatchObject({ updated: ids.length });
    record = await lastChange<Shown>(admin);
  }, 120_000);
  const idsOf = (shown: Pick<Shown, 'objects'>) => shown.objects.map(({ id }) => id);

  it('contain the total and the first objects, more in a single record than in a list', async () => {
    expect(ids.length).toBeGreaterThan(10_000);
    expect(record.objects_total).toBe(ids.length);
    expect(idsOf(record)).toEqual(ids.slice(0, 100));
    const { body } = await admin.get(`/v1/changes/${String(record.id)}`).expect(200);
    expect((body as Shown).objects_total).toBe(ids.length);
    expect(idsOf(body as Shown)).toEqual(ids.slice(0, 1_000));
  });

  it('contain the requested resource in its history', async () => {
    const last = ids.at(-1) ?? 0;
    const { body } = await admin.get(`/v1/hosts/${String(last)}/changes`).expect(200);
    expect(idsOf((body as Shown[])[0] as Shown)).toEqual([...ids.slice(0, 99), last]);
  });

  it('list all their objects, page by page, in both directions', async () => {
    const path = `/v1/changes/${String(record.id)}/objects`;
    for (const direction of ['asc', 'desc']) {
      const seen: number[] = [];
      for (let next: string | undefined = `${path}?limit=4000&sort_dir=${direction}`; next !== undefined;) {
        const { body, headers }: { body: Resource[]; headers: Record<string, string> } = await admin
          .get(next)
          .expect(200);
        seen.push(...body.map(({ id }) => id));
        const link: string | undefined = /<([^>]*)>; rel="next"/.exec(headers['link'] ?? '')?.[1];
        next = link === undefined ? undefined : new URL(link).pathname + new URL(link).search;
      }
      expect(seen).toEqual(direction === 'asc' ? ids : ids.toReversed());
    }
    const { body } = await admin.get(`${path}?kind=host&action=update&limit=1`).expect(200);
    expect(body).toEqual([
      {
        kind: 'host',
        id: ids[0],
        name: 'd1',
        action: 'update',
        before: expect.objectContaining({ version: 1 }),
        after: expect.objectContaining({ version: 2 }),
        variables: { a: { after: 1 } },
      },
    ]);
    expect((await admin.get(`${path}?action=delete`).expect(200)).body).toEqual([]);
    expect((await admin.get(`${path}?marker=x`).expect(400)).body.details[0].field).toBe('marker');
    await admin.get('/v1/changes/987654321/objects').expect(404);
  });

  it('list the devices that they affected, page by page', async () => {
    const seen: number[] = [];
    for (
      let next: string | undefined = `/v1/changes/${String(record.id)}/impact?limit=1000`;
      next !== undefined;
    ) {
      const { body }: { body: { items: Resource[]; links: { rel: string; href: string }[] } } = await admin
        .get(next)
        .expect(200);
      seen.push(...body.items.map(({ id }) => id));
      const link = body.links.find(({ rel }) => rel === 'next');
      next = link && new URL(link.href).pathname + new URL(link.href).search;
    }
    expect(seen).toEqual(ids);
  }, 120_000);

  it('cannot be reverted above ten thousand resources', async () => {
    const { body } = await admin.post(`/v1/changes/${String(record.id)}/revert`).expect(409);
    expect(body.message).toContain('more than 10000 resources');
    const few = await admin.put('/v1/hosts/variables', { ids: ids.slice(0, 1_100), variables: { a: 2 } });
    expect(few.status).toBe(200);
    const { id } = await lastChange(admin);
    const { body: reverted } = await admin.post(`/v1/changes/${String(id)}/revert`).expect(201);
    expect(reverted).toMatchObject({ objects_total: 1_100 });
    expect((reverted as Shown).objects).toHaveLength(1_000);
    const { body: variables } = await admin.get(`/v1/hosts/${String(ids[1_099])}/variables`).expect(200);
    expect(variables).toEqual({ variables: { a: 1 } });
  });

  it('count only the objects that a caller without roles sees', async () => {
    const other = await app.project();
    await other.put(`/v1/projects/${other.projectId}/settings`, { private: ['p'] }).expect(200);
    await other.post('/v1/variable-definitions', { key: 'p', schema: true }).expect(201);
    const reader = await other.user({ roles: [] });
    const { body } = await reader.get('/v1/changes?kind=variable-definition').expect(200);
    for (const shown of body as Shown[]) expect(shown.objects_total).toBe(shown.objects.length);
  });
});
