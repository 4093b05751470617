import { sharedPeer } from '../support/service';
import { muster, printed, temporaryFolder } from '../support/shell';

const app = sharedPeer();

it('lists all pages of a deployment with LIST_BODY=page', async () => {
  const other = await app.project();
  const body = Array.from({ length: 150 }, (_, i) => ({ name: `region-${String(i).padStart(3, '0')}` }));
  await other.post('/v1/regions', body).expect(201);
  const all = (await printed(other, ['region', 'list', '--limit', '0', '-o', 'name'])).trimEnd().split('\n');
  expect(all).toEqual(body.map(({ name }) => name));
  for (const limit of [1, 100, 120]) {
    const { stdout, stderr } = await muster(other, [
      'region',
      'list',
      '--limit',
      String(limit),
      '-o',
      'name',
    ]);
    expect(stdout.trimEnd().split('\n')).toEqual(all.slice(0, limit));
    expect(stderr).toContain(`more than ${limit} item`);
  }
  expect(await muster(other, ['region', 'show', 'region-007', '-o', 'name'])).toMatchObject({
    stdout: 'region-007\n',
  });
});

it('logs in to a deployment with LIST_BODY=page', async () => {
  const admin = await app.project();
  const login = ['login', '--url', app.url, '--token-stdin'];
  const unset = { MUSTER_URL: '', MUSTER_PROJECT: '', MUSTER_USER: '', MUSTER_TOKEN: '' };
  const env = { ...unset, HOME: temporaryFolder() };
  const { code, stderr } = await muster(admin, login, { env, stdin: admin.credentials.token });
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('The API key is valid') });
});

it('completes names from a deployment with LIST_BODY=page', async () => {
  const admin = await app.project();
  await admin.region({ labels: ['compute', 'common'] });
  const line = ['completion-words', 'fish', '--', 'label', 'show', 'comp'];
  const env = { MUSTER_COMPLETION_TIMEOUT: '20000' };
  expect(await printed(admin, line, { env })).toBe('compute\t\n');
});
