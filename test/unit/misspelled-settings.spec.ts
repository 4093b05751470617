import { settingWarnings, misspelledNames } from '../../src/config/environment';

/** The settings that a warning proposes for a variable. */
const proposed = (name: string, value = 'value') =>
  settingWarnings({ [name]: value }).map((text) =>
    /^The environment variable (\w+) is unknown and ignored\. Did you mean (\w+)\?$/.exec(text)?.slice(1),
  );

describe('a warning about a misspelled setting', () => {
  it.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATBASE_ULR', 'DATABASE_URL'],
    ['DATABASE_REPLICA_URL', 'DATABASE_REPLICA_URLS'],
    ['PROT', 'PORT'],
    ['PORTT', undefined],
    ['HOTS', 'HOST'],
    ['WORKER', 'WORKERS'],
    ['DATADIR', 'DATA_DIR'],
    ['DATA_DRI', 'DATA_DIR'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['LIST_BDOY', 'LIST_BODY'],
    ['SECRET_KEY', 'SECRETS_KEY'],
    ['CORS_ORIGIN', 'CORS_ORIGINS'],
    ['KEYSTONE_USER_NAME', 'KEYSTONE_USERNAME'],
    ['KEYSTONE_PASSWD', 'KEYSTONE_PASSWORD'],
    ['TLS_CERTFILE', 'TLS_CERT_FILE'],
    ['METRIC_PORT', 'METRICS_PORT'],
    ['DATABSE_URL_FILE', 'DATABASE_URL_FILE'],
    ['SECRETS_KEYFILE', 'SECRETS_KEY_FILE'],
    ['STATEMENT_SECOND', 'STATEMENT_SECONDS'],
  ])('for %s proposes %s', (name, setting) => {
    expect(proposed(name)).toEqual(setting === undefined ? [] : [[name, setting]]);
  });

  it('proposes the closest of several settings', () => {
    expect(proposed('HEADER_SECOND')).toEqual([['HEADER_SECOND', 'HEADER_SECONDS']]);
    expect(proposed('BODY_SECOND')).toEqual([['BODY_SECOND', 'BODY_SECONDS']]);
  });

  // prettier-ignore
  it.each([
    // What Muster reads.
    'PORT', 'HOST', 'DATABASE_URL', 'SECRETS_KEY_OTHERS', 'METRICS_PORT', 'DATABASE_URL_FILE', 'PORT_FILE',
    // Words near short settings.
    'ROOT', 'POST', 'SORT', 'PART', 'FORT', 'PORTS', 'POT', 'HOSTS', 'COST', 'MOST', 'LOST', 'HOT', 'PWD',
    // Shells, systems, and container platforms.
    'PATH', 'HOSTNAME', 'HOSTTYPE', 'HOME', 'TERM', 'USER', 'LOGNAME', 'SHELL', 'SHLVL', 'OLDPWD', 'LANG', 'LC_ALL',
    'TMPDIR', 'EDITOR', 'MAIL', 'DISPLAY', 'XDG_DATA_DIRS', 'XDG_DATA_HOME', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY',
    'KUBERNETES_PORT', 'KUBERNETES_SERVICE_HOST', 'MUSTER_PORT', 'MUSTER_SERVICE_HOST', 'MUSTER_PORT_7780_TCP',
    'DATABASE_PORT', 'DATABASE_SERVICE_HOST', 'POD_IP', 'HOST_IP', 'CREDENTIALS_DIRECTORY', 'INVOCATION_ID',
    // Node, npm, PostgreSQL, TLS, and OpenStack.
    'NODE_ENV', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'INIT_CWD', 'npm_config_loglevel', 'npm_lifecycle_event',
    'PGHOST', 'PGPORT', 'PGUSER', 'PGDATABASE', 'PGPASSWORD', 'PGDATA', 'POSTGRES_PASSWORD', 'SSL_CERT_FILE',
    'SSL_CERT_DIR', 'OS_USERNAME', 'OS_PASSWORD', 'OS_AUTH_URL', 'OS_PROJECT_NAME',
    // What Muster's tests, its benchmark and its client read.
    'TEST_DATABASE_URL', 'BENCH_DATA_DIR', 'MUSTER_URL', 'MUSTER_TOKEN', 'MUSTER_REAL_FLEET',
  ])('is not printed for %s', (name) => {
    expect(proposed(name)).toEqual([]);
  });

  it('never contains a value', () => {
    expect(settingWarnings({ DATABSE_URL: 'postgres://muster:secret@db/muster' }).join()).not.toContain(
      'secret',
    );
  });

  it('omits names with control characters', () => {
    expect(misspelledNames(['DATABASE_\u001bURL', 'DATABASE_\nURL'], ['DATABASE_URL'])).toEqual([]);
  });
});
