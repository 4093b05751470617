import { readEnvironment } from '../../src/config/environment';

describe('the URLs of replicas', () => {
  const DATABASE_URL = 'postgres://primary/muster';
  const replicas = (urls: string) =>
    readEnvironment({ DATABASE_URL, DATABASE_REPLICA_URLS: urls }).DATABASE_REPLICA_URLS;

  it('are joined by commas', () => {
    expect(replicas('postgres://a/m, postgresql://b/m')).toEqual(['postgres://a/m', 'postgresql://b/m']);
    expect(replicas('postgres://u@/m?host=/run')).toHaveLength(1);
    expect(replicas('')).toBeUndefined();
  });

  it('begin like any URL of a PostgreSQL', () => {
    for (const wrong of ['postgres://a/m,b', 'postgres://a b/m', ','])
      expect(() => replicas(wrong)).toThrow(/DATABASE_REPLICA_URLS: must be URLs/);
  });

  it('need the primary that they follow', () => {
    expect(() => readEnvironment({ DATABASE_REPLICA_URLS: 'postgres://a/m' })).toThrow(
      /DATABASE_REPLICA_URLS: needs DATABASE_URL/,
    );
  });
});

describe('the port of metrics', () => {
  it('is another than that of the service, unless each is whichever is free', () => {
    expect(() => readEnvironment({ PORT: '9472', METRICS_PORT: '9472' })).toThrow(
      /METRICS_PORT: must be another port than PORT/,
    );
    expect(() => readEnvironment({ METRICS_PORT: '7780' })).toThrow(/METRICS_PORT: must be another/);
    expect(readEnvironment({ PORT: '0', METRICS_PORT: '0' })).toMatchObject({ PORT: 0, METRICS_PORT: 0 });
  });
});

describe('how the service is reached', () => {
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
  ])('is not set by %s=%s', (name, value) => {
    expect(() => readEnvironment({ [name]: value })).toThrow(
      /^The environment is not usable: (TLS_CERT_FILE|.*must be)/,
    );
  });

  it('takes numbers, addresses, networks and words as proxies', () => {
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
