import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve as resolvePath } from 'node:path';
import { Client } from 'pg';
import { Caller, type Resource } from '../../support/caller';
import { builtAdmin, runNode, verifyDatabase } from '../../support/admin';
import { awaitInstallation } from '../../support/external-programs';
import { FEED_TIMEOUT, FeedReader } from '../../support/feed-reader';
import { loadFleet } from '../../support/fleet';
import { importLines } from '../../support/importing';
import { follow, readPage, walk } from '../../support/read-pages';
import type { ChangeRecord } from '../../support/reverts';
import { PROJECT, startService, type OwnService } from '../../support/service';
import { readTrafficMetrics } from '../../support/traffic-metrics';
import { lockRows, SecondConnection } from '../../support/second-connection';
import { StatementRecorder } from '../../support/statement-recorder';
import { LATER_VERSION } from '../../support/later-version';
import { createTemplate } from '../../support/test-database';
import { until } from '../../support/until';

/** A script that starts a Citus cluster on loopback: `start`, `env` prints its DATABASE_URL, and `wipe` removes it. */
const TOOL = process.env['MUSTER_CITUS_TOOL'] ?? resolvePath(__dirname, '../../../../shared/tools/citus.sh');
const CLUSTER = {
  ...process.env,
  CITUS_PORT: '15470',
  CITUS_DIR: join(tmpdir(), `muster-citus-${String(process.pid)}`),
};

/** A part of the tests of the API. All of them take minutes: see CONTRIBUTING.md. */
const API_TESTS = ['vars-filter', 'import', 'revert'].map((name) => `test/api/${name}.spec.ts`);

jest.setTimeout(120_000);

/** Runs the tool. @returns its output, or why it failed */
function tool(command: 'start' | 'env' | 'wipe'): { readonly output: string; readonly failure?: string } {
  if (!existsSync(TOOL)) return { output: '', failure: `${TOOL} does not exist` };
  const { status, stdout, stderr } = spawnSync('bash', [TOOL, command], {
    env: CLUSTER,
    encoding: 'utf8',
    timeout: 120_000,
  });
  return status === 0
    ? { output: stdout }
    : { output: stdout, failure: stderr || stdout || 'it takes too long' };
}

awaitInstallation(['a current PostgreSQL 15']);
const { failure } = tool('start');
if (failure !== undefined)
  console.error(`SKIPPED: no test ran on Citus, because it does not start: ${failure}`);

(failure === undefined ? describe : describe.skip)('on a real Citus cluster', () => {
  let recorder: StatementRecorder;
  let app: OwnService;
  let client: Client;
  let admin: Caller;
  let region: Resource;
  let host: Resource;

  beforeAll(async () => {
    process.env.TEST_CITUS = 'true';
    process.env.TEST_DATABASE_URL = tool('env')
      .output.trim()
      .replace(/^DATABASE_URL=/, '');
    await createTemplate();
    recorder = await StatementRecorder.create();
    app = await startService({}, recorder.database);
    client = new Client({ connectionString: recorder.database.url });
    await client.connect();
    admin = await app.project();
    region = await admin.region({ variables: { ntp: 'a', os: { kernel: '6.1' } } });
    const cell = await admin.cell({ region_id: region.id, variables: { ntp: 'b' } });
    host = await admin.host({ region_id: region.id, cell_id: cell.id, labels: 'web', variables: { own: 1 } });
  });
  afterAll(async () => {
    try {
      await client.end();
      await app.stop();
    } finally {
      tool('wipe');
    }
  });

  /** The numbers of tasks that Citus plans for the statements of a request: one task goes to one node. */
  async function taskCounts(work: () => Promise<unknown>): Promise<{ text: string; tasks: number[] }[]> {
    const statements = await recorder.during(admin.projectId, work);
    const plans: { text: string; tasks: number[] }[] = [];
    for (const { text, values } of statements) {
      // With parameters, Citus explains only what this statement selects.
      const explained = text.replace(/^\s*INSERT INTO variable_values \([^)]*\)/, '');
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${explained}`, [...values]);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      const tasks = [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count));
      if (tasks.length > 0) plans.push({ text, tasks });
    }
    return plans;
  }

  const onHost = (rest = '') => `/v1/hosts/${String(host.id)}${rest}`;

  it.each([
    ['a list', () => admin.get('/v1/hosts?limit=10').expect(200)],
    ['a sorted list with a filter', () => admin.get('/v1/hosts?sort_keys=name&label=web').expect(200)],
    ['devices of all kinds', () => admin.get('/v1/devices?limit=10').expect(200)],
    ['a filter by an inherited value', () => admin.get('/v1/hosts?vars=ntp:"b"').expect(200)],
    ['a filter by an own value', () => admin.get('/v1/hosts?vars=own:1').expect(200)],
    [
      'a filter by a value inside of a document',
      () => admin.get('/v1/hosts?vars=os.kernel:"6.1"').expect(200),
    ],
    ['a resource', () => admin.get(onHost()).expect(200)],
    ['an explanation', () => admin.get(onHost('/variables/explain')).expect(200)],
    ['a write of variables', () => admin.put(onHost('/variables'), { ntp: 'c' }).expect(200)],
    [
      'a preview',
      () => admin.put(`/v1/regions/${String(region.id)}/variables?dry_run=true`, { ntp: 'd' }).expect(200),
    ],
    ['the changes of a resource', () => admin.get(onHost('/changes')).expect(200)],
    ['numbers of changes', () => admin.get('/v1/changes/counts?key=ntp').expect(200)],
    ['the feed', () => admin.get('/v1/changes/feed').expect(200)],
    ['the keys of variables', () => admin.get('/v1/variable-keys').expect(200)],
    ['the values of a variable', () => admin.get('/v1/variable-keys/ntp/values?group_by=cell').expect(200)],
    ['a search', () => admin.get('/v1/search?q=web').expect(200)],
    ['a search for a number', () => admin.get('/v1/search?q=10.0').expect(200)],
    ["root's search", () => app.root.get(`/v1/search?q=web&project_id=${admin.projectId}`).expect(200)],
    ['numbers of devices', () => admin.get('/v1/devices/counts?group_by=label&vars=ntp:"b"').expect(200)],
  ])('%s is sent to one node', async (_, work) => {
    const plans = await taskCounts(work);
    expect(plans).not.toEqual([]);
    expect(plans.filter(({ tasks }) => tasks.some((count) => count !== 1))).toEqual([]);
  });

  it('writes, previews, reverts, imports and exports as on PostgreSQL', async () => {
    const other = await app.project();
    const lines = (await admin.get('/v1/export').expect(200)).text.trim().split('\n');
    expect(await importLines(other, lines)).toMatchObject({ created: lines.length, failed: 0 });
    expect(await importLines(other, lines)).toMatchObject({ unchanged: lines.length });

    const before = (await admin.get(onHost('/variables')).expect(200)).body as object;
    await admin.put(onHost('/variables'), { extra: [1, 2] }).expect(200);
    const [last] = (await admin.get(onHost('/changes?sort_dir=desc&limit=1')).expect(200)).body as {
      id: number;
    }[];
    await admin.post(`/v1/changes/${String(last?.id)}/revert`, {}).expect(201);
    expect((await admin.get(onHost('/variables')).expect(200)).body).toEqual(before);

    const key = { 'Idempotency-Key': 'once' };
    const first = await admin.post('/v1/regions', { name: 'again' }, key).expect(201);
    const repeated = await admin.post('/v1/regions', { name: 'again' }, key).expect(201);
    expect(repeated.body).toEqual(first.body);
    await admin.post('/v1/regions', { name: 'again' }).expect(409);
    await admin.delete(`/v1/regions/${String(region.id)}`).expect(409);
  });

  it('holds up neither imports of other projects nor new projects during an import', async () => {
    const [importing, other] = [await app.project(), await app.project()];
    const { id, name } = await importing.region();
    const line = { kind: 'region', name, note: 'changed' };
    const secondConnection = await SecondConnection.connect(recorder.database.url);
    const release = await secondConnection.acquire(lockRows('regions', importing.projectId, id));
    const imported = importLines(importing, [line]);
    try {
      await secondConnection.waiting(1);
      await app.project();
      expect(await importLines(other, [line])).toMatchObject({ created: 1, failed: 0 });
    } finally {
      await release();
      await secondConnection.close();
      expect(await imported).toMatchObject({ updated: 1, failed: 0 });
    }
  });

  it('updates the statistics of the nodes after a large change', async () => {
    const region = { name: 'large', variables: {} };
    const host = { region: region.name, cell: null, labels: [], variables: {} };
    const hosts = Array.from({ length: 600 }, (_, i) => ({ ...host, name: `host-${String(i)}` }));
    await loadFleet(await app.project(), { regions: [region], cells: [], labels: [], hosts });
    await until('each part of the devices is analyzed', 60, async () => {
      const { rows } = await client.query<{ result: string }>(
        `SELECT result FROM run_command_on_workers($$ SELECT count(*) > 0 AND count(*) = count(last_analyze)
           FROM pg_stat_all_tables WHERE relname ~ '^devices_[0-9]+$' $$)`,
      );
      return rows.every(({ result }) => result === 't');
    });
  });

  it('lists the keys of a project without variables', async () => {
    const project = await app.project();
    expect((await project.get('/v1/variable-keys').expect(200)).body).toEqual([]);
  });

  it('shows root the resources of all projects by their ids', async () => {
    const { root } = app;
    await root.get(onHost()).expect(200);
    await root.get(onHost('/variables?resolved-values=true')).expect(200);
    await root.put(onHost(), { note: 'by root' }).expect(200);
    await root.get(onHost('/changes')).expect(200);
    expect((await root.get(`/v1/hosts?project_id=${admin.projectId}`).expect(200)).body).toHaveLength(1);
    const { body } = (await root.get('/v1/variables').expect(400)) as { body: { message: string } };
    expect(body.message).toContain('project_id');
  });

  describe("root's lists of every project", () => {
    interface Listed extends Resource {
      readonly note: string | null;
    }
    let projects: Caller[];
    let hosts: Listed[];
    beforeAll(async () => {
      projects = await Promise.all(Array.from({ length: 3 }, () => app.project()));
      for (const [i, project] of projects.entries())
        await project.label({ label: 'merged', variables: { of_label: i } });
      // One after the other, so that the ids and names of the projects alternate.
      for (const i of Array.from({ length: 9 }).keys()) {
        const project = projects[i % 3] as Caller;
        const note = i % 2 === 0 ? null : `note ${String(9 - i)}`;
        await project.host({
          name: `merged-${String((i * 4) % 9)}`,
          note,
          labels: 'merged',
          variables: { merged: 1 },
        });
      }
      hosts = [];
      for (const project of projects)
        hosts.push(...((await project.get('/v1/hosts').expect(200)).body as Listed[]));
    });

    const byId = (a: Listed, b: Listed) => a.id - b.id;
    const byName = (a: Listed, b: Listed) => (a.name < b.name ? -1 : 1);
    // PostgreSQL sorts nulls last.
    const byNote = (a: Listed, b: Listed) => {
      if (a.note === b.note) return byId(a, b);
      if (a.note === null || b.note === null) return a.note === null ? 1 : -1;
      return a.note < b.note ? -1 : 1;
    };

    it.each([
      ['sort_keys=id', byId, 1],
      ['sort_dir=desc', byId, -1],
      ['sort_keys=name', byName, 1],
      ['sort_keys=note', byNote, 1],
      ['sort_keys=note&sort_dir=desc', byNote, -1],
    ] as const)('have the pages of one list: %s', async (order, compare, direction) => {
      hosts.sort((a, b) => direction * compare(a, b));
      for (const filter of [
        'label=merged',
        'name_prefix=merged-',
        'vars=merged:1',
        'label=merged&descendants=true',
      ]) {
        const first = await readPage(app.root, `/v1/hosts?fields=id&limit=2&${filter}&${order}`);
        const pages = await walk(app.root, first, 'next');
        const ids = pages.map(({ items }) => items.map(({ id }) => id));
        expect(ids.flat()).toEqual(hosts.map(({ id }) => id));
        expect(ids.map(({ length }) => length)).toEqual([2, 2, 2, 2, 1]);
        const end = await follow(app.root, first, 'last');
        if (!end) throw new Error('the first page has no link to the last one');
        const back = await walk(app.root, end, 'prev');
        expect(back.at(-1)?.items).toEqual(first.items);
        expect(end.items.map(({ id }) => id)).toEqual(hosts.slice(-2).map(({ id }) => id));
      }
    });

    it('continue in id order after a host that was deleted since', async () => {
      const [project] = projects as [Caller];
      const { id } = await project.host({ name: 'merged-and-deleted' });
      const after = await project.host({ name: 'after-the-deleted' });
      await project.delete(`/v1/hosts/${String(id)}`).expect(204);
      const { body } = await app.root.get(`/v1/hosts?fields=id&marker=${String(id)}`).expect(200);
      expect(body).toEqual([{ id: after.id }]);
      await app.root.get(`/v1/hosts?marker=${String(after.id + 1_000_000)}`).expect(400);
    });

    it('resolve and explain the variables of each host by the levels of its project', async () => {
      const label = 'label=merged&fields=id,variables';
      const listed = (await app.root.get(`/v1/hosts?${label}&explain=of_label`).expect(200)).body as Listed[];
      const own = await Promise.all(
        projects.map(
          async (project) =>
            (await project.get(`/v1/hosts?${label}&explain=of_label`).expect(200)).body as Listed[],
        ),
      );
      expect(listed).toEqual(own.flat().sort(byId));
      expect(new Set(listed.map(({ variables }) => JSON.stringify(variables)))).toHaveProperty('size', 3);
    });

    it('include the changes of deleted projects, as the feed does', async () => {
      const { body } = await app.root.post('/v1/projects', { name: 'deleted' }).expect(201);
      const { id } = body as { id: string };
      await app.root.delete(`/v1/projects/${id}`).expect(204);
      const [last] = (await app.root.get('/v1/changes?sort_dir=desc&limit=1').expect(200))
        .body as ChangeRecord[];
      expect(last).toMatchObject({ project_id: id, objects: [{ action: 'delete' }] });
      await app.root.get(`/v1/changes/${String(last?.id)}`).expect(200);
      const feed = new FeedReader(app.root);
      await until('the feed delivers the deletion', FEED_TIMEOUT, async () => {
        await feed.on(10);
        return feed.ids.includes(Number(last?.id));
      });
      expect(feed.ids).toEqual([...new Set(feed.ids)].sort((a, b) => a - b));
    });
  });

  it('searches unknown keys of a project on one connection, and unknown projects not at all', async () => {
    const ATTEMPTS = 40;
    const send = (project: string) =>
      Promise.all(
        Array.from({ length: ATTEMPTS }, (_, i) => {
          const key = `mst_${i.toString(16).padStart(16, '0')}_${'x'.repeat(43)}`;
          return new Caller(app.url, { ...admin.credentials, project, token: key })
            .get('/v1/hosts')
            .expect(401);
        }),
      );
    const project = await app.project();
    const secondConnection = await SecondConnection.connect(recorder.database.url);
    const release = await secondConnection.acquire({
      text: 'LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE',
      values: [],
    });
    const responses = send(project.projectId);
    await until(
      'all requests are active',
      60,
      async () => (await readTrafficMetrics(app)).inFlight === ATTEMPTS,
    );
    await secondConnection.waiting(1);
    const waiting = await secondConnection.rows(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(waiting).toHaveLength(1);
    await release();
    await responses;
    await secondConnection.close();
    const unknown = randomUUID();
    await send(unknown);
    const searches = recorder.sent.filter(
      ({ text, values }) => text.includes('FROM api_keys') && values.includes(unknown),
    );
    expect(searches).toEqual([]);
  });

  it('passes tests of the API', async () => {
    const { code, stderr } = await runNode(
      [
        join(PROJECT, 'node_modules/jest/bin/jest.js'),
        '--config',
        join(PROJECT, 'jest.config.cjs'),
        ...API_TESTS,
        '--selectProjects',
        'api',
      ],
      { TEST_CITUS: 'true', TEST_DATABASE_URL: String(process.env['TEST_DATABASE_URL']), NODE_ENV: 'test' },
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr });
  }, 300_000);

  it('is verified project by project', async () => {
    const verify = () => verifyDatabase(recorder.database.url);
    expect(await verify()).toMatchObject({ faults: [] });
    // Two projects, on any nodes.
    const damaged = [await app.project(), await app.project()];
    const regions = await Promise.all(damaged.map((project) => project.region({ variables: { ntp: 'a' } })));
    await client.query(`UPDATE regions SET variables = '{"ntp": "b"}' WHERE id = ANY ($1)`, [
      regions.map(({ id }) => id),
    ]);
    const { faults } = await verify();
    const found = faults.map(({ check, project_id, id }) => [check, project_id, id].join(' '));
    expect(found.sort()).toEqual(
      damaged
        .flatMap(({ projectId }, i) => [
          // The new value is not stored for comparisons.
          ['values', projectId, null].join(' '),
          ['variables', projectId, regions[i]?.id].join(' '),
        ])
        .sort(),
    );
  });

  it('migrates a database that was distributed by an older version, with its data', async () => {
    const own = await startService();
    const project = await own.project();
    const placed = await project.region({ variables: { ntp: 'a' } });
    const { id } = await project.host({ region_id: placed.id, variables: { own: 1, list: [1] } });
    await own.exit();
    const later = { ...LATER_VERSION, DATABASE_URL: own.databaseUrl };
    for (const command of ['migrate', 'distribute'])
      expect(await builtAdmin([command], later)).toMatchObject({ code: 0 });
    expect(await verifyDatabase(own.databaseUrl, later)).toMatchObject({ faults: [] });
    const again = await own.startPeer(LATER_VERSION);
    const { body } = await new Caller(again.url, project.credentials).get('/v1/hosts?vars=own:1').expect(200);
    expect(body).toMatchObject([{ id }]);
    await again.exit();
    await own.stop();
  });

  it.each(['first', 'second'])('serves the projects on the other node when the %s is lost', async (which) => {
    const ports = [1, 2].map((n) => Number(CLUSTER.CITUS_PORT) + n);
    const [lost = 0, remaining = 0] = which === 'first' ? ports : ports.reverse();
    const onLost = await projectOnNode(lost);
    const onRemaining = await projectOnNode(remaining);
    const existing = await onLost.region();
    await stopNode(lost);
    const started = await app.startPeer();
    try {
      for (const { url } of [app, started]) {
        const lostProject = new Caller(url, onLost.credentials);
        expect(await lostProject.get('/v1/hosts')).toMatchObject({ status: 503 });
        expect(await lostProject.put(`/v1/regions/${String(existing.id)}/variables`, { a: 1 })).toMatchObject(
          { status: 503, body: { code: 'unavailable' } },
        );
        await use(new Caller(url, onRemaining.credentials));
        expect((await lostProject.get('/readyz').expect(200)).body).toEqual({
          status: 'degraded',
          message: '1 of 2 nodes of the database cannot be reached.',
        });
      }
    } finally {
      await started.stop();
      tool('start');
    }
    expect((await app.root.get('/readyz').expect(200)).body).toEqual({ status: 'ok' });
    await until('the lost project is served again', 60, async () => {
      const { status } = await onLost.put(`/v1/regions/${String(existing.id)}/variables`, { a: 1 });
      return status === 200;
    });
    await use(onLost);
  });

  /** Creates, changes, reverts and deletes. */
  async function use(project: Caller): Promise<void> {
    const region = await project.region({ variables: { ntp: 'a' } });
    const host = await project.host({ region_id: region.id, labels: 'web', variables: { own: 1 } });
    const path = `/v1/hosts/${String(host.id)}`;
    await project.put(path, { note: 'changed' }).expect(200);
    await project.put(`${path}/variables?dry_run=true`, { ntp: 'b' }).expect(200);
    await project.put(`${path}/variables`, { ntp: 'b' }).expect(200);
    const [last] = (await project.get(`${path}/changes?sort_dir=desc&limit=1`).expect(200)).body as {
      id: number;
    }[];
    await project.post(`/v1/changes/${String(last?.id)}/revert`, {}).expect(201);
    expect((await project.get('/v1/hosts?vars=ntp:"a"').expect(200)).body).toHaveLength(1);
    const lines = (await project.get('/v1/export').expect(200)).text.trim().split('\n');
    expect(await importLines(project, lines)).toMatchObject({ failed: 0 });
    await project.delete(path).expect(204);
    await project.delete(`/v1/regions/${String(region.id)}`).expect(204);
  }

  async function projectOnNode(port: number): Promise<Caller> {
    for (;;) {
      const project = await app.project();
      const { rows } = await client.query<{ port: number }>(
        `SELECT nodeport AS port FROM pg_dist_shard_placement
         WHERE shardid = get_shard_id_for_distribution_column('devices', $1::uuid)`,
        [project.projectId],
      );
      if (rows[0]?.port === port) return project;
    }
  }

  /** Stops the server of a node. */
  async function stopNode(port: number): Promise<void> {
    const pid = Number(
      readFileSync(join(CLUSTER.CITUS_DIR, String(port), 'postmaster.pid'), 'utf8').split('\n')[0],
    );
    process.kill(pid, 'SIGINT');
    await until('the node has stopped', 60, () => Promise.resolve(!isRunning(pid)));
  }
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
