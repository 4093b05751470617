import { Muster, ApiError, NetworkError } from '../../client/src';
import { startService, type OwnService } from '../support/service';
import type { Caller, Resource } from '../support/caller';
import { startDatabaseProxy, type DatabaseProxy } from '../support/database-proxy';
import { startLossyProxy, type LossyProxy } from '../support/lossy-proxy';
import { createTestDatabase } from '../support/test-database';

let app: OwnService;
let gate: DatabaseProxy;
let admin: Caller;
let line: LossyProxy;
/** What the client was told of each further try. */
let told: string[];

/** A client that goes by the line; after its first lost answer nothing is lost any more. */
function byTheLine(): Muster {
  const onRetry = (reason: string) => {
    told.push(reason);
    line.stopLosing();
  };
  return new Muster({ ...admin.credentials, url: line.url, onRetry });
}

beforeAll(async () => {
  gate = await startDatabaseProxy(await createTestDatabase());
  // The limit is for the last describe block; no other test stores more answers for one user.
  app = await startService({ IDEMPOTENCY_MAX_ANSWERS: '2' }, gate.database);
});

beforeEach(async () => {
  admin = await app.project();
  line = await startLossyProxy(app.url);
  told = [];
});

afterEach(() => line.close());

afterAll(() => app.stop());

const named = async (collection: string, name: string): Promise<Resource[]> =>
  (await admin.get(`/v1/${collection}?name=${name}`).expect(200)).body as Resource[];

it('reads again when an answer is lost', async () => {
  const region = await admin.region();
  const read = await byTheLine().get('/v1/regions/{id}', { path: { id: region.id } });
  expect(read).toEqual(region);
  expect(line.lost).toBe(1);
  expect(told).toEqual([expect.stringContaining(`Cannot connect to Muster at ${line.url}`)]);
});

it('creates once when an answer is lost', async () => {
  const made = await byTheLine().post('/v1/regions', { body: { name: 'once' } });
  expect(line.lost).toBe(1);
  expect(await named('regions', 'once')).toEqual([made]);
});

it('does not write over what others may have written since an answer was lost', async () => {
  const region = await admin.region({ name: 'mine' });
  const writing = byTheLine().put('/v1/regions/{id}', { path: { id: region.id }, body: { note: 'a' } });
  const error: unknown = await writing.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(NetworkError);
  expect(error).toMatchObject({ isOutcomeUnknown: true });
  expect(told).toEqual([]);
  expect(await named('regions', 'mine')).toMatchObject([{ note: 'a', version: 2 }]);
});

it('sends a write again that has a precondition, and tells that it was done', async () => {
  const region = await admin.region({ name: 'conditional' });
  const options = { path: { id: region.id }, body: { note: 'a' }, ifMatch: region.version };
  const error: unknown = await byTheLine()
    .put('/v1/regions/{id}', options)
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 412 });
  expect(await named('regions', 'conditional')).toMatchObject([{ note: 'a', version: 2 }]);
});

it('gives up after as many tries as it was told', async () => {
  const lost = new Muster({ ...admin.credentials, url: line.url, retries: 2 });
  await expect(lost.get('/v1/regions', {})).rejects.toThrow(NetworkError);
  expect(line.lost).toBe(3);
});

it('tries anything again where nobody listens', async () => {
  await line.close();
  const muster = new Muster({
    ...admin.credentials,
    url: line.url,
    retries: 1,
    onRetry: (reason) => told.push(reason),
  });
  const error: unknown = await muster
    .put('/v1/regions/{id}', { path: { id: 1 }, body: { note: 'a' } })
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'NetworkError', isOutcomeUnknown: false });
  expect(told).toHaveLength(1);
});

it('sends nothing again that may have been done when the service lost its database, unless it is done once', async () => {
  const muster = new Muster({
    ...admin.credentials,
    url: app.url,
    onRetry: (reason) => told.push(reason),
  });
  const region = await admin.region();
  const path = { id: region.id };
  const cut = { name: 'ApiError', status: 503, code: 'unavailable', isOutcomeUnknown: true };
  gate.dropResponseTo('COMMIT');
  await expect(muster.put('/v1/regions/{id}', { path, body: { note: 'a' } })).rejects.toMatchObject(cut);
  expect(await named('regions', region.name)).toMatchObject([{ note: 'a', version: 2 }]);
  gate.dropResponseTo('COMMIT');
  await expect(muster.delete('/v1/regions/{id}', { path })).rejects.toMatchObject(cut);
  expect(await named('regions', region.name)).toEqual([]);
  expect(told).toEqual([]);
  gate.dropResponseTo('COMMIT');
  const made = await muster.post('/v1/regions', { body: { name: 'once' } });
  expect(await named('regions', 'once')).toEqual([made]);
  expect(told).toEqual(['the server returned status 503']);
});

describe('where no more answers are stored for the user', () => {
  const client = () =>
    new Muster({ ...admin.credentials, url: app.url, retries: 0, onRetry: (reason) => told.push(reason) });
  const names = async () =>
    ((await admin.get('/v1/regions').expect(200)).body as Resource[]).map(({ name }) => name);

  it('sends a POST without the key that it has made', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await client().post('/v1/regions', { body: { name } });
    expect(await names()).toEqual(['a', 'b', 'c', 'd']);
    expect(told).toEqual(
      Array(2).fill('the limit of stored responses is reached, retrying without an idempotency key'),
    );
  });

  it('keeps a key that it was given', async () => {
    const create = (name: string) =>
      client().post('/v1/regions', { body: { name }, idempotencyKey: `key of ${name}` });
    for (const name of ['a', 'b']) await create(name);
    await expect(create('c')).rejects.toMatchObject({ status: 429, details: [{ field: 'Idempotency-Key' }] });
    expect(await names()).toEqual(['a', 'b']);
    expect(told).toEqual([]);
  });

  it('has none stored for a POST with null as its key', async () => {
    for (const name of ['a', 'b', 'c'])
      await client().post('/v1/regions', { body: { name }, idempotencyKey: null });
    await client().post('/v1/regions', { body: { name: 'd' } });
    expect(await names()).toEqual(['a', 'b', 'c', 'd']);
    expect(told).toEqual([]);
  });
});

it('does not send a POST without a key again when an answer is lost', async () => {
  const creating = byTheLine().post('/v1/regions', { body: { name: 'keyless' }, idempotencyKey: null });
  await expect(creating).rejects.toMatchObject({ name: 'NetworkError', isOutcomeUnknown: true });
  expect(await named('regions', 'keyless')).toHaveLength(1);
  expect(told).toEqual([]);
});

it('waits where the service says when', async () => {
  const { credentials, url } = app.root;
  let opened: Promise<void> | undefined;
  const muster = new Muster({
    ...credentials,
    url,
    onRetry: (reason) => {
      told.push(reason);
      opened ??= gate.reconnect();
    },
  });
  await gate.disconnect();
  const made = await muster.put('/v1/projects/{id}', {
    path: { id: credentials.project },
    body: { name: 'renamed' },
  });
  expect(made.name).toBe('renamed');
  expect(told[0]).toBe('the server returned status 503');
  await opened;
});
