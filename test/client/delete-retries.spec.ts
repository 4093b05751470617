import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { sharedService } from '../support/service';
import { environmentOf, MUSTER, muster } from '../support/shell';

const app = sharedService();

/** Starts a proxy that drops responses to processed DELETE requests. @param drops which of them, from 1 */
async function startDeleteDroppingProxy(drops: (nth: number) => boolean) {
  let deletes = 0;
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const forwarded = request(`${app.url}${url ?? ''}`, { method, headers }, (response) => {
      if (method === 'DELETE' && drops(++deletes)) {
        // A response that is not read keeps its connection, and this process.
        response.resume();
        incoming.socket.destroy();
        return;
      }
      outgoing.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    deletes: () => deletes,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

it('retries a delete whose response was lost, and treats it as done', async () => {
  const admin = await app.project();
  const host = await admin.host({ name: 'web-1' });
  const proxy = await startDeleteDroppingProxy((nth) => nth === 1);
  try {
    const { code, stderr } = await muster(admin, ['host', 'delete', 'web-1'], {
      env: { MUSTER_URL: proxy.url },
    });
    expect(code).toBe(0);
    expect(stderr).toMatch(/retrying.*\nDeleted host web-1\.\n$/s);
    expect(proxy.deletes()).toBe(2);
  } finally {
    await proxy.close();
  }
  await admin.get(`/v1/hosts/${host.id}`).expect(404);
});

it('reports rejected deletes even if the connection is lost afterwards', async () => {
  const admin = await app.project();
  const used = await admin.region({ name: 'used' });
  await admin.host({ name: 'web-1', region_id: used.id });
  for (const name of ['free-1', 'free-2']) await admin.region({ name });
  const proxy = await startDeleteDroppingProxy((nth) => nth > 1);
  try {
    const { code, stderr } = await muster(admin, ['region', 'delete', 'used', 'free-1', 'free-2', '--yes'], {
      env: { MUSTER_URL: proxy.url },
    });
    expect(code).toBe(5);
    expect(stderr).toMatch(
      /\n1 could not be deleted:\n {2}region used: .*\nmuster: Cannot connect to Muster/s,
    );
  } finally {
    await proxy.close();
  }
});

it('deletes everything even if its standard output is closed', async () => {
  const admin = await app.project();
  const names = ['web-1', 'web-2', 'web-3'];
  for (const name of names) await admin.host({ name });
  const child = spawn(process.execPath, [MUSTER, 'host', 'delete', ...names, '--yes', '-o', 'name'], {
    env: environmentOf(admin),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: [...names.map((name) => `Deleted host ${name}.\n`), 'Deleted 3 hosts.\n'].join(''),
  });
  expect((await admin.get('/v1/hosts').expect(200)).body).toEqual([]);
});
