import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { revertHint } from '../support/reverts';
import { sharedService } from '../support/service';
import { Caller } from '../support/caller';
import { exportLines } from '../support/export-reader';
import { asLines } from '../support/importing';
import { muster, temporaryFile } from '../support/shell';

const app = sharedService();

/** Starts a proxy that truncates the first response to an import, after it was processed. */
async function startTruncatingProxy() {
  let imports = 0;
  const server = createServer((incoming, outgoing) => {
    const { method, url = '', headers } = incoming;
    const forwarded = request(`${app.url}${url}`, { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 500, response.headers);
      if (method === 'POST' && url.startsWith('/v1/import') && ++imports === 1) {
        // A response that is not read keeps its connection, and this process.
        response.resume();
        outgoing.write('{', () => outgoing.destroy());
      } else response.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    imports: () => imports,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const LINES = [
  { kind: 'region', name: 'north' },
  { kind: 'cell', region: 'north', name: 'rack-a' },
];

describe('a truncated response to an import', () => {
  it.each([[], ['--partial', '-o', 'json']])(
    'leads to a query of the outcome with %j: everything was written',
    async (...more) => {
      const admin = await app.project();
      const proxy = await startTruncatingProxy();
      try {
        const viaProxy = new Caller(proxy.url, admin.credentials);
        const ended = await muster(viaProxy, [
          'import',
          temporaryFile('fleet.ndjson', asLines(LINES)),
          '--yes',
          ...more,
        ]);
        expect(ended).toMatchObject({ code: 5, stdout: '' });
        expect(ended.stderr).toMatch(
          /muster: The response of the server was truncated\.\nEverything was written \(change \d+\)\.\n$/,
        );
        expect(await exportLines(admin, '?kind=cell')).toHaveLength(1);
      } finally {
        await proxy.close();
      }
    },
  );

  it('of a dry run means that nothing was written', async () => {
    const admin = await app.project();
    const proxy = await startTruncatingProxy();
    try {
      const viaProxy = new Caller(proxy.url, admin.credentials);
      const ended = await muster(viaProxy, [
        'import',
        temporaryFile('fleet.ndjson', asLines(LINES)),
        '--dry-run',
      ]);
      expect(ended).toEqual({
        code: 5,
        stdout: '',
        stderr: 'muster: The response of the server was truncated.\nNothing was written.\n',
      });
    } finally {
      await proxy.close();
    }
  });

  it('in batches leads to a retry, and the batch is written once', async () => {
    const admin = await app.project();
    const proxy = await startTruncatingProxy();
    try {
      const viaProxy = new Caller(proxy.url, admin.credentials);
      const ended = await muster(viaProxy, [
        'import',
        temporaryFile('fleet.ndjson', asLines(LINES)),
        '--yes',
        '--batch',
        '1',
      ]);
      expect(ended).toEqual({
        code: 0,
        stdout: '2 created, 0 updated, 0 unchanged\n',
        stderr: `The response of the server was truncated. Retrying.\n${await revertHint(admin, 2)}\n`,
      });
      expect(proxy.imports()).toBe(3);
      expect((await admin.get('/v1/changes?kind=region').expect(200)).body).toHaveLength(1);
    } finally {
      await proxy.close();
    }
  });
});

it('escapes control characters in the response of another server', async () => {
  const admin = await app.project();
  const server = createServer((incoming, outgoing) => {
    incoming.resume().on('end', () => outgoing.writeHead(503).end('\u001b]0;owned\u0007 not now'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const viaServer = new Caller(
      `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
      admin.credentials,
    );
    const { code, stderr } = await muster(viaServer, ['import', '-', '--yes'], { stdin: asLines(LINES) });
    expect(code).toBe(5);
    expect(stderr).toContain('\\u001b]0;owned\\u0007 not now Checking');
    expect(stderr).not.toContain('\u001b');
  } finally {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
}, 60_000);
