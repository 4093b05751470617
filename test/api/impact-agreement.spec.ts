import type { Response } from 'supertest';
import { sharedService } from '../support/service';
import { SecondConnection } from '../support/second-connection';
import type { Caller, Resource } from '../support/caller';

interface Change {
  readonly id: number;
  readonly impact: { readonly devices: number };
}

/** Compares the count in a change record with the devices that `/v1/changes/{id}/impact` lists. */
describe('the impact counts of concurrent changes', () => {
  const app = sharedService();
  let secondConnection: SecondConnection;
  let admin: Caller;
  beforeAll(async () => {
    secondConnection = await SecondConnection.connect(app.databaseUrl);
  });
  beforeEach(async () => {
    admin = await app.project();
  });
  afterAll(async () => {
    await secondConnection.close();
  });

  /**
   * Sends a write, and a second one after the first has the id of its record and before it commits.
   * @param first sets the variable `held` of a resource, whose correlation row another connection has inserted
   */
  async function overlapping(
    [kind, { id }]: readonly [string, Resource],
    first: () => PromiseLike<Response>,
    second: () => PromiseLike<Response>,
  ): Promise<void> {
    const release = await secondConnection.acquire({
      text: `INSERT INTO variable_correlations (project_id, object_type, object_id, key, change_id, value_hash)
        SELECT project_id, $2, $3, 'held', max(id), 0 FROM changes WHERE project_id = $1 GROUP BY project_id`,
      values: [admin.projectId, kind, id],
    });
    const writes: Promise<Response>[] = [];
    try {
      writes.push(Promise.resolve(first()));
      await secondConnection.waiting(1);
      const other = Promise.resolve(second());
      writes.push(other);
      await Promise.race([other, secondConnection.waiting(2)]);
    } finally {
      await release();
    }
    for (const { status, text } of await Promise.all(writes))
      expect({ text, written: [200, 201].includes(status) }).toMatchObject({ written: true });
  }

  /** Checks the records of the last two changes. @returns their device counts, by change id */
  async function deviceCounts(): Promise<number[]> {
    const { body } = await admin.get('/v1/changes?sort_dir=desc&limit=2').expect(200);
    const changes = body as Change[];
    for (const { id, impact } of changes) {
      const listed = await admin.get(`/v1/changes/${String(id)}/impact`).expect(200);
      const { items } = listed.body as { items: unknown[] };
      expect({ id, devices: items.length }).toEqual({ id, ...impact });
    }
    return changes.map(({ impact }) => impact.devices).reverse();
  }

  const variables = (collection: string, { id }: Resource) => `/v1/${collection}/${String(id)}/variables`;

  it('agree if a host moves into a region while its variables change', async () => {
    const region = await admin.region();
    await admin.host({ region_id: region.id });
    const host = await admin.host();
    await overlapping(
      ['host', host],
      () => admin.put(`/v1/hosts/${String(host.id)}`, { region_id: region.id, variables: { held: 1 } }),
      () => admin.put(variables('regions', region), { a: 1 }),
    );
    expect(await deviceCounts()).toEqual([1, 2]);
  });

  it('agree if a host gets a label while its variables change', async () => {
    const label = await admin.label();
    const host = await admin.host();
    await overlapping(
      ['host', host],
      () => admin.put(`/v1/hosts/${String(host.id)}`, { labels: [label['label']], variables: { held: 1 } }),
      () => admin.put(variables('labels', label), { a: 1 }),
    );
    expect(await deviceCounts()).toEqual([1, 1]);
  });

  it('agree if hosts are created in a region while its variables change', async () => {
    const region = await admin.region();
    const host = { device_type: 'server', ip_address: '10.0.0.1', region_id: region.id };
    await overlapping(
      ['region', region],
      () => admin.put(variables('regions', region), { held: 1 }),
      () => admin.post('/v1/hosts', { name: 'created', ...host }),
    );
    expect(await deviceCounts()).toEqual([0, 1]);
  });
});
