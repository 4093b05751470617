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

it('uses the profile by default', () => {
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

it('prefers flags to environment variables, and those to the profile', () => {
  const environment = { MUSTER_PROJECT: 'set-project', MUSTER_USER: 'set-user' };
  expect(readSettings({ project: 'flag-project' }, environment)).toMatchObject({
    connection: { url: 'http://kept', token: 'kept-key', user: 'set-user', project: 'flag-project' },
    sources: { project: '--project', user: 'MUSTER_USER', token: 'the profile "default"' },
  });
});

it('ignores a user and a project from a less specific source than the key', () => {
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

it('treats an empty environment variable as unset', () => {
  const empty = { MUSTER_URL: '', MUSTER_TOKEN: '', MUSTER_USER: '', MUSTER_PROJECT: '', MUSTER_PROFILE: '' };
  expect(readSettings({}, empty).connection).toEqual(PROFILE);
});

it('reads the key from a file, and says where it comes from', () => {
  const file = join(temporaryFolder(), 'key');
  writeFileSync(file, 'mst_a_b\n');
  const environment = { MUSTER_TOKEN_FILE: file };
  expect(readSettings({}, environment)).toMatchObject({
    connection: { url: 'http://kept', token: 'mst_a_b' },
    sources: { token: 'MUSTER_TOKEN_FILE' },
  });
  expect(readSettings({ profile: 'default' }, environment).overridden).toEqual(['MUSTER_TOKEN_FILE']);
  const both = { ...environment, MUSTER_TOKEN: 'set-key' };
  expect(() => readSettings({}, both)).toThrow('Set either MUSTER_TOKEN or MUSTER_TOKEN_FILE, not both.');
  expect(readSettings({ token: 'flag-key' }, both).connection.token).toBe('flag-key');
  expect(() => readSettings({}, { MUSTER_TOKEN_FILE: `${file}.missing` })).toThrow(
    /^The file in MUSTER_TOKEN_FILE cannot be read: .*ENOENT/,
  );
  writeFileSync(file, 'mst_PASS WORD');
  expect(() => readSettings({}, environment)).toThrow(/^Invalid API key in MUSTER_TOKEN_FILE: (?!.*PASS)/);
});

it('does not use the key of a profile for another URL', () => {
  expect(() => readSettings({ url: 'http://elsewhere' }, {})).toThrow('is for http://kept');
  expect(() => readSettings({}, { MUSTER_URL: 'http://elsewhere' })).toThrow('MUSTER_URL');
  expect(readSettings({ url: 'http://KEPT/' }, {}).connection.token).toBe('kept-key');
  expect(readSettings({ url: 'http://elsewhere' }, { MUSTER_TOKEN: 'set-key' }).connection).toEqual({
    url: 'http://elsewhere',
    token: 'set-key',
  });
});

it('reports environment variables that override the selected profile', () => {
  const environment = { MUSTER_TOKEN: 'set-key', MUSTER_USER: 'kept-user' };
  expect(readSettings({ profile: 'default' }, environment).overridden).toEqual(['MUSTER_TOKEN']);
  expect(readSettings({}, environment).overridden).toEqual([]);
  expect(readSettings({ profile: 'default', token: 'flag-key' }, environment).overridden).toEqual([]);
});

it('rejects an unknown profile, a missing key and invalid URLs', () => {
  expect(() => readSettings({ profile: 'nobody' }, {})).toThrow('There is no profile "nobody"');
  expect(() => readSettings({ profile: 'keyless' }, {})).toThrow('No API key');
  for (const url of ['kept', 'ftp://kept', 'http://', 'http:///x', 'http://a b'])
    expect(() => readSettings({ url, token: 'key' }, {})).toThrow('is not an http or https URL');
});

it('says how to write a URL without a scheme', () => {
  for (const url of ['kept', 'localhost:7780', 'muster.example/fleet'])
    expect(() => readSettings({ url, token: 'key' }, {})).toThrow(
      `"${url}" is not an http or https URL: use https://${url}, or http:// without TLS.`,
    );
  for (const url of ['ftp://kept', 'mailto:x', '/x'])
    expect(() => readSettings({ url, token: 'key' }, {})).toThrow(`"${url}" is not an http or https URL.`);
});

it('accepts a key with the scheme of the header that it was copied from', () => {
  for (const token of ['Bearer mst_a_b', 'bearer  mst_a_b\n', 'Authorization: Bearer mst_a_b'])
    expect(readSettings({ token }, {}).connection.token).toBe('mst_a_b');
});

it('trims a key, and does not print an invalid one', () => {
  expect(readSettings({ token: 'mst_a_b\n' }, {}).connection.token).toBe('mst_a_b');
  for (const token of ['mst_PASS\nWORD', 'mst_PASS WORD', 'mst_PASSé']) {
    expect(() => readSettings({}, { MUSTER_TOKEN: token })).toThrow('Invalid API key in MUSTER_TOKEN');
    expect(() => readSettings({}, { MUSTER_TOKEN: token })).not.toThrow('PASS');
  }
});

it.each(['http://u:PASS@host', 'http://PASS@host/', 'https://u:PASS@ho st', 'http://u:PA/SS@host'])(
  'rejects a URL with credentials, without printing it: %s',
  (url) => {
    expect(() => readSettings({ url, token: 'key' }, {})).toThrow(/^(?!.*(?:PASS|PA\/SS)).*URL/);
  },
);

it('rejects a user and a project with line breaks or control characters', () => {
  expect(() => readSettings({ token: 'key', user: 'a\nb' }, {})).toThrow('The user (--user)');
  expect(() => readSettings({ token: 'key' }, { MUSTER_PROJECT: 'a' })).not.toThrow();
  expect(() => readSettings({ project: 'a\u0000', token: 'key' }, {})).toThrow('The project (--project)');
});
