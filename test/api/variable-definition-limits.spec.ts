import { Client } from 'pg';
import { sharedService } from '../support/service';
import type { Caller, Resource } from '../support/caller';

const PATH = '/v1/variable-definitions';
const MAX_DEFINITIONS = 1_000;

describe('many variable definitions', () => {
  const app = sharedService();
  let admin: Caller;
  beforeEach(async () => {
    admin = await app.project();
  });
  /** Inserts definitions of `key_1`, `key_2` … directly into the database, which is faster. */
  async function fill(count: number): Promise<void> {
    const client = new Client({ connectionString: app.databaseUrl });
    await client.connect();
    await client.query(
      `INSERT INTO variable_definitions (project_id, key, schema)
       SELECT $1, 'key_' || i, '{"type":"number"}' FROM generate_series(1, $2::integer) AS i`,
      [admin.projectId, count],
    );
    await client.end();
  }

  it('are limited to a thousand per project, on every path', async () => {
    const { id } = (await admin.post(PATH, { key: 'first', schema: true }).expect(201)).body as Resource;
    await admin.delete(`${PATH}/${String(id)}`).expect(204);
    const [deletion] = (await admin.get('/v1/changes?sort_dir=desc&limit=1').expect(200)).body as Resource[];
    await fill(MAX_DEFINITIONS - 1);
    const made = await Promise.all(['a', 'b', 'c'].map((key) => admin.post(PATH, { key, schema: true })));
    expect(made.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const { body } = await admin.post(PATH, { key: 'one_more', schema: true }).expect(409);
    expect(body).toMatchObject({ code: 'conflict' });
    await admin.post(`/v1/changes/${String(deletion?.id)}/revert`, {}).expect(409);
    const another = await app.project();
    await another.post(PATH, { key: 'one_more', schema: true }).expect(201);
    const last = made.find(({ status }) => status === 201)?.body as Resource;
    await admin.put(`${PATH}/${String(last.id)}`, { key: 'renamed' }).expect(200);
    await admin.delete(`${PATH}/${String(last.id)}`).expect(204);
    await admin.post(PATH, { key: 'one_more', schema: true }).expect(201);
  });

  it('apply to a write of as many keys, and report the first hundred errors', async () => {
    await fill(MAX_DEFINITIONS - 1);
    const host = await admin.host();
    const values = (value: unknown) =>
      Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`key_${String(i)}`, value]));
    await admin.put(`/v1/hosts/${String(host.id)}/variables`, values(1)).expect(200);
    const { body } = await admin.put(`/v1/hosts/${String(host.id)}/variables`, values('x')).expect(400);
    expect((body as { details: object[] }).details).toHaveLength(100);
  });
});
