import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Muster, NetworkError } from '../../client/src';
import { sharedService } from '../support/service';
import type { Caller, Resource } from '../support/caller';
import { startFaultyProxy, type FaultyProxy } from '../support/faulty-proxy';
import { muster } from '../support/shell';

const app = sharedService();
let admin: Caller;
let line: FaultyProxy | undefined;

beforeEach(async () => {
  admin = await app.project();
});

afterEach(async () => {
  await line?.close();
  line = undefined;
});

/** A client on whose line the first answer to a method breaks off. */
async function cutting(method: string): Promise<Muster> {
  let cuts = 0;
  line = await startFaultyProxy(app.url, (asked) => (asked === method && cuts++ === 0 ? 'cut' : undefined));
  return new Muster({ ...admin.credentials, url: line.url });
}

it('reads again when an answer breaks off', async () => {
  const region = await admin.region();
  const client = await cutting('GET');
  expect(await client.get('/v1/regions/{id}', { path: { id: region.id } })).toEqual(region);
  expect(line?.requests).toHaveLength(2);
});

it('creates once when an answer breaks off', async () => {
  const client = await cutting('POST');
  const made = await client.post('/v1/regions', { body: { name: 'once' } });
  expect((await admin.get('/v1/regions?name=once').expect(200)).body as Resource[]).toEqual([made]);
});

it('says of a write whose answer breaks off that it may be done', async () => {
  const region = await admin.region({ name: 'mine' });
  const client = await cutting('PUT');
  const error: unknown = await client
    .put('/v1/regions/{id}', { path: { id: region.id }, body: { note: 'a' } })
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(NetworkError);
  expect(error).toMatchObject({ isOutcomeUnknown: true });
  expect(line?.requests).toHaveLength(1);
});

it('changes the name of a label whose answer is lost, and says what it is then', async () => {
  await admin.region({ labels: ['web'] });
  let losses = 0;
  line = await startFaultyProxy(app.url, (method, { url = '' }) =>
    method === 'PUT' && !url.includes('dry_run') && losses++ === 0 ? 'lost' : undefined,
  );
  const { code, stdout, stderr } = await muster(
    admin,
    ['label', 'update', 'web', '--name', 'www', '-o', 'name'],
    { env: { MUSTER_URL: line.url } },
  );
  expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: 'www\n' });
});

it('asks once where it is sent elsewhere', async () => {
  let asked = 0;
  const server = createServer((_, answer) => {
    asked++;
    answer.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const error: unknown = await new Muster({ ...admin.credentials, url })
    .get('/v1/regions', {})
    .catch((reason: unknown) => reason);
  server.close();
  server.closeAllConnections();
  expect(error).toMatchObject({ name: 'NetworkError', isOutcomeUnknown: false });
  expect(asked).toBe(1);
});

it('keeps what stands before the paths of the API, whatever it is', async () => {
  for (const name of ['a', 'b', 'c']) await admin.region({ name });
  const { port } = new URL(app.url);
  const server = createServer((incoming, answer) => {
    // What a proxy does that serves Muster below a path of its own.
    const path = (incoming.url ?? '').replace('/of/v1/muster', '');
    void fetch(`http://127.0.0.1:${port}${path}`, { headers: incoming.headers as Record<string, string> })
      .then(async (given) => ({ given, text: await given.text() }))
      .then(({ given, text }) => {
        const link = given.headers.get('link')?.replaceAll('/v1/regions', '/of/v1/muster/v1/regions');
        answer.writeHead(given.status, link === undefined ? {} : { link }).end(text);
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/of/v1/muster`;
  const names: string[] = [];
  for await (const { name } of new Muster({ ...admin.credentials, url }).list('/v1/regions', {
    query: { limit: 1 },
  }))
    names.push(name);
  server.close();
  server.closeAllConnections();
  expect(names).toEqual(['a', 'b', 'c']);
});
