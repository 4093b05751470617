import type { ConnectionRole } from '../../src/database/connection/connection';
import { driverOptions, poolOptions } from '../../src/database/connection/connection-options';

describe('connection options', () => {
  const options = (url: string, as: 'service' | 'owner' = 'service') => {
    const { extra, url: used } = driverOptions({ url }, { as }) as {
      extra: { options: string };
      url: string;
    };
    return { options: extra.options, url: used };
  };

  it.each([
    ['postgres://u@h/d?options=-c%20search_path%3Dx', 'postgres://u@h/d', '-c search_path=x'],
    ['postgres://u@h/d?options=-csearch_path=x&host=/run', 'postgres://u@h/d?host=/run', '-csearch_path=x'],
    ['postgres://u@h/d?host=/run&options=-c+a%3Db', 'postgres://u@h/d?host=/run', '-c a=b'],
    ['postgres://u@h/d?host=/run', 'postgres://u@h/d?host=/run', ''],
  ])('include the options of %s', (given, url, own) => {
    const made = options(given);
    expect(made.url).toBe(url);
    expect(made.options).toContain(own);
    expect(made.options).toContain('-c role=muster_app');
    expect(made.options).toContain('-c timezone=UTC');
  });

  it('use a client that chooses one of several servers', () => {
    const url = 'postgres://u:p@h1:5433,h2/d?target_session_attrs=read-write&options=-c%20a%3Db';
    const { extra, url: used } = driverOptions({ url }, { as: 'service' }) as {
      extra: { options: string; Client: unknown };
      url: string;
    };
    expect(used).toBe('postgres://u:p@h1:5433/d');
    expect(extra.options).toContain('-c a=b');
    expect(typeof extra.Client).toBe('function');
    expect(poolOptions({ url: 'postgres://u@h/d' }, { as: 'service' })).not.toHaveProperty('Client');
  });

  it('use the separate login of the owner', () => {
    const connection = { url: 'postgres://app@h/d', owner: { url: 'postgres://boss@h/d' } };
    const urlOf = (as: ConnectionRole) => (driverOptions(connection, { as }) as { url: string }).url;
    expect(urlOf('owner')).toBe('postgres://boss@h/d');
    expect([urlOf('service'), urlOf('login')]).toEqual(['postgres://app@h/d', 'postgres://app@h/d']);
  });

  it('set no role for the schema owner', () => {
    expect(options('postgres://u@h/d', 'owner').options).not.toContain('role');
  });

  it.each([
    { url: 'postgres://u@h/d?options=-c+a%3Db' },
    { host: '/run', port: 5432, user: 'u', database: 'd' },
  ])('are the same for a replica: %o', (connection) => {
    const use = { as: 'service', poolSize: 7 } as const;
    const { extra } = driverOptions(connection, use) as { extra: object };
    const { url, ...named } = { url: undefined, ...connection };
    expect(poolOptions(connection, use)).toEqual({
      ...extra,
      ...(url === undefined ? named : { connectionString: 'postgres://u@h/d' }),
      max: 7,
      connectionTimeoutMillis: 5_000,
    });
  });
});
