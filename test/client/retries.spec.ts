import { Muster, ApiError, NetworkError } from '../../client/src';
import { startService, type OwnService } from '../support/service';
import type { Caller, Resource } from '../support/caller';
import { startDatabaseProxy, type DatabaseProxy } from '../support/database-proxy';
import { refusingUrl } from '../support/free-port';
import { startLossyProxy, type LossyProxy } from '../support/lossy-proxy';
import { createTestDatabase } from '../support/test-database';

let app: OwnService;
let databaseProxy: DatabaseProxy;
let admin: Caller;
let proxy: LossyProxy;
/** The reason of each retry. */
let retryReasons: string[];

/** A client behind the proxy, which stops losing responses after the first retry. */
function clientViaProxy(): Muster {
  const onRetry = (reason: string) => {
    retryReasons.push(reason);
    proxy.stopLosing();
  };
  return new Muster({ ...admin.credentials, url: proxy.url, onRetry });
}

beforeAll(async () => {
  databaseProxy = await startDatabaseProxy(await createTestDatabase());
  // The limit is for the last describe block. No other test stores more responses for one user.
  app = await startService({ IDEMPOTENCY_MAX_ANSWERS: '2' }, databaseProxy.database);
});

beforeEach(async () => {
  admin = await app.project();
  proxy = await startLossyProxy(app.url);
  retryReasons = [];
});

afterEach(() => proxy.close());

afterAll(() => app.stop());

const named = async (collection: string, name: string): Promise<Resource[]> =>
  (await admin.get(`/v1/${collection}?name=${name}`).expect(200)).body as Resource[];

it('retries a read whose response is lost', async () => {
  const region = await admin.region();
  const read = await clientViaProxy().get('/v1/regions/{id}', { path: { id: region.id } });
  expect(read).toEqual(region);
  expect(proxy.lost).toBe(1);
  expect(retryReasons).toEqual([expect.stringContaining(`Cannot connect to Muster at ${proxy.url}`)]);
});

it('creates a resource once if a response is lost', async () => {
  const made = await clientViaProxy().post('/v1/regions', { body: { name: 'once' } });
  expect(proxy.lost).toBe(1);
  expect(await named('regions', 'once')).toEqual([made]);
});

it('does not retry an unconditional PUT whose response is lost, because others may have written since', async () => {
  const region = await admin.region({ name: 'mine' });
  const writing = clientViaProxy().put('/v1/regions/{id}', { path: { id: region.id }, body: { note: 'a' } });
  const error: unknown = await writing.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(NetworkError);
  expect(error).toMatchObject({ isOutcomeUnknown: true });
  expect(retryReasons).toEqual([]);
  expect(await named('regions', 'mine')).toMatchObject([{ note: 'a', version: 2 }]);
});

it('retries a conditional PUT, which then fails because it was done before', async () => {
  const region = await admin.region({ name: 'conditional' });
  const options = { path: { id: region.id }, body: { note: 'a' }, ifMatch: region.version };
  const error: unknown = await clientViaProxy()
    .put('/v1/regions/{id}', options)
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 412 });
  expect(await named('regions', 'conditional')).toMatchObject([{ note: 'a', version: 2 }]);
});

it('stops after the configured number of retries', async () => {
  const lost = new Muster({ ...admin.credentials, url: proxy.url, retries: 2 });
  await expect(lost.get('/v1/regions', {})).rejects.toThrow(NetworkError);
  expect(proxy.lost).toBe(3);
});

it('retries any request if the connection is refused', async () => {
  const muster = new Muster({
    ...admin.credentials,
    url: await refusingUrl(),
    retries: 1,
    onRetry: (reason) => retryReasons.push(reason),
  });
  const error: unknown = await muster
    .put('/v1/regions/{id}', { path: { id: 1 }, body: { note: 'a' } })
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'NetworkError', isOutcomeUnknown: false });
  expect(retryReasons).toHaveLength(1);
});

it('retries a possibly committed write after a 503 only with an idempotency key', async () => {
  const muster = new Muster({
    ...admin.credentials,
    url: app.url,
    onRetry: (reason) => retryReasons.push(reason),
  });
  const region = await admin.region();
  const path = { id: region.id };
  const unavailable = { name: 'ApiError', status: 503, code: 'unavailable', isOutcomeUnknown: true };
  databaseProxy.dropResponseTo('COMMIT');
  await expect(muster.put('/v1/regions/{id}', { path, body: { note: 'a' } })).rejects.toMatchObject(
    unavailable,
  );
  expect(await named('regions', region.name)).toMatchObject([{ note: 'a', version: 2 }]);
  databaseProxy.dropResponseTo('COMMIT');
  await expect(muster.delete('/v1/regions/{id}', { path })).rejects.toMatchObject(unavailable);
  expect(await named('regions', region.name)).toEqual([]);
  expect(retryReasons).toEqual([]);
  databaseProxy.dropResponseTo('COMMIT');
  const made = await muster.post('/v1/regions', { body: { name: 'once' } });
  expect(await named('regions', 'once')).toEqual([made]);
  expect(retryReasons).toEqual(['the server returned status 503']);
});

describe('when the limit of stored responses is reached', () => {
  const client = () =>
    new Muster({
      ...admin.credentials,
      url: app.url,
      retries: 0,
      onRetry: (reason) => retryReasons.push(reason),
    });
  const names = async () =>
    ((await admin.get('/v1/regions').expect(200)).body as Resource[]).map(({ name }) => name);

  it('sends a POST again without its generated idempotency key', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await client().post('/v1/regions', { body: { name } });
    expect(await names()).toEqual(['a', 'b', 'c', 'd']);
    expect(retryReasons).toEqual(
      Array(2).fill('the limit of stored responses is reached, retrying without an idempotency key'),
    );
  });

  it('keeps an explicit idempotency key', async () => {
    const create = (name: string) =>
      client().post('/v1/regions', { body: { name }, idempotencyKey: `key of ${name}` });
    for (const name of ['a', 'b']) await create(name);
    await expect(create('c')).rejects.toMatchObject({ status: 429, details: [{ field: 'Idempotency-Key' }] });
    expect(await names()).toEqual(['a', 'b']);
    expect(retryReasons).toEqual([]);
  });

  it('stores no response for a POST with null as its key', async () => {
    for (const name of ['a', 'b', 'c'])
      await client().post('/v1/regions', { body: { name }, idempotencyKey: null });
    await client().post('/v1/regions', { body: { name: 'd' } });
    expect(await names()).toEqual(['a', 'b', 'c', 'd']);
    expect(retryReasons).toEqual([]);
  });
});

it('does not retry a POST without a key if the response is lost', async () => {
  const creating = clientViaProxy().post('/v1/regions', { body: { name: 'keyless' }, idempotencyKey: null });
  await expect(creating).rejects.toMatchObject({ name: 'NetworkError', isOutcomeUnknown: true });
  expect(await named('regions', 'keyless')).toHaveLength(1);
  expect(retryReasons).toEqual([]);
});

it('waits for the time in Retry-After', async () => {
  const { credentials, url } = app.root;
  let opened: Promise<void> | undefined;
  const muster = new Muster({
    ...credentials,
    url,
    onRetry: (reason) => {
      retryReasons.push(reason);
      opened ??= databaseProxy.reconnect();
    },
  });
  await databaseProxy.disconnect();
  const made = await muster.put('/v1/projects/{id}', {
    path: { id: credentials.project },
    body: { name: 'renamed' },
  });
  expect(made.name).toBe('renamed');
  expect(retryReasons[0]).toBe('the server returned status 503');
  await opened;
});
