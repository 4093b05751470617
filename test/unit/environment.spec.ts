import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnvironment, SETTING_NAMES } from '../../src/config/environment';

/** The message for an invalid environment. */
function messageFor(environment: Record<string, string>): string {
  try {
    readEnvironment(environment);
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  throw new Error('The environment is valid.');
}

describe('the environment', () => {
  it('has defaults, also for empty variables', () => {
    const defaults = { HOST: '127.0.0.1', PORT: 7780, IDENTITY: 'local', LIST_BODY: 'array' };
    expect(readEnvironment({})).toMatchObject(defaults);
    expect(readEnvironment({})).toEqual(
      readEnvironment(Object.fromEntries(SETTING_NAMES.map((name) => [name, '']))),
    );
  });

  it('names an invalid URL of the database without its password', () => {
    const message = messageFor({ DATABASE_URL: 'postgres://muster:secret@127.0.0.1:1,127.0.0.1:x/muster' });
    expect(message).toContain('DATABASE_URL: must be a URL, with hosts and ports as in');
    expect(message).not.toContain('secret');
  });

  it('contains settings only', () => {
    const others = { constructor: 'a', toString: 'b', then: 'c', PATH: 'd' };
    expect(Object.keys(readEnvironment({ ...others, PORT: '1' })).toSorted()).toEqual(
      SETTING_NAMES.toSorted(),
    );
  });

  it.each(['0', '65', '1.5', 'two', '1,2', 'Infinity'])('rejects a number out of range: %s', (WORKERS) => {
    expect(messageFor({ WORKERS })).toBe(
      'The environment is invalid: WORKERS: must be an integer from 1 to 64.',
    );
  });

  it('accepts only the allowed words of a setting', () => {
    expect(readEnvironment({ LOG_LEVEL: 'debug' }).LOG_LEVEL).toBe('debug');
    expect(messageFor({ LIST_BODY: 'pages' })).toMatch(/LIST_BODY: must be one of array, page\.$/);
  });

  it.each(['http://x.example/?a', 'http://x.example/#a', 'http://a@x.example', 'x.example'])(
    'rejects a public URL to which no path can be added: %s',
    (PUBLIC_URL) => {
      expect(messageFor({ PUBLIC_URL })).toContain('PUBLIC_URL: must be a URL that begins with http://');
    },
  );

  it('is rejected with one message for each invalid setting', () => {
    expect(messageFor({ PORT: '-1', HEADER_SECONDS: '', URL_LIMIT_BYTES: '1' })).toBe(
      'The environment is invalid: PORT: must be an integer from 0 to 65535; ' +
        'URL_LIMIT_BYTES: must be an integer from 1024 to 65536.',
    );
  });

  it('is never printed', () => {
    const secret = 'swordfish $value $target';
    const message = messageFor(Object.fromEntries(SETTING_NAMES.map((name) => [name, secret])));
    expect(message).not.toMatch(/swordfish|\$/);
    expect(message.split('; ').length).toBeGreaterThan(35);
  });
});

describe('the keys for access secrets', () => {
  const [key = '', other = ''] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));

  it('are 32 bytes each', () => {
    const keys = { SECRETS_KEY: key, SECRETS_KEY_OTHERS: `${key}, ${other}` };
    expect(readEnvironment(keys).SECRETS_KEY_OTHERS).toEqual([key, other]);
    expect(messageFor({ SECRETS_KEY: 'short' })).toMatch(/SECRETS_KEY: must be 32 bytes in base64/);
    expect(messageFor({ ...keys, SECRETS_KEY_OTHERS: `${key},` })).toMatch(
      /SECRETS_KEY_OTHERS: must be keys/,
    );
  });

  it('require SECRETS_KEY', () => {
    expect(messageFor({ SECRETS_KEY_OTHERS: key })).toMatch(/SECRETS_KEY_OTHERS: requires SECRETS_KEY/);
  });
});

describe('the URLs of replicas', () => {
  const DATABASE_URL = 'postgres://primary/muster';
  const replicas = (urls: string) =>
    readEnvironment({ DATABASE_URL, DATABASE_REPLICA_URLS: urls }).DATABASE_REPLICA_URLS;

  it('are separated by commas', () => {
    expect(replicas('postgres://a/m, postgresql://b/m')).toEqual(['postgres://a/m', 'postgresql://b/m']);
    expect(replicas('postgres://u@/m?host=/run')).toHaveLength(1);
    expect(replicas('')).toBeUndefined();
  });

  it('must be PostgreSQL URLs', () => {
    for (const wrong of ['postgres://a/m,b', 'postgres://a b/m', ','])
      expect(() => replicas(wrong)).toThrow(/DATABASE_REPLICA_URLS: must be URLs/);
  });

  it('require the primary', () => {
    expect(() => readEnvironment({ DATABASE_REPLICA_URLS: 'postgres://a/m' })).toThrow(
      /DATABASE_REPLICA_URLS: requires DATABASE_URL/,
    );
  });
});

describe('the port of metrics', () => {
  it('differs from that of the service, unless the system chooses both', () => {
    expect(() => readEnvironment({ PORT: '9472', METRICS_PORT: '9472' })).toThrow(
      /METRICS_PORT: must be another port than PORT/,
    );
    expect(() => readEnvironment({ METRICS_PORT: '7780' })).toThrow(/METRICS_PORT: must be another/);
    expect(readEnvironment({ PORT: '0', METRICS_PORT: '0' })).toMatchObject({ PORT: 0, METRICS_PORT: 0 });
  });
});

describe('the proxy, CORS and TLS settings', () => {
  const PAGE = 'https://fleet.example.com';

  it.each([
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '0'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', 'loopback,proxy.example.com'],
    ['CORS_ORIGINS', 'fleet.example.com'],
    ['CORS_ORIGINS', `${PAGE}/`],
    ['CORS_ORIGINS', `*,${PAGE}`],
    ['TLS_CERT_FILE', '/only/this'],
    ['TLS_KEY_FILE', '/only/this'],
  ])('reject %s=%s', (name, value) => {
    expect(() => readEnvironment({ [name]: value })).toThrow(
      new RegExp(`^The environment is invalid: ${name}: .*must be`),
    );
  });

  it('accept numbers, addresses, networks and names as proxies', () => {
    const trusted = (value: string) => readEnvironment({ TRUST_PROXY: value }).TRUST_PROXY;
    expect(trusted('2')).toBe(2);
    expect(trusted('loopback, 10.0.0.0/8,fd00::/8,192.0.2.1')).toEqual([
      'loopback',
      '10.0.0.0/8',
      'fd00::/8',
      '192.0.2.1',
    ]);
    expect(trusted('')).toBeUndefined();
  });
});

describe('settings from files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-settings-'));
  const file = (name: string, content: string): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['7781', 7781],
    ['7781\n', 7781],
    ['7781\r\n', 7781],
  ])('are read without the newline at the end: %j', (content, PORT) => {
    expect(readEnvironment({ PORT_FILE: file('port', content) }).PORT).toBe(PORT);
  });

  it('keep everything else, such as blanks and further newlines', () => {
    const DATA_DIR_FILE = file('data-dir', ' a\nb \n\n');
    expect(readEnvironment({ DATA_DIR_FILE, DATA_DIR: '' }).DATA_DIR).toBe(' a\nb \n');
  });

  it('are possible for every setting', () => {
    const path = file('swordfish', '\u0000swordfish');
    const message = messageFor(Object.fromEntries(SETTING_NAMES.map((name) => [`${name}_FILE`, path])));
    expect(message).not.toContain('swordfish');
    expect(message.split('; ').length).toBeGreaterThan(30);
    // This one has the name of a file itself.
    const files = { TLS_CERT_FILE_FILE: file('cert', '/etc/cert.pem'), TLS_KEY_FILE: '/etc/key.pem' };
    expect(readEnvironment(files).TLS_CERT_FILE).toBe('/etc/cert.pem');
  });

  it('are rejected together with the variable, and if there is no content', () => {
    const secret = file('secret', 'swordfish');
    expect(
      messageFor({ SECRETS_KEY: 'tuna', SECRETS_KEY_FILE: secret, PORT_FILE: file('empty', '\n') }),
    ).toBe(
      'The environment is invalid: SECRETS_KEY and SECRETS_KEY_FILE are both set: use one of them; ' +
        'PORT_FILE: names an empty file.',
    );
    expect(messageFor({ PORT_FILE: join(folder, 'absent'), HOST_FILE: folder })).toBe(
      'The environment is invalid: HOST_FILE: names a file that cannot be read (EISDIR); ' +
        'PORT_FILE: names a file that cannot be read (ENOENT).',
    );
  });
});
