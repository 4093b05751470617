import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Muster } from '../../client/src';
import type { Caller, Resource } from '../support/caller';
import { startFaultyProxy, type FaultyProxy } from '../support/faulty-proxy';
import { itemOfMarker } from '../support/read-pages';
import { sharedService } from '../support/service';
import { muster } from '../support/shell';

/** The client reads 1,000 items at once. Each test deletes or changes one at most. */
const HOSTS = 1_010;
const NAMES = Array.from({ length: HOSTS }, (_, i) => `h${String(i).padStart(4, '0')}`);

const app = sharedService();
let admin: Caller;
let proxy: FaultyProxy | undefined;

beforeAll(async () => {
  admin = await app.project();
  const { id: region_id } = await admin.region();
  const hosts = NAMES.map((name, i) => ({
    ...{ name, region_id, device_type: 'server', active: true },
    ip_address: `10.0.${String(i >> 8)}.${String(i % 256)}`,
  }));
  await admin.post('/v1/hosts', hosts.slice(0, 1_000)).expect(201);
  await admin.post('/v1/hosts', hosts.slice(1_000)).expect(201);
});

afterEach(async () => {
  await proxy?.close();
  proxy = undefined;
});

/** The names of all hosts, in one page. */
async function currentNames(order = 'id'): Promise<string[]> {
  const { body } = await admin.get(`/v1/hosts?fields=name&limit=10000&sort_keys=${order}`).expect(200);
  const names = (body as Resource[]).map(({ name }) => name);
  expect(names.length).toBeGreaterThan(1_000);
  return names;
}

/** The names that a command prints if the item of the marker is changed before the second page is read. */
async function namesWhile(
  change: (path: string) => Promise<unknown>,
  ...options: string[]
): Promise<string[]> {
  let changed = 0;
  proxy = await startFaultyProxy(
    app.url,
    () => undefined,
    async (_, path) => {
      const marker = new URL(path, app.url).searchParams.get('marker');
      if (marker !== null && changed++ === 0) await change(`/v1/hosts/${itemOfMarker(marker)}`);
    },
  );
  const { code, stdout, stderr } = await muster(
    admin,
    ['host', 'list', '--limit', '0', '-o', 'name', ...options],
    { env: { MUSTER_URL: proxy.url } },
  );
  expect({ code, stderr, changed }).toEqual({ code: 0, stderr: '', changed: 1 });
  return stdout.split('\n').slice(0, -1);
}

it.each([
  ['id', []],
  ['name', ['--sort-key', 'name']],
  ['ip_address', ['--sort-key', 'ip_address']],
])('prints all hosts by %s if the last one of a page is deleted', async (key, order) => {
  const before = await currentNames(key);
  const names = await namesWhile((path) => admin.delete(path).expect(204), ...order);
  expect(names).toEqual(before);
  expect(await currentNames(key)).toHaveLength(before.length - 1);
});

it('prints all hosts by name if the last one of a page is renamed', async () => {
  const before = await currentNames('name');
  const names = await namesWhile((path) => admin.put(path, { name: 'z' }).expect(200), '--sort-key', 'name');
  expect(names).toEqual([...before, 'z']);
});

it('prints all hosts by their time of update if the last one of a page is updated', async () => {
  const before = await currentNames();
  const update = (path: string) => admin.put(path, { note: 'touched' }).expect(200);
  const names = await namesWhile(update, '--sort-key', 'updated_at', '--sort-dir', 'desc');
  expect(new Set(names)).toEqual(new Set(before));
});

it('fails if a proxy removes the links between pages', async () => {
  const server = createServer((incoming, outgoing) => {
    void fetch(`${app.url}${incoming.url ?? ''}`, { headers: incoming.headers as Record<string, string> })
      .then((response) => response.text())
      .then((text) => outgoing.end(text));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const result = await muster(admin, ['host', 'list', '--limit', '0', '-o', 'name'], {
    env: { MUSTER_URL: url },
  });
  const names: string[] = [];
  const read = async () => {
    for await (const { name } of new Muster({ ...admin.credentials, url }).list('/v1/hosts', {}))
      names.push(name);
  };
  await expect(read()).rejects.toMatchObject({ name: 'NetworkError', isOutcomeUnknown: false });
  server.close();
  server.closeAllConnections();
  expect(names).toEqual([]);
  expect(result).toMatchObject({ stdout: '', stderr: expect.stringContaining('has no Link header') });
  expect(result.code).toBeGreaterThan(0);
});
