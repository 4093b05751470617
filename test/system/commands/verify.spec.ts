import { Client } from 'pg';
import { startService } from '../../support/service';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { admin, printed } from '../../support/admin';
import type { Caller } from '../../support/caller';
import { ConcurrentWriters } from '../../support/concurrent-writers';
import type { Damaged, Fleet } from './corruption';
import { damages } from './corruptions';

// The machine may be busy.
jest.setTimeout(120_000);

interface Report {
  readonly checks: readonly { name: string; invariant: string; checked: number; faults: number }[];
  readonly faults: readonly {
    check: string;
    project_id: string;
    kind: string;
    id: number | null;
    problem: string;
  }[];
}

const verify = (url: string, ...args: string[]) =>
  admin(['verify', ...args], { DATABASE_URL: url, DATA_DIR: '/nowhere' });

/** Numbers keep every digit, so each of these writes is a change. */
async function changeFormsOfNumbers(owner: Caller): Promise<void> {
  const { id } = await owner.networkDevice();
  const path = `/v1/network-devices/${String(id)}`;
  for (const vlans of ['[1.0]', '[1.00]', '[1e1]', '[10]'])
    await owner.put(path, `{"vlans": ${vlans}}`).expect(200);
  for (const variables of ['{"a": 1.10, "b": 0, "c": {"d": 1e1}}', '{"a": 1.1, "b": 0.0, "c": {"d": 10.0}}'])
    await owner.put(`${path}/variables`, variables).expect(200);
}

describe('verify', () => {
  let sound: TestDatabase;
  const damaged: Record<string, Damaged[]> = {};
  beforeAll(async () => {
    sound = await createTestDatabase();
    const app = await startService({}, sound);
    const client = new Client({ connectionString: sound.url });
    await client.connect();
    const fleet: Fleet = {
      owner: await app.project(),
      other: await app.project(),
      root: app.root,
      value: async (statement) =>
        String((await client.query<string[]>({ text: statement, rowMode: 'array' })).rows[0]?.[0]),
    };
    for (const [check, all] of Object.entries(damages)) {
      damaged[check] = [];
      for (const prepare of all) damaged[check].push(await prepare(fleet));
    }
    await changeFormsOfNumbers(fleet.owner);
    // A database with connections cannot be cloned.
    await client.end();
    await app.exit();
  });
  afterAll(() => sound.drop());

  async function withDamage<T>(statements: readonly string[], work: (url: string) => Promise<T>): Promise<T> {
    const database = await createTestDatabase(sound.name);
    try {
      const client = new Client({ connectionString: database.url });
      await client.connect();
      // Foreign keys are triggers, which a replica role does not fire.
      await client.query("SET session_replication_role = 'replica'");
      for (const statement of statements) await client.query(statement);
      await client.end();
      return await work(database.url);
    } finally {
      await database.drop();
    }
  }

  // All in one database: each fault that is expected names its check, and nothing else may be found.
  it('finds exactly the damages that its checks are for', async () => {
    const all = Object.values(damaged).flat();
    expect(Object.keys(damaged)).toEqual(Object.keys(damages));
    await withDamage(
      all.map(({ sql }) => sql),
      async (url) => {
        const { code, stdout, stderr } = await verify(url, '--json');
        const { checks, faults } = JSON.parse(stdout) as Report;
        const found = faults.map(
          ({ check, kind, id, problem }) => `${check}: ${kind} ${String(id)}: ${problem}`,
        );
        const expected = all.flatMap((one) => one.faults);
        expect(found.map((fault) => fault.replace(/change \d+/g, 'change N')).sort()).toEqual(
          expected.sort(),
        );
        expect(code).toBe(1);
        expect(checks.reduce((sum, check) => sum + check.faults, 0)).toBe(expected.length);
        expect(stderr).toContain(`The stored data is inconsistent: ${String(expected.length)} fault`);
      },
    );
  });

  it('prints each check with its faults, up to the limit of --faults', async () => {
    const strays = 'UPDATE labels SET variables = variables || \'{"a": 1, "b": 2, "c": 3}\'';
    await withDamage([strays], async (url) => {
      const { code, stdout } = await verify(url, '--faults', '2');
      expect(code).toBe(1);
      expect(stdout).toMatch(/^references: .*: \d+ checked, ok$/m);
      expect(stdout).toMatch(
        /^variables: .*: \d+ checked, \d+ faults\n( {2}label \d+ of the project [0-9a-f-]{36}: the variable "\w" is set.*\n){2} {2}… and \d+ more\n/m,
      );
    });
  });
});

// Jest starts concurrent tests first.
it.concurrent('verify finds no faults during and after concurrent writes', async () => {
  const app = await startService();
  try {
    const caller = await app.project();
    const clients = new ConcurrentWriters(caller);
    const work = clients.run(6, 40);
    const done = work.then(() => undefined);
    const meanwhile: string[] = [];
    for (;;) {
      const next = printed(verify(app.databaseUrl));
      const outcome = await Promise.race([done, next]);
      meanwhile.push(await next);
      if (outcome === undefined) break;
    }
    await work;
    // There were conflicts, but no server errors.
    expect(clients.statuses.get(201)).toBeGreaterThan(10);
    expect(clients.statuses.get(200)).toBeGreaterThan(25);
    expect(clients.statuses.get(204)).toBeGreaterThan(10);
    expect(clients.statuses.get(409)).toBeGreaterThan(0);
    expect([...clients.statuses.keys()].filter((status) => status >= 500)).toEqual([]);
    expect(meanwhile).not.toHaveLength(0);
    // The writers may have left no device with a parent. Each check needs something to check.
    const parent = await caller.networkDevice();
    await caller.host({ region_id: parent['region_id'], parent_id: parent.id });
    const report = JSON.parse(await printed(verify(app.databaseUrl, '--json'))) as Report;
    expect(report.faults).toEqual([]);
    for (const check of report.checks)
      expect(check).toMatchObject({ checked: expect.any(Number), faults: 0 });
    const unchecked = report.checks.filter(({ checked }) => checked === 0);
    expect(unchecked.map(({ name }) => name)).toEqual(['proposals']);
  } finally {
    await app.stop();
  }
});
