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
let proxy: FaultyProxy | undefined;

beforeEach(async () => {
  admin = await app.project();
});

afterEach(async () => {
  await proxy?.close();
  proxy = undefined;
});

/** A client behind a proxy that truncates the first response to a method. */
async function clientWithTruncated(method: string): Promise<Muster> {
  let truncated = 0;
  proxy = await startFaultyProxy(app.url, (sent) =>
    sent === method && truncated++ === 0 ? 'cut' : undefined,
  );
  return new Muster({ ...admin.credentials, url: proxy.url });
}

it('retries a read if the response is truncated', async () => {
  const region = await admin.region();
  const client = await clientWithTruncated('GET');
  expect(await client.get('/v1/regions/{id}', { path: { id: region.id } })).toEqual(region);
  expect(proxy?.requests).toHaveLength(2);
});

it('creates a resource once if the response is truncated', async () => {
  const client = await clientWithTruncated('POST');
  const made = await client.post('/v1/regions', { body: { name: 'once' } });
  expect((await admin.get('/v1/regions?name=once').expect(200)).body as Resource[]).toEqual([made]);
});

it('reports an unknown outcome if the response to a PUT is truncated', async () => {
  const region = await admin.region({ name: 'mine' });
  const client = await clientWithTruncated('PUT');
  const error: unknown = await client
    .put('/v1/regions/{id}', { path: { id: region.id }, body: { note: 'a' } })
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(NetworkError);
  expect(error).toMatchObject({ isOutcomeUnknown: true });
  expect(proxy?.requests).toHaveLength(1);
});

it('renames a label although the response is lost, and prints the new name', async () => {
  await admin.region({ labels: ['web'] });
  let losses = 0;
  proxy = await startFaultyProxy(app.url, (method, { url = '' }) =>
    method === 'PUT' && !url.includes('dry_run') && losses++ === 0 ? 'lost' : undefined,
  );
  const { code, stdout, stderr } = await muster(
    admin,
    ['label', 'update', 'web', '--name', 'www', '-o', 'name'],
    { env: { MUSTER_URL: proxy.url } },
  );
  expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: 'www\n' });
});

it('does not follow or retry a redirect', async () => {
  let requests = 0;
  const server = createServer((_, response) => {
    requests++;
    response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const error: unknown = await new Muster({ ...admin.credentials, url })
    .get('/v1/regions', {})
    .catch((reason: unknown) => reason);
  server.close();
  server.closeAllConnections();
  expect(error).toMatchObject({ name: 'NetworkError', isOutcomeUnknown: false });
  expect(requests).toBe(1);
});

it('keeps the path prefix of the base URL in links', async () => {
  for (const name of ['a', 'b', 'c']) await admin.region({ name });
  const { port } = new URL(app.url);
  const server = createServer((incoming, outgoing) => {
    // Simulates a proxy that serves Muster under a path prefix.
    const path = (incoming.url ?? '').replace('/of/v1/muster', '');
    void fetch(`http://127.0.0.1:${port}${path}`, { headers: incoming.headers as Record<string, string> })
      .then(async (response) => ({ response, text: await response.text() }))
      .then(({ response, text }) => {
        const link = response.headers.get('link')?.replaceAll('/v1/regions', '/of/v1/muster/v1/regions');
        outgoing.writeHead(response.status, link === undefined ? {} : { link }).end(text);
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
