import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Muster, NetworkError } from '../../client/src';
import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';
import { startFaultyProxy } from '../support/faulty-proxy';
import { muster } from '../support/shell';

const app = sharedService();
let admin: Caller;

beforeAll(async () => {
  admin = await app.project();
  const [north, south] = [await admin.region({ name: 'north' }), await admin.region({ name: 'south' })];
  for (const { id } of [north, south]) await admin.cell({ name: 'rack-a', region_id: id });
  for (const name of ['web-1', 'web-2'])
    await admin.host({ name, region_id: north.id, labels: 'web', variables: { kernel: '6.8' } });
});

// The result is what it would be without the request. It is not worth a retry.
it.each([
  [
    ['vars', 'explain', 'host', 'web-1', 'kernl'],
    /\/variables\?resolved-values=true$/,
    { code: 3, stdout: '', stderr: 'muster: No level sets kernl for host web-1.\n' },
  ],
  [['vars', 'where', 'kernl', '-o', 'name'], /\/variable-keys\?/, { code: 0, stdout: '', stderr: '' }],
  [
    ['vars', 'history', 'host', 'web-1', '--own', 'domain', '-o', 'name'],
    /\/(?:explain|variable-keys)\?/,
    { code: 0, stdout: '', stderr: '' },
  ],
  [
    ['host', 'list', '--where', 'kernl exists', '-o', 'name'],
    /\/variable-keys\?/,
    { code: 0, stdout: '', stderr: '' },
  ],
  [['host', 'list', '--label', 'wbe', '-o', 'name'], /\/labels\?/, { code: 0, stdout: '', stderr: '' }],
  [
    ['host', 'list', '--without-label', 'wbe', '--limit', '1', '-o', 'name'],
    /\/labels\?/,
    {
      code: 0,
      stdout: 'web-1\n',
      stderr: 'There is more than 1 item: use --limit 0 to show all.\n',
    },
  ],
  [
    ['host', 'show', 'web-9'],
    /\/hosts\?fields=name&/,
    {
      code: 3,
      stdout: '',
      stderr: 'muster: There is no host "web-9".\n  "muster host list" shows the hosts.\n',
    },
  ],
  [
    ['cell', 'show', 'rack-a'],
    /\/regions\/\d+/,
    {
      code: 6,
      stdout: '',
      stderr: expect.stringMatching(/^muster: "rack-a" matches more than one cell/) as string,
    },
  ],
  [
    ['host', 'update', 'web-1', 'web-2', '--add-label', 'wbe', '--no-create-labels', '--dry-run'],
    /\/labels\?project_id=/,
    {
      code: 3,
      stdout: '',
      stderr: 'muster: There is no label "wbe". "muster label list" shows the labels.\n',
    },
  ],
])('%j has its result if %s, which only explains it, fails', async (args, explanation, result) => {
  const proxy = await startFaultyProxy(app.url, (_, { url = '' }) =>
    explanation.test(url) ? 'replaced' : undefined,
  );
  try {
    expect(await muster(admin, args, { env: { MUSTER_URL: proxy.url } })).toEqual(result);
    const failed = proxy.requests.filter((request) => explanation.test(request));
    expect(failed.length).toBeGreaterThan(0);
    expect(failed).toEqual([...new Set(failed)]);
  } finally {
    await proxy.close();
  }
});

it('an explanation that takes long is a network error', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  try {
    const client = new Muster({ ...admin.credentials, url: `http://127.0.0.1:${String(port)}` });
    await expect(client.withoutRetries(50).get('/v1/regions', {})).rejects.toThrow(NetworkError);
  } finally {
    silent.closeAllConnections();
    silent.close();
  }
});
