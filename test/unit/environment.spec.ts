import { readEnvironment } from '../../src/config/environment';

describe('the URLs of replicas', () => {
  const DATABASE_URL = 'postgres://primary/muster';
  const replicas = (urls: string) =>
    readEnvironment({ DATABASE_URL, DATABASE_REPLICA_URLS: urls }).DATABASE_REPLICA_URLS;

  it('are joined by commas', () => {
    expect(replicas('postgres://a/m, postgresql://b/m')).toEqual(['postgres://a/m', 'postgresql://b/m']);
    expect(replicas('')).toBeUndefined();
  });

  it('begin like any URL of a PostgreSQL', () => {
    expect(() => replicas('postgres://a/m,b')).toThrow(/DATABASE_REPLICA_URLS: must be URLs/);
  });

  it('need the primary that they follow', () => {
    expect(() => readEnvironment({ DATABASE_REPLICA_URLS: 'postgres://a/m' })).toThrow(
      /DATABASE_REPLICA_URLS: needs DATABASE_URL/,
    );
  });
});
