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
