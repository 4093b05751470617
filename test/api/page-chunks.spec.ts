import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { Client } from 'pg';
import { describeOnOneServer } from '../support/citus';
import { startService, type OwnService } from '../support/service';
import { SecondConnection } from '../support/second-connection';
import { aName, type Caller, type Resource } from '../support/caller';
import { query } from '../support/database';
import { authHeaders } from '../support/http-exchange';
import { itemOfMarker } from '../support/read-pages';
import { StatementRecorder } from '../support/statement-recorder';
import { readTrafficMetrics } from '../support/traffic-metrics';
import { until } from '../support/until';

jest.setTimeout(120_000);

/** Together they far exceed the buffers between the service and a client that does not read. */
const LARGE_HOSTS = 32;
/** Each piece has 32 random characters, so that the values do not compress. */
const PIECES = 12_000;
/** More rows than the service reads at once. */
const LONG_PAGE = 1_234;

const LIMIT = 10;
/** More than the service scans row by row before it uses the indexes. */
const HOSTS = 700;

/** Open responses. An unread response would block the shutdown of the service. */
const openResponses: IncomingMessage[] = [];
afterEach(() => {
  for (const response of openResponses.splice(0)) response.destroy();
});

/** A client that receives the beginning of a response and reads the rest on request. */
class PausedReader {
  private constructor(private readonly response: IncomingMessage) {}

  static async about(caller: Caller, path: string, more: Record<string, string> = {}): Promise<PausedReader> {
    const headers = { ...authHeaders(caller.credentials), ...more };
    const request = get(caller.url + path, { headers, agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    openResponses.push(response);
    for (const one of [request, response]) one.on('error', () => undefined);
    return new PausedReader(response);
  }

  async rest(): Promise<Resource[]> {
    const parts: Buffer[] = [];
    for await (const part of this.response) parts.push(part as Buffer);
    return JSON.parse(Buffer.concat(parts).toString()) as Resource[];
  }

  leave(): void {
    this.response.destroy();
  }
}

let recorder: StatementRecorder;
let app: OwnService;
let secondConnection: SecondConnection;
beforeAll(async () => {
  recorder = await StatementRecorder.create();
  app = await startService({ DATABASE_POOL_SIZE: '2', LOG_LEVEL: 'info' }, recorder.database);
  secondConnection = await SecondConnection.connect(app.databaseUrl);
});
afterAll(async () => {
  await secondConnection.close();
  await app.stop();
});

describe('a page that is too large to buffer', () => {
  let admin: Caller;
  let hosts: Resource[];
  beforeAll(async () => {
    admin = await app.project();
    const region = await admin.region({ variables: { region: 'its' } });
    // Some hosts have small values.
    const bodies = Array.from({ length: LARGE_HOSTS * 2 }, (_, i) => ({
      name: aName('host'),
      region_id: region.id,
      ip_address: '10.0.0.1',
      device_type: 'server',
      variables: { own: i },
      labels: `l${String(i % 3)}`,
    }));
    hosts = (await admin.post('/v1/hosts', bodies).expect(201)).body as Resource[];
    // Requests would also record the 12 MB, and send them.
    await query(
      app,
      `UPDATE devices SET variables = variables || ('{"long": "' || (
         SELECT string_agg(md5(id::text || i::text), '') FROM generate_series(1, $2) AS i) || '"}')::jsonb
       WHERE project_id = $1 AND (variables -> 'own')::int % 2 = 0`,
      [admin.projectId, PIECES],
    );
  });

  const ids = (resources: readonly Resource[]): number[] => resources.map(({ id }) => id);
  const at = (index: number): Resource => hosts.at(index) as Resource;

  it('returns large and small rows in order, each with its own values', async () => {
    for (const [parameters, expected] of [
      ['', ids(hosts)],
      ['&sort_dir=desc', ids(hosts).reverse()],
      ['&limit=40', ids(hosts).slice(0, 40)],
    ] as const) {
      const page = (await admin.get(`/v1/hosts?fields=id,variables,labels,links${parameters}`).expect(200))
        .body as Resource[];
      expect(ids(page)).toEqual(expected);
      for (const { id, labels, variables, links } of page) {
        const own = ids(hosts).indexOf(id);
        expect([labels, variables['own'], variables['region']]).toEqual([`l${String(own % 3)}`, own, 'its']);
        const { long } = variables;
        expect(typeof long === 'string' ? long.length : 0).toBe(own % 2 === 0 ? PIECES * 32 : 0);
        expect(links).toHaveLength(1);
      }
    }
  });

  it('returns the same data as single reads, with own values and with explain', async () => {
    const own = (await admin.get('/v1/hosts?resolved-values=false&limit=3&explain=region').expect(200))
      .body as Resource[];
    expect(own.map(({ variables }) => Object.keys(variables).sort())).toEqual([
      ['long', 'own'],
      ['own'],
      ['long', 'own'],
    ]);
    expect(own.map(({ explain }) => Object.keys(explain as object))).toEqual([
      ['region'],
      ['region'],
      ['region'],
    ]);
    const page = (await admin.get('/v1/hosts?limit=2').expect(200)).body as Resource[];
    for (const host of page)
      expect(
        isDeepStrictEqual((await admin.get(`/v1/hosts/${String(host.id)}`).expect(200)).body, host),
      ).toBe(true);
  });

  it('reads each row when it is sent, and omits rows that were deleted before', async () => {
    const reader = await PausedReader.about(admin, '/v1/hosts');
    const [deleted, changed] = [at(-4), at(-2)];
    await admin.delete(`/v1/hosts/${String(deleted.id)}`).expect(204);
    await admin.put(`/v1/hosts/${String(changed.id)}`, { note: 'new' }).expect(200);
    await admin.put(`/v1/hosts/${String(changed.id)}/variables`, { own: 'new' }).expect(200);
    const page = await reader.rest();
    expect(ids(page)).toEqual(ids(hosts).filter((id) => id !== deleted.id));
    const shown = page.at(-2);
    expect([shown?.version, shown?.['note'], shown?.variables['own']]).toEqual([3, 'new', 'new']);
    hosts = page;
  });

  it('holds no database connection while clients read slowly', async () => {
    const readers = await Promise.all(
      ['', '&explain=region', '&resolved-values=false'].map((more) =>
        PausedReader.about(admin, `/v1/hosts?fields=id,variables${more}`),
      ),
    );
    // The pool has two connections, and three readers have not finished.
    const name = aName('region');
    await admin.region({ name });
    expect((await admin.get(`/v1/regions?name=${name}`).expect(200)).body).toHaveLength(1);
    await secondConnection.untilIdle();
    for (const reader of readers) expect(ids(await reader.rest())).toEqual(ids(hosts));
  });

  it('stops reading when the client disconnects', async () => {
    const page = '/v1/hosts?fields=id,variables';
    const all = await recorder.during(admin.projectId, () => admin.get(page).expect(200));
    const some = await recorder.during(admin.projectId, async () => {
      const reader = await PausedReader.about(admin, page);
      reader.leave();
      await until('no request is active', 30, async () => (await readTrafficMetrics(app)).inFlight === 0);
    });
    expect(some.length).toBeGreaterThan(0);
    expect(some.length).toBeLessThan(all.length);
  });

  it('resets the connection when the database connection is lost, and logs the reason', async () => {
    const id = aName('cut');
    const reader = await PausedReader.about(admin, '/v1/hosts?fields=id,variables', { 'X-Request-Id': id });
    recorder.cutAt(admin.projectId);
    await expect(reader.rest()).rejects.toMatchObject({ code: 'ECONNRESET' });
    recorder.cutAt(undefined);
    const logged = () => app.program.lines.filter((line) => line.includes(`"${id}"`));
    await until('the request is logged', 60, () => Promise.resolve(logged().length > 0));
    expect(logged()).toEqual([expect.stringContaining('read ECONNRESET')]);
  });
});

describe('a page with more rows than the service reads at once', () => {
  let admin: Caller;
  beforeAll(async () => {
    admin = await app.project();
    const region = await admin.region({ variables: { region: 'its' } });
    // Requests would also write change records, which no test reads.
    await query(
      app,
      `INSERT INTO devices (project_id, kind, name, region_id, ip_address, device_type, variables)
       SELECT $1, 'host', 'h' || i * 7919 % 10007, $2, '10.0.0.0'::inet + i, 'server', jsonb_build_object('own', i)
       FROM generate_series(1, $3::int) AS i`,
      [admin.projectId, region.id, LONG_PAGE],
    );
  });

  it.each([
    ['an admin', ''],
    ['root', '&sort_keys=name'],
    ['an admin', '&sort_dir=desc'],
    ['root', '&vars=region:"its"'],
    ['an admin', '&vars=region:"its"'],
    ['root', '&resolved-values=false'],
  ])('equals the concatenated shorter pages for %s with the parameters %j', async (who, parameters) => {
    const caller = who === 'root' ? app.root : admin;
    const path = `/v1/hosts?limit=10000&project_id=${admin.projectId}${parameters}`;
    const long = await caller.get(path).expect(200);
    const items = long.body as Resource[];
    expect(items).toHaveLength(LONG_PAGE);
    expect(long.headers['link']).not.toContain('rel="next"');
    const short: Resource[] = [];
    for (let marker = ''; ; marker = `&marker=${String(short.at(-1)?.id)}`) {
      const page = (await caller.get(path.replace('10000', '500') + marker).expect(200)).body as Resource[];
      short.push(...page);
      if (page.length < 500) break;
    }
    expect(isDeepStrictEqual(items, short)).toBe(true);
  });

  it('has a next link', async () => {
    const long = await admin.get('/v1/hosts?limit=1100').expect(200);
    const items = long.body as Resource[];
    expect(items).toHaveLength(1100);
    expect(long.headers['link']).toContain(`marker=${String(items.at(-1)?.id)}>; rel="next"`);
  });
});

describe('a page that takes several statements', () => {
  let admin: Caller;

  /** Creates hosts whose names are in the order of their ids. Hosts from an index on have the label `l`. */
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

  const read = async (parameters: string) => {
    const { body, headers } = await admin
      .get(`/v1/hosts?sort_keys=name&fields=id&limit=${String(LIMIT)}&${parameters}`)
      .expect(200);
    const [, next = ''] = /marker=([^&>]*)>; rel="next"/.exec(String(headers['link'])) ?? [];
    return { ids: (body as Resource[]).map(({ id }) => id), next: itemOfMarker(next) };
  };

  const connect = async () => {
    const client = new Client({ connectionString: app.databaseUrl });
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return { client, pid: Number(rows[0]?.pid) };
  };

  /**
   * Reads a page sorted by name, and deletes hosts when some of its statements are done: between two statements, another connection
   * gets the lock of the hosts, because it waits before the second one does.
   */
  async function pageWithout(deleted: readonly number[], parameters: string, statements: number) {
    const holders = await Promise.all(Array.from({ length: statements + 1 }, connect));
    try {
      const lock = async ({ client }: (typeof holders)[number]) => {
        await client.query('BEGIN');
        await client.query('LOCK TABLE devices');
      };
      const [first, ...others] = holders as [(typeof holders)[number], ...typeof holders];
      let holder = first;
      await lock(holder);
      const page = read(parameters);
      for (const other of others) {
        await secondConnection.waitingFor(holder.pid, 1);
        const locked = lock(other);
        await secondConnection.waitingFor(holder.pid, 2);
        await holder.client.query('COMMIT');
        await locked;
        holder = other;
      }
      await holder.client.query('DELETE FROM device_labels WHERE device_id = ANY($1::bigint[])', [deleted]);
      await holder.client.query('DELETE FROM devices WHERE id = ANY($1::bigint[])', [deleted]);
      await holder.client.query('COMMIT');
      return await page;
    } finally {
      for (const { client } of holders) await client.end();
    }
  }

  it('contains all matching rows when rows that were already scanned are deleted', async () => {
    const all = await hosts(525);
    const { ids } = await pageWithout(all.slice(0, 20), 'label=l', 1);
    expect(ids).toEqual(all.slice(525, 525 + LIMIT));
  });

  it('contains the items of the statement that found them, although they are deleted before it ends', async () => {
    const all = await hosts(0);
    const { ids, next } = await pageWithout(all.slice(0, LIMIT + 1), 'label=l', 1);
    expect(ids).toEqual(all.slice(0, LIMIT));
    expect(next).toBe(String(ids.at(-1)));
  });

  describe('of which one finds positions, and the last one reads the rows at them', () => {
    /** The matches begin after the first scan, so an index finds them: a plan is made for each network. */
    const [FIRST_MATCH, NETWORK] = [640, 'ip=10.0.2.128/25'];
    let all: readonly number[];
    let statements: number;
    beforeEach(async () => {
      all = await hosts(HOSTS);
      const sent = await recorder.during(admin.projectId, () => read(NETWORK));
      statements = sent.filter(({ text }) => text.includes('devices')).length;
      expect(statements).toBeGreaterThan(1);
    });

    it('omits rows that were deleted in between, and has a next link', async () => {
      const matches = all.slice(FIRST_MATCH, FIRST_MATCH + LIMIT);
      const { ids, next } = await pageWithout(matches.slice(2, 4), NETWORK, statements - 1);
      expect(ids).toEqual([...matches.slice(0, 2), ...matches.slice(4)]);
      expect(next).toBe(String(ids.at(-1)));
    });

    it('is read again when all of its rows were deleted in between', async () => {
      const matches = all.slice(FIRST_MATCH);
      const { ids, next } = await pageWithout(matches.slice(0, LIMIT + 1), NETWORK, statements - 1);
      expect(ids).toEqual(matches.slice(LIMIT + 1, 2 * LIMIT + 1));
      expect(next).toBe(String(ids.at(-1)));
    });
  });
});

/** On a service of its own, because the lock of a table blocks the requests of other tests. */
describeOnOneServer('the lock of a table is on one server')('the first array of a key', () => {
  let client: Client;
  beforeAll(async () => {
    client = new Client({ connectionString: app.databaseUrl });
    await client.connect();
  });
  afterAll(() => client.end());

  it.each([
    ['the only page', '/v1/hosts?limit=3&vars=dns:"a"', ['a', 'b', 'c']],
    ['the last page', '/v1/hosts?limit=2&marker=last&vars=dns:"a"', ['b', 'c']],
  ])(
    'has its elements found, even if it is set after the levels were read: on %s',
    async (_, path, expected) => {
      const admin = await app.project();
      const region_id = (await admin.region()).id;
      const hosts: Resource[] = [];
      for (const name of expected.includes('a') ? expected : ['a', ...expected])
        hosts.push(await admin.host({ name, region_id, variables: { dns: 'a' } }));
      await admin.get(path).expect(200);
      const [pid] = (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows;
      // The levels are in other tables.
      await client.query('BEGIN');
      await client.query('LOCK TABLE devices IN ACCESS EXCLUSIVE MODE');
      const page = admin.get(path).expect(200);
      const found = page.then(({ body }) => (body as Resource[]).map(({ name }) => name));
      await secondConnection.waitingFor(Number(pid?.pid), 1);
      const last = [admin.projectId, hosts.at(-1)?.id];
      await client.query('UPDATE devices SET variables = $3 WHERE project_id = $1 AND id = $2', [
        ...last,
        { dns: ['a', 'b'] },
      ]);
      await client.query(
        "UPDATE variable_correlations SET value_hash = 0 WHERE project_id = $1 AND object_id = $2 AND key = 'dns'",
        last,
      );
      await client.query('COMMIT');
      expect(await found).toEqual(expected);
    },
  );
});
