import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';
import { muster, musterProcess, printed } from '../support/shell';

const BREAKS = ' \t\n"\'@><=;|&(:';

/** These tests check what is found, not how fast. */
const LONG_TIMEOUT = { MUSTER_COMPLETION_TIMEOUT: '20000' };

const app = sharedService();
let admin: Caller;

beforeAll(async () => {
  admin = await app.project();
});

const words = async (...line: string[]): Promise<string[]> =>
  (await printed(admin, ['completion-words', 'fish', '--', ...line], { env: LONG_TIMEOUT }))
    .split('\n')
    .slice(0, -1);
const inBash = async (line: string): Promise<string[]> =>
  (await printed(admin, ['completion-words', 'bash', '--', line, BREAKS], { env: LONG_TIMEOUT }))
    .split('\n')
    .slice(0, -1);

it('completes commands, options, choices, kinds, keys and names', async () => {
  const { id: region_id } = await admin.region({ name: 'east side' });
  for (const [name, variables] of Object.entries({ 'app-1': { ntp: 1, ntp_servers: [] }, 'app-2': {} }))
    await admin.host({ name, region_id, variables });
  for (const [line, expected] of [
    ['muster ho', ['host']],
    ['muster host up', ['update']],
    ['muster host list --sort-d', ['--sort-dir']],
    ['muster host list --all-p', ['--all-projects']],
    ['muster host list --sort-dir ', ['asc', 'desc']],
    ['muster region list -o j', ['json']],
    ['muster vars get net', ['network-device']],
    ['muster vars get host app-1 nt', ['ntp', 'ntp_servers']],
    ['muster device show ap', ['app-1', 'app-2']],
    ['muster host list --region eas', ['east\\ side']],
  ] as const)
    expect([line, await inBash(line)]).toEqual([line, expected]);
  expect(await inBash('muster ')).not.toContain('completion-words');
});

it('completes the common prefix of all names, even beyond the read limit', async () => {
  const labels = [...Array.from({ length: 150 }, (_, i) => `rack-0${String(i + 1000)}`), 'rack-zone'];
  await admin.region({ labels });
  const found = (await words('label', 'show', 'ra')).map((line) => line.split('\t')[0]);
  expect(found).toHaveLength(101);
  expect(found).toContain('rack-zone');
  expect(await words('label', 'show', 'rack-z')).toEqual(['rack-zone\t']);
});

it('completes the last of several names joined by commas', async () => {
  await admin.region({ labels: ['compute', 'common'] });
  expect(await words('host', 'create', 'web-1', '--labels', 'x,comp')).toEqual(['x,compute\t']);
  expect(await words('host', 'list', '--fields', 'id,na')).toEqual(['id,name\t']);
});

it('uses the credentials from flags in the line', async () => {
  const other = await app.project();
  await other.region({ name: 'of-another' });
  expect(await words('region', 'show', 'of-a')).toEqual([]);
  expect(await words('--token', other.credentials.token, 'region', 'show', 'of-a')).toEqual(['of-another\t']);
});

it('escapes special characters for Bash', async () => {
  await admin.cloud({ name: 'odd $(touch ran)' });
  expect(await words('cloud', 'show', 'odd')).toEqual(['odd $(touch ran)\t']);
  expect(await inBash('muster cloud show od')).toEqual(['odd\\ \\$\\(touch\\ ran\\)']);
  // Bash also expands them within double quotes, but not within single quotes.
  expect(await inBash('muster cloud show "odd ')).toEqual(['odd \\$(touch ran)']);
  expect(await inBash('muster cloud show "odd \\$(to')).toEqual(['odd \\$(touch ran)']);
  expect(await inBash("muster cloud show 'odd ")).toEqual(['odd $(touch ran)']);
});

it.each([
  ["quote'; touch ran; '", "\"quote'; touch ran; '", "'quote'\\''; touch ran; '\\''"],
  ['double"; touch ran; "', '"double\\"; touch ran; \\"', '\'double"; touch ran; "'],
  ['tick`touch ran`', '"tick\\`touch ran\\`', "'tick`touch ran`"],
  ['slash\\$(touch ran)', '"slash\\\\\\$(touch ran)', "'slash\\$(touch ran)"],
  ['bang!!', undefined, "'bang!!"],
])('does not let a name break out of its quotes: %s', async (name, double, single) => {
  await admin.cloud({ name });
  const begin = name.slice(0, 4);
  // The opening quote is typed already.
  expect(await inBash(`muster cloud show "${begin}`)).toEqual(double === undefined ? [] : [double.slice(1)]);
  expect(await inBash(`muster cloud show '${begin}`)).toEqual([single.slice(1)]);
});

it("completes nothing within $'…' quotes, which have other rules", async () => {
  await admin.cloud({ name: "$od'; touch ran; '" });
  expect(await inBash("muster cloud show $'")).toEqual([]);
  expect(await inBash("muster cloud show '$o")).toEqual(["$od'\\''; touch ran; '\\''"]);
});

it('keeps the text before closed quotes', async () => {
  await admin.cloud({ name: 'two words of it' });
  expect(await inBash('muster cloud show tw"o wor"ds')).toEqual(['two\\ words\\ of\\ it']);
});

it('completes the keys and values of conditions', async () => {
  await admin.host({ variables: { kernel: '6.8' } });
  const complete = async (typed: string) => (await words('host', 'list', '--where', typed)).join('\n');
  expect(await complete('ker')).toMatch(/^kernel\b/m);
  expect(await complete('kernel = ')).toMatch(/^kernel = "6.8"/m);
});

it('stops at the timeout, even while it looks up the resource', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const url = `http://127.0.0.1:${String((silent.address() as AddressInfo).port)}`;
  const env = { MUSTER_URL: url, MUSTER_COMPLETION_TIMEOUT: '100' };
  const line = ['completion-words', 'fish', '--', 'vars', 'get', 'host', 'web-1', 'nt'];
  expect(await musterProcess(admin, line, { env })).toEqual({ code: 0, stdout: '', stderr: '' });
  silent.closeAllConnections();
  silent.close();
});

it('distinguishes values of flags from positional words', async () => {
  await admin.region({ name: 'north' });
  expect(await inBash('muster host list --region=no')).toEqual(['north']);
  expect(await inBash('muster host list --reason host no')).toEqual([]);
  expect(await inBash('muster --reason "two words" region show no')).toEqual(['north']);
  expect(await inBash('muster region show -- no')).toEqual(['north']);
  expect(await inBash('muster nothing no')).toEqual([]);
});

it('prints nothing when it cannot complete', async () => {
  for (const env of [{ MUSTER_TOKEN: 'wrong' }, { MUSTER_TOKEN: '' }, { MUSTER_URL: 'no url' }] as const)
    expect(
      await muster(admin, ['completion-words', 'fish', '--', 'region', 'show', 'n'], { env: { ...env } }),
    ).toEqual({ code: 0, stdout: '', stderr: '' });
});
