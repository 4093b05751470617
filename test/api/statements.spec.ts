import { describeOnOneServer, itOnOneServer } from '../support/citus';
import { aName, type Caller, type Resource } from '../support/caller';
import { inParallel, loadFleet, type Fleet } from '../support/fleet';
import { FEED_TIMEOUT, FeedReader, type FeedAnswer } from '../support/feed-reader';
import { readPage } from '../support/read-pages';
import { RecordedService } from '../support/recorded-service';
import { lastChange } from '../support/reverts';
import { tuplesRead } from '../support/tuples-read';
import { until } from '../support/until';

// A test of the feed may wait for it several times (see FEED_TIMEOUT).
jest.setTimeout(240_000);

/** A service whose statements are recorded. See query-counts.spec.ts for the rows that they read. */
let service: RecordedService;
let admin: Caller;
beforeAll(async () => {
  service = await RecordedService.start();
});
afterAll(() => service.stop());
beforeEach(async () => {
  admin = await service.app.project();
});

const during = (work: () => Promise<unknown>) => service.recorder.during(admin.projectId, work);
const statementsOf = async (path: string) => (await during(() => admin.get(path).expect(200))).length;

/** Waits until no transaction is older than the changes of a project, so that the feed delivers them. */
async function untilDelivered(of: Caller): Promise<void> {
  await until('the feed delivers the changes', FEED_TIMEOUT, async () => {
    const { rows } = await service.client.query<{ delivered: boolean }>(
      'SELECT max(transaction_id) < pg_snapshot_xmin(pg_current_snapshot()) AS delivered FROM changes WHERE project_id = $1',
      [of.projectId],
    );
    return rows[0]?.delivered === true;
  });
}

const CHANGES = 30_000;
/** The rows of one page, the lookups for each of them, and an index scan over a few hundred objects. */
const MAX_ROWS_PER_PAGE = 1_500;

/** Adds changes of one resource each to the project $1. @param count, id, after SQL; `id` over the change's id */
const fill = (count: string, kind: string, id: string, after: string) => `
  WITH change AS (
    INSERT INTO changes (project_id, created_at, actor_username, request_id)
    SELECT $1, now(), 'loader', 'loading' FROM generate_series(1, ${count}::integer) RETURNING id
  )
  INSERT INTO change_objects (project_id, change_id, ordinal, kind, object_id, name, action, after)
  SELECT $1, id, 0, '${kind}', ${id}, 'x', 'update', '${after}' FROM change`;

/** Adds $2 changes, each of one of 5000 clouds. */
const FILL_CLOUDS = fill('$2', 'cloud', '1000000 + id % 5000', '{}');

/** Hosts that were deleted, with ids between those of the present ones. */
const DELETED_HOSTS = 22_000;
/** Per response, and fewer than there are records. */
const MAX_ROWS_PER_RESPONSE = 20_000;

/** One record for each device, before or after the requested change. */
const FILL_HOSTS = fill('$3', 'host', '$2 + row_number() OVER (ORDER BY id)', '{"region_id": 0}');

interface Page {
  readonly items: readonly { readonly id: number; readonly changes: unknown }[];
  readonly links: readonly { readonly href: string }[];
}

describeOnOneServer('it counts the rows that one server reads')('in a long history', () => {
  let admin: Caller;
  let cloud: Resource;
  beforeAll(async () => {
    admin = await service.app.project();
    cloud = await admin.cloud();
    await service.fill(FILL_CLOUDS, [admin.projectId, CHANGES]);
    await admin.put(`/v1/clouds/${String(cloud.id)}`, { note: 'n' }).expect(200);
    await service.client.query('ANALYZE');
    // Until then, the feed reads every change of the filling transaction: see FEED_TIMEOUT.
    await untilDelivered(admin);
  });

  const expectOnePageRead = (work: () => Promise<unknown>): Promise<void> =>
    service.expectReads(/change/, MAX_ROWS_PER_PAGE, work);

  it.each(['?limit=1', '?limit=10', '?limit=10&sort_dir=desc', '?limit=10&key=a', '?limit=10&actor=nobody'])(
    'the changes of one resource are found by its own index: %s',
    async (query) => {
      const path = `/v1/clouds/${String(cloud.id)}/changes${query}`;
      await expectOnePageRead(() => admin.get(path).expect(200));
      await expectOnePageRead(() => service.app.root.get(path).expect(200));
    },
  );

  it('the changes of one resource among all changes, too', async () => {
    const id = String(cloud.id);
    for (const filter of [`resource=clouds/${id}`, `kind=cloud&object_id=${id}`])
      for (const caller of [admin, service.app.root]) {
        const path = `/v1/changes?${filter}&limit=10`;
        expect((await caller.get(path).expect(200)).body).toHaveLength(2);
        await expectOnePageRead(() => caller.get(path).expect(200));
      }
  });

  it('the changes of one resource are counted by its own index', async () => {
    const path = `/v1/changes/counts?resource=clouds/${String(cloud.id)}`;
    expect((await admin.get(path).expect(200)).body).toMatchObject({ changes: 2 });
    await expectOnePageRead(() => admin.get(path).expect(200));
  });

  it('the feed reads one page from its start, its middle and its end', async () => {
    for (const caller of [admin, service.app.root]) {
      const reader = new FeedReader(caller);
      await expectOnePageRead(() => reader.next());
      await expectOnePageRead(() => reader.on(100));
      const latest = new FeedReader(caller, 'latest');
      await expectOnePageRead(() => latest.on());
      await admin.cloud();
      await latest.next();
      await expectOnePageRead(() => latest.on());
    }
  });
});

describeOnOneServer('it counts the rows that one server reads')('the impact of an old change', () => {
  let admin: Caller;
  /** The feed cursor before the change. */
  let before: string;
  let change: number;
  let moved: Resource[];
  let stayed: Resource;
  beforeAll(async () => {
    admin = await service.app.project();
    const [region, elsewhere] = [await admin.region(), await admin.region()];
    const first = await admin.host({ region_id: region.id });
    await service.fill(FILL_HOSTS, [admin.projectId, first.id, DELETED_HOSTS]);
    await service.client.query(`SELECT setval(pg_get_serial_sequence('devices', 'id'), $1)`, [
      first.id + DELETED_HOSTS,
    ]);
    ({ cursor: before } = (await admin.get('/v1/changes/feed?after=latest').expect(200)).body as FeedAnswer);
    const last = await admin.host({ region_id: region.id });
    stayed = await admin.host({ region_id: region.id });
    await admin.put(`/v1/regions/${String(region.id)}/variables`, { a: 1 }).expect(200);
    change = (await lastChange(admin)).id;
    moved = [first, last];
    for (const { id } of moved)
      await admin.put(`/v1/hosts/${String(id)}`, { region_id: elsewhere.id }).expect(200);
  });

  async function pages(limit: number): Promise<Page[]> {
    const found: Page[] = [];
    let path: string | undefined = `/v1/changes/${String(change)}/impact?limit=${String(limit)}`;
    while (path !== undefined) {
      const page = (await admin.get(path).expect(200)).body as Page;
      found.push(page);
      path = page.links[0]?.href.replace(admin.url, '');
    }
    return found;
  }

  async function expectAllDevices(): Promise<void> {
    const items = [...moved, stayed].map(
      ({ id }) => expect.objectContaining({ id, changes: { a: { after: 1 } } }) as unknown,
    );
    for (const limit of [1, 100]) expect((await pages(limit)).flatMap((page) => page.items)).toEqual(items);
  }

  it('is complete after a few later changes', async () => {
    await expectAllDevices();
  });

  describe('before many later changes', () => {
    beforeAll(async () => {
      await service.fill(FILL_HOSTS, [admin.projectId, moved[0]?.id, DELETED_HOSTS]);
      await service.client.query('ANALYZE');
    });

    it('is complete, and each response reads a limited number of rows', async () => {
      await expectAllDevices();
      await service.expectReads(/change_objects/, MAX_ROWS_PER_RESPONSE, () =>
        admin.get(`/v1/changes/${String(change)}/impact`).expect(200),
      );
    });

    it('limits the number of changes per feed page to what one response can read', async () => {
      const feed = async (query: string) => {
        const { body } = await admin.get(`/v1/changes/feed?limit=1000&after=${before}${query}`).expect(200);
        return (body as FeedAnswer).changes.length;
      };
      await untilDelivered(admin);
      expect(await feed('')).toBe(1_000);
      const resolved = await feed('&resolved=true');
      expect(resolved).toBeGreaterThan(0);
      expect(resolved).toBeLessThan(1_000);
    });
  });
});

/** Adds $2 cells below the region $3 of the project $1, each of which sets two keys. */
const FILL_CELLS = `
  WITH change AS (
    INSERT INTO changes (project_id, created_at, actor_username, request_id)
    VALUES ($1, now(), 'loader', 'loading') RETURNING id
  ), cell AS (
    INSERT INTO cells (project_id, region_id, name, variables)
    SELECT $1, $3, 'cell-' || i, jsonb_build_object('gateway', i, 'vlan', i) FROM generate_series(1, $2::integer) i
    RETURNING id, variables
  )
  INSERT INTO variable_correlations (project_id, object_type, object_id, key, change_id, value_hash)
  SELECT $1, 'cell', cell.id, v.key, change.id, 0 FROM cell, change, jsonb_each(variables) v`;

describe('a key that thousands of cells set', () => {
  /** A host in one of the cells sets `vlan`, another one is in none. */
  const fillCells = async (cells: number) => {
    const region = await admin.region();
    await service.fill(FILL_CELLS, [admin.projectId, cells, region.id]);
    await service.client.query('ANALYZE cells, variable_correlations');
    const [cell] = (await admin.get('/v1/cells?limit=1').expect(200)).body as Resource[];
    const body = { region_id: region.id, ip_address: '10.0.0.1', device_type: 'server' };
    await admin.host({ ...body, cell_id: cell?.id, variables: { vlan: 1 } });
    await admin.host({ ...body, ip_address: '10.0.0.2' });
  };
  const keys = () => admin.get('/v1/variable-keys?fields=key,cells,resolved_by').expect(200);

  it('is counted without comparing each cell with each other, which would exceed the timeout of a statement', async () => {
    const cells = 12_000;
    await fillCells(cells);
    expect((await keys()).body).toEqual([
      { key: 'gateway', cells, resolved_by: 1 },
      { key: 'vlan', cells, resolved_by: 1 },
    ]);
  });

  itOnOneServer('it counts the rows that one server reads')(
    'has the devices that set it counted without reading the cells and their devices again',
    async () => {
      await fillCells(1_000);
      await service.expectReads(/device_labels/, 100, keys);
    },
  );
});

describe('the number of statements', () => {
  it('is one for a page of hosts with its links, its marker, the filter and the levels', async () => {
    const region = await admin.region();
    // PostgreSQL compresses texts of more than 2 kB.
    const variables = { motd: 'Welcome. '.repeat(1_000) };
    for (let i = 0; i < 7; i++) await admin.host({ region_id: region.id, labels: 'one,two', variables });
    const path = `/v1/hosts?limit=2&region_id=${String(region.id)}`;
    const first = await admin.get(path).expect(200);
    const markers = (first.body as Resource[]).map(({ id }) => id);
    for (const more of ['', `&marker=${String(markers[0])}`]) {
      await admin.get(path + more).expect(200);
      expect(await statementsOf(path + more)).toBe(1);
    }
    const { links } = await readPage(admin, `${path}&marker=${String(markers[0])}`);
    expect(Object.keys(links).sort()).toEqual(['first', 'last', 'next', 'prev', 'self']);
  });

  it('is two for a filter by an own value: one reads the levels that set the key', async () => {
    const region = await admin.region();
    for (let i = 0; i < 7; i++) await admin.host({ region_id: region.id, variables: { rack: i % 2 } });
    const path = `/v1/hosts?limit=2&vars=rack:1`;
    await admin.get(path).expect(200);
    expect(await statementsOf(path)).toBe(2);
  });

  it('does not depend on the number of variable keys, which are counted only on request', async () => {
    await admin.region({ variables: { a: 1 } });
    await statementsOf('/v1/variable-keys');
    const statementsForOne = await statementsOf('/v1/variable-keys');
    const variables = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`k${String(i)}`, i]));
    await admin.region({ variables });
    expect(await statementsOf('/v1/variable-keys')).toBe(statementsForOne);
    const statements = await during(() => admin.get('/v1/variable-keys?fields=key').expect(200));
    expect(statements.filter(({ text }) => /count\(|devices/.test(text))).toEqual([]);
  });

  it('does not depend on the number of variable values', async () => {
    const region = await admin.region({ variables: { ntp_region: 1 } });
    await admin.host({ region_id: region.id, variables: { all: 'host', ntp: null } });
    const correlationStatements = async (path: string) => {
      const statements = await during(() => admin.get(path).expect(200));
      return statements.filter(({ text }) => text.includes('variable_correlations')).length;
    };
    await admin.get('/v1/variables').expect(200);
    expect(await correlationStatements('/v1/variables?key=ntp')).toBe(1);
    expect(await correlationStatements('/v1/variables')).toBe(1);
    expect(await correlationStatements('/v1/variables?limit=1')).toBe(2);
  });

  itOnOneServer('each table is written by a statement of its own')(
    'is two for a write of a device, besides the begin and the end of its transaction: one writes, the other records',
    async () => {
      const cell = await admin.cell();
      const parent = await admin.host({ region_id: cell.region_id });
      const body = { name: 'new', region_id: cell.region_id, cell_id: cell.id, parent_id: parent.id };
      const variables = { serial: 'S1' };
      // Reads the levels, which are cached then.
      await admin.host({ ...body, name: 'first' });
      let path = '';
      const statements = await during(async () => {
        const host = await admin.host({ ...body, variables });
        path = `/v1/hosts/${String(host.id)}`;
      });
      expect(statements).toHaveLength(2);
      for (const write of [
        () => admin.put(`${path}/variables`, { serial: 'S2' }),
        () => admin.put(path, { note: 'moved' }),
        () => admin.put(path, { ip_address: '10.9.9.9', variables: { serial: 'S3' } }),
      ])
        expect(await during(() => write().expect(200))).toHaveLength(2);
    },
  );

  it('grows by two for the impact of a change, unless the change itself determines it', async () => {
    const region = await admin.region({ variables: { inherited: 1 } });
    const host = await admin.host({ region_id: region.id, variables: { own: 1 } });
    const put = async (body: Readonly<Record<string, unknown>>) =>
      (await during(() => admin.put(`/v1/hosts/${String(host.id)}/variables`, body).expect(200))).length;
    await put({ own: 2 });
    const baseline = await put({ own: 3 });
    expect(await put({ own: 4, fresh: 1 })).toBe(baseline);
    // One statement takes the lock that orders records, the other reads the levels.
    expect(await put({ inherited: 1 })).toBe(baseline + 2);
    const { body } = await admin.get('/v1/changes?sort_dir=desc&limit=1').expect(200);
    expect(body).toMatchObject([{ impact: { devices: 0 } }]);
  });

  it('is the same for a page of 2 hosts as for one of 200', async () => {
    const [few, many] = [await service.app.project(), await service.app.project()];
    await loadFleet(few, uniformFleet(2));
    await loadFleet(many, uniformFleet(200));
    const queries = async (caller: Caller, path: string, expected: number) => {
      await caller.get(path).expect(200);
      const statements = await service.recorder.during(caller.projectId, async () => {
        expect((await caller.get(path).expect(200)).body).toHaveLength(expected);
      });
      return statements.length;
    };
    for (const path of ['/v1/hosts', '/v1/hosts?vars=k:0', '/v1/hosts?fields=name']) {
      const queriesForTwo = await queries(few, path, path.includes('vars') ? 1 : 2);
      expect(queriesForTwo).toBeGreaterThan(0);
      expect(await queries(many, path, path.includes('vars') ? 67 : 200)).toBe(queriesForTwo);
    }
  });

  it('is the same for the explanations of 2 hosts as for those of 60', async () => {
    const [few, many] = [await service.app.project(), await service.app.project()];
    await loadFleet(few, uniformFleet(2));
    await loadFleet(many, uniformFleet(60));
    const queries = async (caller: Caller, expected: number) => {
      const path = '/v1/hosts?explain=k,c,l,serial&limit=100';
      const counts: number[] = [];
      // The caller's API key is looked up again every few seconds, so use the minimum of several runs.
      for (let time = 0; time < 3; time++) {
        const statements = await service.recorder.during(caller.projectId, async () => {
          const hosts = (await caller.get(path).expect(200)).body as Resource[];
          expect(hosts).toHaveLength(expected);
          for (const { explain } of hosts) expect(Object.keys(explain as object)).toHaveLength(4);
        });
        counts.push(statements.length);
      }
      return Math.min(...counts);
    };
    expect(await queries(many, 60)).toBe(await queries(few, 2));
  });

  it('is the same for an audit of a value, regardless of how many devices inherit it', async () => {
    const region = await admin.region({ variables: { k: 1 } });
    const audit = await admin.audit({ kind: 'host', expectation: { key: 'k', schema: { const: 1 } } });
    const run = () => admin.post(`/v1/audits/${String(audit.id)}/run`).expect(200);
    const statements = async () => (await during(run)).length;
    await admin.host({ region_id: region.id });
    await run();
    const few = await statements();
    await inParallel(Array.from({ length: 8 }), () => admin.host({ region_id: region.id }));
    expect(await statements()).toBe(few);
  });
});

describe('the values of a project', () => {
  it('are deleted together with it: not by a dry run, and not while resources remain', async () => {
    const { root } = service.app;
    const { body: made } = await root.post('/v1/projects', { name: aName('fleet') }).expect(201);
    const id = String(made.id);
    const inside = root.in(id);
    const creation = await lastChange(inside);
    const region = await inside.region({ variables: { kernel: '6.12' } });
    const deletions = async (method: 'post' | 'delete', path: string, status: number) => {
      const sent = await service.recorder.during(id, () => inside.send(method, path).expect(status));
      return sent.filter(({ text }) => text.startsWith('DELETE FROM variable_values')).length;
    };
    const project = `/v1/projects/${id}`;
    const reversal = `/v1/changes/${String(creation.id)}/revert`;
    expect(await deletions('delete', project, 409)).toBe(0);
    expect(await deletions('post', reversal, 409)).toBe(0);
    await inside.delete(`/v1/regions/${String(region.id)}`).expect(204);
    expect(await deletions('delete', `${project}?dry_run=true`, 200)).toBe(0);
    expect(await deletions('post', `${reversal}?dry_run=true`, 200)).toBe(0);
    expect(await deletions('delete', project, 204)).toBe(1);
  });
});

describe('resolved variables', () => {
  /** A host below a region that sets `k`. */
  async function hostBelowRegion(): Promise<Resource> {
    const region = await admin.region({ variables: { k: 1 } });
    return admin.host({ region_id: region.id });
  }

  it('of cached levels are not read again, neither for a host nor for the response of its update', async () => {
    const host = await hostBelowRegion();
    const path = `/v1/hosts/${String(host.id)}`;
    await admin.get(path).expect(200);
    const read = await during(() => admin.get(path).expect(200));
    expect(read).toHaveLength(1);
    const updated = await during(() => admin.put(path, { note: 'n' }).expect(200));
    expect(updated.filter(({ text }) => text.startsWith("SELECT 'region' AS kind"))).toEqual([]);
  });

  it('are not computed for a list that does not return them', async () => {
    await hostBelowRegion();
    const statements = async (path: string) => {
      const sent = await during(() => admin.get(path).expect(200));
      return sent.map(({ text }) => text).join('\n');
    };
    expect(await statements('/v1/hosts')).toContain('variables');
    expect(await statements('/v1/hosts?fields=id,name,labels')).not.toContain('variables');
  });
});

describe('the cost of a read with at=', () => {
  /** The statements of a request that read records. Others, for example for the caller's key, vary. */
  const readings = async (path: string) =>
    (await during(() => admin.get(path).expect(200))).filter(({ text }) => text.includes('change_objects'));

  /** The number of rows that all statements of each request read. */
  async function rowsRead(paths: readonly string[]): Promise<number[]> {
    await service.client.query('ANALYZE changes, change_objects');
    // The planner would choose a sequential scan for so few rows.
    await service.client.query('SET enable_seqscan = off');
    try {
      const counts: number[] = [];
      for (const path of paths) {
        let rows = 0;
        for (const statement of await readings(path)) rows += await tuplesRead(service.client, statement);
        counts.push(rows);
      }
      return counts;
    } finally {
      await service.client.query('RESET enable_seqscan');
    }
  }

  itOnOneServer('it counts the rows that one server reads')(
    'depends on the history of the resource and its ancestors, not on other history',
    async () => {
      const label = await admin.label({ variables: { of_label: 1 } });
      const [cell, elsewhere] = [await admin.cell(), await admin.cell()];
      const location = { region_id: cell['region_id'], cell_id: cell.id, labels: [String(label['label'])] };
      const host = await admin.host(location);
      const path = `/v1/hosts/${String(host.id)}`;
      const [{ created_at }] = (await admin.get(`${path}/changes?sort_dir=desc&limit=1`).expect(200))
        .body as [Resource];
      const time = String(created_at);
      const urls = [
        `${path}?at=${time}`,
        `${path}/variables/explain?at=${time}`,
        `/v1/regions/${String(cell['region_id'])}?at=${time}`,
      ];
      const before = await rowsRead(urls);
      for (let i = 0; i < 15; i++) {
        const other = await admin.host({ region_id: elsewhere['region_id'], cell_id: elsewhere.id });
        for (let j = 0; j < 2; j++)
          await admin.put(`/v1/hosts/${String(other.id)}/variables`, { key: j }).expect(200);
        await admin.put(`/v1/cells/${String(elsewhere.id)}/variables`, { key: i }).expect(200);
      }
      // There are 60 more records.
      for (const [i, rows] of (await rowsRead(urls)).entries())
        expect(rows).toBeLessThan((before[i] ?? 0) + 20);
    },
    60_000,
  );

  it('is the same number of statements for any number of levels', async () => {
    const labels = await Promise.all(
      Array.from({ length: 12 }, (_, i) => admin.label({ variables: { [`key_${String(i)}`]: i } })),
    );
    const cell = await admin.cell();
    const location = { region_id: cell['region_id'], cell_id: cell.id };
    const [few, many] = [
      await admin.host({ ...location, labels: [labels[0]?.['label']] }),
      await admin.host({ ...location, labels: labels.map(({ label }) => label) }),
    ];
    for (const route of ['', '/variables/explain']) {
      const read = ({ id, created_at }: Resource) =>
        readings(`/v1/hosts/${String(id)}${route}?at=${String(created_at)}`);
      expect((await read(many)).length).toBe((await read(few)).length);
    }
  });
});

/** Hosts that differ only in their region, cell and label. */
function uniformFleet(size: number): Fleet {
  const sites = [0, 1, 2];
  return {
    regions: sites.map((n) => ({ name: `site-${String(n)}`, variables: { k: n, r: n } })),
    cells: sites.map((n) => ({ region: `site-${String(n)}`, name: 'rack', variables: { c: n } })),
    labels: sites.map((n) => ({ label: `role:${String(n)}`, variables: { l: n } })),
    hosts: Array.from({ length: size }, (_, i) => ({
      name: `node-${String(i)}`,
      region: `site-${String(i % 3)}`,
      cell: 'rack',
      labels: [`role:${String(i % 3)}`],
      variables: { serial: i },
    })),
  };
}
