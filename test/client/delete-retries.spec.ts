import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { sharedService } from '../support/service';
import { environmentOf, MUSTER, muster } from '../support/shell';

const app = sharedService();

/** A way to the service on which answers to deletes get lost, after it was done. @param loses which of them, from 1 on */
async function losingDeletes(loses: (nth: number) => boolean) {
  let deletes = 0;
  const server = createServer((asked, answer) => {
    const { method, url, headers } = asked;
    const handed = request(`${app.url}${url ?? ''}`, { method, headers }, (given) => {
      if (method === 'DELETE' && loses(++deletes)) {
        asked.socket.destroy();
        return;
      }
      answer.writeHead(given.statusCode ?? 500, given.headers);
      given.pipe(answer);
    });
    asked.pipe(handed);
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

it('tries a delete again whose answer was lost, and takes it for done', async () => {
  const admin = await app.project();
  const host = await admin.host({ name: 'web-1' });
  const line = await losingDeletes((nth) => nth === 1);
  try {
    const { code, stderr } = await muster(admin, ['host', 'delete', 'web-1'], {
      env: { MUSTER_URL: line.url },
    });
    expect(code).toBe(0);
    expect(stderr).toMatch(/retrying.*\nDeleted host web-1\.\n$/s);
    expect(line.deletes()).toBe(2);
  } finally {
    await line.close();
  }
  await admin.get(`/v1/hosts/${host.id}`).expect(404);
});

it('tells what was refused also where the connection is lost behind it', async () => {
  const admin = await app.project();
  const used = await admin.region({ name: 'used' });
  await admin.host({ name: 'web-1', region_id: used.id });
  for (const name of ['free-1', 'free-2']) await admin.region({ name });
  const line = await losingDeletes((nth) => nth > 1);
  try {
    const { code, stderr } = await muster(admin, ['region', 'delete', 'used', 'free-1', 'free-2'], {
      env: { MUSTER_URL: line.url },
    });
    expect(code).toBe(5);
    expect(stderr).toMatch(
      /\n1 could not be deleted:\n {2}region used: .*\nmuster: Cannot connect to Muster/s,
    );
  } finally {
    await line.close();
  }
});

it('deletes all although nobody reads what it prints', async () => {
  const admin = await app.project();
  const names = ['web-1', 'web-2', 'web-3'];
  for (const name of names) await admin.host({ name });
  const child = spawn(process.execPath, [MUSTER, 'host', 'delete', ...names, '-o', 'name'], {
    env: environmentOf(admin),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  expect({ code, said }).toEqual({ code: 0, said: names.map((name) => `Deleted host ${name}.\n`).join('') });
  expect((await admin.get('/v1/hosts').expect(200)).body).toEqual([]);
});
