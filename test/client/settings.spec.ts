import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings } from '../../client/src/settings/settings';
import { temporaryFolder } from '../support/shell';

const PROFILE = { url: 'http://kept', token: 'kept-key', user: 'kept-user', project: 'kept-project' };

beforeEach(() => {
  const folder = join(temporaryFolder(), 'muster');
  const file = join(folder, 'profiles.json');
  mkdirSync(folder);
  writeFileSync(file, JSON.stringify({ default: PROFILE, keyless: { url: 'http://keyless' } }));
  chmodSync(file, 0o600);
  process.env['MUSTER_CONFIG'] = file;
});

afterEach(() => {
  delete process.env['MUSTER_CONFIG'];
});

it('takes everything from the profile where nothing else is said', () => {
  expect(readSettings({}, {})).toEqual({
    connection: PROFILE,
    sources: {
      url: 'the profile "default"',
      token: 'the profile "default"',
      user: 'the profile "default"',
      project: 'the profile "default"',
    },
    overridden: [],
  });
});

it('takes flags before the environment, and that before the profile', () => {
  const environment = { MUSTER_PROJECT: 'set-project', MUSTER_USER: 'set-user' };
  expect(readSettings({ project: 'flag-project' }, environment)).toMatchObject({
    connection: { url: 'http://kept', token: 'kept-key', user: 'set-user', project: 'flag-project' },
    sources: { project: '--project', user: 'MUSTER_USER', token: 'the profile "default"' },
  });
});

it('mixes nobody: a user and a project that stand further away than the key are of another', () => {
  expect(readSettings({}, { MUSTER_TOKEN: 'set-key' }).connection).toEqual({
    url: 'http://kept',
    token: 'set-key',
  });
  const set = { MUSTER_TOKEN: 'set-key', MUSTER_USER: 'set-user', MUSTER_PROJECT: 'set-project' };
  expect(readSettings({ token: 'flag-key' }, set).connection).toEqual({
    url: 'http://kept',
    token: 'flag-key',
  });
  expect(readSettings({ project: 'flag-project' }, set).connection).toEqual({
    url: 'http://kept',
    token: 'set-key',
    user: 'set-user',
    project: 'flag-project',
  });
});

it('counts an empty variable as absent', () => {
  const empty = { MUSTER_URL: '', MUSTER_TOKEN: '', MUSTER_USER: '', MUSTER_PROJECT: '', MUSTER_PROFILE: '' };
  expect(readSettings({}, empty).connection).toEqual(PROFILE);
});

it('sends the key of a profile nowhere else', () => {
  expect(() => readSettings({ url: 'http://elsewhere' }, {})).toThrow('is for http://kept');
  expect(() => readSettings({}, { MUSTER_URL: 'http://elsewhere' })).toThrow('MUSTER_URL');
  expect(readSettings({ url: 'http://KEPT/' }, {}).connection.token).toBe('kept-key');
  expect(readSettings({ url: 'http://elsewhere' }, { MUSTER_TOKEN: 'set-key' }).connection).toEqual({
    url: 'http://elsewhere',
    token: 'set-key',
  });
});

it('tells what the environment says otherwise than the profile that was asked for', () => {
  const environment = { MUSTER_TOKEN: 'set-key', MUSTER_USER: 'kept-user' };
  expect(readSettings({ profile: 'default' }, environment).overridden).toEqual(['MUSTER_TOKEN']);
  expect(readSettings({}, environment).overridden).toEqual([]);
  expect(readSettings({ profile: 'default', token: 'flag-key' }, environment).overridden).toEqual([]);
});

it('refuses what cannot be used', () => {
  expect(() => readSettings({ profile: 'nobody' }, {})).toThrow('There is no profile "nobody"');
  expect(() => readSettings({ profile: 'keyless' }, {})).toThrow('No API key');
  for (const url of ['kept', 'ftp://kept', 'http://', 'http:///x', 'http://a b'])
    expect(() => readSettings({ url, token: 'key' }, {})).toThrow('is not an http or https URL');
});

it('takes a key as a file has it, and shows none that cannot be sent', () => {
  expect(readSettings({ token: 'mst_a_b\n' }, {}).connection.token).toBe('mst_a_b');
  for (const token of ['mst_PASS\nWORD', 'mst_PASS WORD', 'mst_PASSé']) {
    expect(() => readSettings({}, { MUSTER_TOKEN: token })).toThrow('Invalid API key in MUSTER_TOKEN');
    expect(() => readSettings({}, { MUSTER_TOKEN: token })).not.toThrow('PASS');
  }
});

it.each(['http://u:PASS@host', 'http://PASS@host/', 'https://u:PASS@ho st', 'http://u:PA/SS@host'])(
  'refuses a URL that tells who asks, and does not show it: %s',
  (url) => {
    expect(() => readSettings({ url, token: 'key' }, {})).toThrow(/^(?!.*(?:PASS|PA\/SS)).*URL/);
  },
);

it('refuses a user and a project that are no single line', () => {
  expect(() => readSettings({ token: 'key', user: 'a\nb' }, {})).toThrow('The user (--user)');
  expect(() => readSettings({ token: 'key' }, { MUSTER_PROJECT: 'a' })).not.toThrow();
  expect(() => readSettings({ project: 'a\u0000', token: 'key' }, {})).toThrow('The project (--project)');
});
