import { doBatch, sendBatch, type Operation } from '../support/batches';
import { Caller } from '../support/caller';
import { samplesOf } from '../support/prometheus-text';
import { lockRows, SecondConnection } from '../support/second-connection';
import { sharedService, type OwnService } from '../support/service';

const setting = (ids: readonly number[], value: number): Operation[] =>
  ids.map((id) => ({ method: 'PUT', path: `/v1/hosts/${String(id)}/variables`, body: { value } }));

describe('batches', () => {
  const app = sharedService();

  it('that lock the same resources in other orders are all done', async () => {
    const admin = await app.project();
    const region_id = (await admin.region()).id;
    const hosts = [];
    for (let i = 0; i < 3; i++) hosts.push((await admin.host({ region_id })).id);
    const [a = 0, b = 0, between = 0] = hosts;
    const connection = await SecondConnection.connect(app.databaseUrl);
    try {
      // Both hold one host and wait for the one between: whichever gets it waits for the host of the other one.
      const responses = await connection.whileHolding(
        lockRows('devices', admin.projectId, between),
        () =>
          Promise.all([
            sendBatch(admin, setting([a, between, b], 1)),
            sendBatch(admin, setting([b, between, a], 2)),
          ]),
        2,
      );
      expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    } finally {
      await connection.close();
    }
    const { body } = await admin.get('/v1/hosts').expect(200);
    const states = (body as { version: number; variables: { value: number } }[]).map(
      ({ version, variables }) => [version, variables.value],
    );
    expect(states.map(([version]) => version)).toEqual([3, 3, 3]);
    expect(new Set(states.map(([, value]) => value)).size).toBe(1);
  });

  describe('of a service with one connection, which takes one request at a time', () => {
    let peer: OwnService;
    let admin: Caller;
    beforeAll(async () => {
      peer = await app.startPeer({ DATABASE_POOL_SIZE: '1', MAX_IN_FLIGHT: '1', LOG_LEVEL: 'info' });
      admin = new Caller(peer.url, (await app.project()).credentials);
    });
    afterAll(() => peer.stop());

    const operations = (name: string): Operation[] => [
      { id: 'c', method: 'POST', path: '/v1/clouds', body: { name } },
      { method: 'PUT', path: '/v1/clouds/{c.id}', body: { name: `${name}-2` } },
    ];
    const counts = async (): Promise<Map<string, number>> =>
      new Map(
        [...samplesOf((await peer.root.get('/metrics').expect(200)).text)].flatMap(([name, value]) => {
          const [, method, route] =
            /^muster_http_request_duration_seconds_count\{method="(POST|PUT)",route="([^"]+)"/.exec(name) ??
            [];
          return method === undefined ? [] : [[`${method} ${String(route)}`, value] as const];
        }),
      );

    it('are done, and are counted and logged as one request', async () => {
      const before = await counts();
      const response = await sendBatch(admin, operations('west'), '', { 'X-Request-Id': 'batch-1' });
      expect(response.status).toBe(200);
      const after = await counts();
      expect(after.get('POST /v1/batch')).toBe((before.get('POST /v1/batch') ?? 0) + 1);
      for (const route of ['POST /v1/clouds', 'PUT /v1/clouds/{id}'])
        expect(after.get(route)).toBe(before.get(route));
      expect(await peer.logLineOf('batch-1')).toMatchObject({ req: { route: '/v1/batch' } });
    });

    it('release their request if they fail', async () => {
      for (let i = 0; i < 3; i++)
        await sendBatch(admin, [...operations('north'), ...operations('n')]).expect(400);
      await doBatch(admin, operations('south'));
    });
  });
});
