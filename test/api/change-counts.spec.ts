import { aName, type Caller, type Resource } from '../support/caller';
import fc from '../support/property-testing';
import { sharedService } from '../support/service';
import { rounds } from '../support/seeds';

interface Interval {
  readonly since: string;
  readonly until: string;
  readonly changes: number;
}

interface Counts {
  readonly changes: number;
  readonly intervals: readonly Interval[];
}

const DEFAULT_INTERVALS = 60;
const FIRST_CENTURY = '0001-01-01T00:00:00.000000';
const LAST_CENTURY = '9999-01-01T00:00:00.000000';

const microseconds = (time: string): bigint =>
  BigInt(Date.parse(`${time.slice(0, 19)}Z`)) * 1_000n + BigInt(time.slice(20));

const countOf = async (caller: Caller, query: string): Promise<Counts> =>
  (await caller.get(`/v1/changes/counts?${query}`).expect(200)).body as Counts;

/** The times of the changes that the list shows, oldest first. */
const listedTimes = async (caller: Caller, query: string): Promise<string[]> =>
  ((await caller.get(`/v1/changes?limit=10000&fields=created_at&${query}`).expect(200)).body as Resource[])
    .map(({ created_at }) => String(created_at))
    .toSorted();

describe('numbers of changes', () => {
  const app = sharedService();
  let admin: Caller;
  let host: Resource;
  let callers: Readonly<Record<string, Caller>>;
  /** Queries of the list; each matches at least one change for an admin. */
  let queries: readonly string[];

  beforeAll(async () => {
    admin = await app.project();
    const settings = `/v1/projects/${admin.projectId}/settings`;
    await admin.put(settings, { private: ['secret'] }).expect(200);
    const region = await admin.region({ variables: { open: 1, secret: 2 } });
    host = await admin.host({ region_id: region.id, variables: { secret: 1 } });
    const variables = `/v1/hosts/${String(host.id)}/variables`;
    for (const open of [1, 2, 3])
      await admin.put(variables, { open }, { 'X-Change-Reason': `CHG-${String(open)}` }).expect(200);
    await admin.secret();
    const requestId = aName('request');
    await admin.put(variables, { secret: 4 }, { 'X-Request-Id': requestId }).expect(200);
    const writer = await admin.user({ roles: ['*:write'] });
    await writer.put(variables, { open: 5 }).expect(200);
    await admin.definition({ key: 'secret' });
    callers = {
      admin,
      root: app.root.in(admin.projectId),
      writer,
      reader: await admin.user(),
      'a user with the private variable': await admin.user({ roles: ['secret'] }),
    };
    // Only admins see the newest change.
    await admin.put(settings, { private: ['secret'] }).expect(200);
    const [oldest = '', ...rest] = await listedTimes(admin, '');
    const middle = rest[4] ?? '';
    queries = [
      '',
      'kind=host',
      'kind=access-secret',
      'kind=project-settings',
      'kind=variable-definition',
      `resource=hosts/${String(host.id)}`,
      `kind=host&object_id=${String(host.id)}`,
      `object_id=${String(host.id)}`,
      'key=open',
      'key=secret',
      `actor=${writer.credentials.user}`,
      `request_id=${requestId}`,
      'reason=chg-',
      `since=${middle}`,
      `until=${middle}`,
      `since=${oldest}&until=${middle}&key=open`,
      `since=${FIRST_CENTURY}`,
      `since=${FIRST_CENTURY}&until=${LAST_CENTURY}`,
      `since=${middle}Z&kind=host`,
    ];
  });

  /** Counts what the list shows, change by change. */
  function expectedCounts(times: readonly string[], { intervals }: Counts): Counts {
    return {
      changes: times.length,
      intervals: intervals.map(({ since, until }) => ({
        since,
        until,
        changes: times.filter((time) => since <= time && time < until).length,
      })),
    };
  }

  it('are those of the list, for each caller, filter and number of intervals', async () => {
    for (const [name, caller] of Object.entries(callers))
      for (const [i, query] of queries.entries()) {
        const times = await listedTimes(caller, `project_id=${admin.projectId}&${query}`);
        if (caller === admin) expect([query, times]).not.toEqual([query, []]);
        const number = [1, 2, 7, 500][i % 4];
        const counts = await countOf(caller, `intervals=${String(number)}&${query}`);
        expect([name, query, counts]).toEqual([name, query, expectedCounts(times, counts)]);
      }
  });

  it('reach from the oldest to the newest change, or from and to the times of the filters', async () => {
    const times = await listedTimes(admin, 'kind=host');
    const [oldest = '', newest = ''] = [times[0], times.at(-1)];
    const endsOf = async (query: string) => {
      const { intervals } = await countOf(admin, `kind=host&${query}`);
      return [intervals[0]?.since, intervals.at(-1)?.until];
    };
    const [unfiltered, end = ''] = await endsOf('');
    expect(unfiltered).toBe(oldest);
    expect(microseconds(end) - microseconds(newest)).toBe(1n);
    expect(await endsOf('since=2020-02-29')).toEqual(['2020-02-29T00:00:00.000000', end]);
    expect(await endsOf('until=2999-12-31T23:59:59.5%2B01:00')).toEqual([
      oldest,
      '2999-12-31T22:59:59.500000',
    ]);
    expect(await endsOf(`since=${FIRST_CENTURY}&until=${LAST_CENTURY}`)).toEqual([
      FIRST_CENTURY,
      LAST_CENTURY,
    ]);
  });

  it('are in as many intervals as requested, which are equally long and have no gaps', async () => {
    const time = fc
      .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, -1));
    const property = fc.asyncProperty(
      time,
      time,
      fc.integer({ min: 1, max: 500 }),
      async (one, other, number) => {
        const [since = '', until = ''] = [one, other].toSorted();
        const query = `since=${since}&until=${until}&intervals=${String(number)}`;
        const { intervals } = await countOf(admin, query);
        const milliseconds = Date.parse(`${until}Z`) - Date.parse(`${since}Z`);
        expect(intervals).toHaveLength(Math.min(number, milliseconds * 1_000));
        const shortest = (BigInt(milliseconds) * 1_000n) / BigInt(Math.max(intervals.length, 1));
        for (const [i, interval] of intervals.entries()) {
          expect(interval.since).toBe(i === 0 ? `${since}000` : intervals[i - 1]?.until);
          const length = microseconds(interval.until) - microseconds(interval.since);
          expect([shortest, shortest + 1n]).toContain(length);
        }
        expect(intervals.at(-1)?.until ?? `${until}000`).toBe(`${until}000`);
      },
    );
    await fc.assert(property, { numRuns: rounds(5, 10) });
    expect((await countOf(admin, '')).intervals).toHaveLength(DEFAULT_INTERVALS);
  });

  it('have no intervals if there is nothing to count, or no time', async () => {
    const nothing = { changes: 0, intervals: [] };
    for (const query of [
      'actor=nobody',
      'since=2999-01-01',
      'until=2000-01-01',
      'since=2020-01-01&until=2020-01-01',
      'since=2021-01-01&until=2020-01-01',
    ])
      expect([query, await countOf(admin, query)]).toEqual([query, nothing]);
    const { changes, intervals } = await countOf(admin, 'since=2020-01-01&until=2020-01-02&intervals=2');
    expect([changes, intervals.map((interval) => interval.changes)]).toEqual([0, [0, 0]]);
  });

  it('have one interval for one change', async () => {
    const [time = ''] = await listedTimes(admin, 'kind=access-secret');
    const { changes, intervals } = await countOf(admin, 'kind=access-secret');
    expect({ changes, intervals }).toEqual({
      changes: 1,
      intervals: [{ since: time, until: expect.stringMatching(/\.\d{6}$/), changes: 1 }],
    });
  });

  it('are of the project of the request, or for root of any project, even a deleted one', async () => {
    const other = await app.project();
    await other.region();
    const { changes } = await countOf(other, '');
    expect(changes).toBe((await listedTimes(other, '')).length);
    expect(await countOf(app.root, `project_id=${other.projectId}&intervals=3`)).toEqual(
      await countOf(app.root.in(other.projectId), 'intervals=3'),
    );
    await admin.get(`/v1/changes/counts?project_id=${other.projectId}`).expect(404);
    await app.root.get('/v1/changes/counts?project_id=99999999-9999-4999-8999-999999999999').expect(404);

    const name = aName('project');
    const { id } = (await app.root.post('/v1/projects', { name }).expect(201)).body as Resource;
    await app.root.delete(`/v1/projects/${String(id)}`).expect(204);
    const deleted = `project_id=${String(id)}`;
    expect((await countOf(app.root, deleted)).changes).toBe((await listedTimes(app.root, deleted)).length);
  });

  it.each([
    ['intervals=0', 'intervals'],
    ['intervals=501', 'intervals'],
    ['intervals=1.5', 'intervals'],
    ['intervals=', 'intervals'],
    ['intervals=1&intervals=2', 'intervals'],
    ['since=yesterday', 'since'],
    ['since=2020-01-01&until=2020-02-30', 'until'],
    ['resource=host', 'resource'],
    ['object_id=x', 'object_id'],
    ['limit=10', 'limit'],
    ['fields=id', 'fields'],
    ['project_id=1', 'project_id'],
  ])('%s is rejected', async (query, parameter) => {
    const { body } = await admin.get(`/v1/changes/counts?${query}`).expect(400);
    expect(body).toMatchObject({ details: [{ field: parameter }] });
  });
});
