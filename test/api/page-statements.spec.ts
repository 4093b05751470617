import { Client } from 'pg';
import { startService, type OwnService } from '../support/service';
import { Bystander } from '../support/bystander';
import type { Caller, Resource } from '../support/caller';
import { query } from '../support/database';

const LIMIT = 10;
/** More than are looked at one by one before the indexes are asked. */
const HOSTS = 700;

describe('a page that takes several statements', () => {
  let app: OwnService;
  beforeAll(async () => {
    // The tests lock whole tables.
    app = await startService();
  });
  let bystander: Bystander;
  let admin: Caller;
  beforeAll(async () => {
    bystander = await Bystander.on(app.databaseUrl);
  });
  afterAll(async () => {
    await bystander.close();
    await app.stop();
  });

  /** Makes hosts whose names are in the order of their ids, of which those from a place on carry the label `l`. */
  async function hosts(from: number): Promise<number[]> {
    admin = await app.project();
    const region = await admin.region({});
    const label = (await admin.post('/v1/labels', { label: 'l' }).expect(201)).body as Resource;
    const rows = await query<{ id: string }>(
      app,
      `WITH d AS (
         INSERT INTO devices (project_id, kind, name, region_id, ip_address, device_type)
         SELECT $1, 'host', 'h' || lpad(i::text, 4, '0'), $2, '10.0.0.0'::inet + i, 'server'
         FROM generate_series(0, $3 - 1) AS i RETURNING project_id, id, name
       ), a AS (
         INSERT INTO device_labels (project_id, device_id, label_id)
         SELECT project_id, id, $4 FROM d WHERE name >= 'h' || lpad($5::text, 4, '0')
       ) SELECT id FROM d ORDER BY name`,
      [admin.projectId, region.id, HOSTS, label.id, from],
    );
    return rows.map(({ id }) => Number(id));
  }

  /** A page in the order of names, with hosts being deleted when its first statement is over, and before the next. */
  async function pageWithout(gone: readonly number[]) {
    const other = new Client({ connectionString: app.databaseUrl });
    await other.connect();
    try {
      const letGo = await bystander.hold({ text: 'LOCK TABLE device_labels', values: [] });
      const page = admin
        .get(`/v1/hosts?label=l&sort_keys=name&fields=id&limit=${String(LIMIT)}`)
        .expect(200)
        .then((answer) => answer);
      await bystander.waiting(1);
      await other.query('BEGIN');
      const locked = other.query('LOCK TABLE devices');
      await bystander.waiting(2);
      await letGo();
      await locked;
      await other.query('DELETE FROM device_labels WHERE device_id = ANY($1::bigint[])', [gone]);
      await other.query('DELETE FROM devices WHERE id = ANY($1::bigint[])', [gone]);
      await other.query('COMMIT');
      const { body, headers } = await page;
      return { ids: (body as Resource[]).map(({ id }) => id), link: headers['link'] };
    } finally {
      await other.end();
    }
  }

  it('misses nothing behind what it has looked at, when that is deleted', async () => {
    const all = await hosts(525);
    const { ids } = await pageWithout(all.slice(0, 20));
    expect(ids).toEqual(all.slice(525, 525 + LIMIT));
  });

  it('has a next one, although one of its own items is deleted', async () => {
    const all = await hosts(0);
    const { ids, link } = await pageWithout(all.slice(2, 3));
    expect(ids).not.toContain(all[2]);
    expect(link).toContain(`marker=${String(ids.at(-1))}>; rel="next"`);
  });

  it('is what is behind it, when all of its own items are deleted', async () => {
    const all = await hosts(0);
    const { ids, link } = await pageWithout(all.slice(0, LIMIT + 1));
    expect(ids).toEqual(all.slice(LIMIT + 1, 2 * LIMIT + 1));
    expect(link).toContain(`marker=${String(ids.at(-1))}>; rel="next"`);
  });
});
