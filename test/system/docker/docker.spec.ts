import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { readEnvironment, SETTING_NAMES } from '../../../src/config/environment';
import { makeCertificate } from '../../support/certificates';
import { describeWithPeers } from '../../support/external-programs';
import { freePort } from '../../support/free-port';
import { PROJECT, sharedService, startService } from '../../support/service';

const read = (name: string) => readFileSync(join(PROJECT, name), 'utf8');

interface Service {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly command?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly env_file?: readonly { readonly path: string; readonly required: boolean }[];
  readonly secrets?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly volumes?: readonly string[];
  readonly read_only?: boolean;
  readonly ports?: readonly string[];
  readonly restart?: string;
  readonly mem_limit?: string;
  readonly stop_grace_period?: string;
  readonly logging?: { readonly driver: string; readonly options: Readonly<Record<string, string>> };
}

interface Compose {
  readonly services: Readonly<Record<'database' | 'migrate' | 'muster', Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

describe('docker/compose.yaml', () => {
  const { services, secrets, volumes } = parse(read('docker/compose.yaml'), { merge: true }) as Compose;
  const { database, migrate, muster } = services;
  const folder = mkdtempSync(join(tmpdir(), 'muster-compose-'));
  const script = join(folder, 'create-secrets.sh');
  const createSecrets = () => execFileSync(script);
  const secretIn = (name: string) => readFileSync(join(folder, secrets[name]?.file ?? name), 'utf8').trim();

  beforeAll(() => {
    copyFileSync(join(PROJECT, 'docker/create-secrets.sh'), script);
    createSecrets();
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  /** The environment of a service, with the paths of its secrets on this machine. It can read no others. */
  const environmentOf = (service: Service): Record<string, string> =>
    Object.fromEntries(
      Object.entries(service.environment).map(([name, value]) => {
        const secret = value.replace(/^\/run\/secrets\//, '');
        if (secret === value) return [name, value];
        expect(service.secrets).toContain(secret);
        return [name, join(folder, secrets[secret]?.file ?? '')];
      }),
    );

  it('gives the service and the migration valid settings', () => {
    expect(readEnvironment(environmentOf(muster))).toMatchObject({
      HOST: '0.0.0.0',
      SECRETS_KEY: secretIn('secrets_key'),
      DATABASE_URL: secretIn('service_url'),
    });
    expect(readEnvironment(environmentOf(migrate))).toMatchObject({
      DATABASE_URL: secretIn('service_url'),
      DATABASE_OWNER_URL: secretIn('owner_url'),
    });
    const names = Object.keys({ ...muster.environment, ...migrate.environment });
    expect(SETTING_NAMES).toEqual(expect.arrayContaining(names.map((name) => name.replace(/_FILE$/, ''))));
  });

  it('has secrets that only the user of the machine can read, and keeps those that exist', () => {
    expect(statSync(join(folder, 'secrets')).mode & 0o777).toBe(0o700);
    const created = Object.keys(secrets).map(secretIn);
    expect(new Set(created).size).toBe(4);
    createSecrets();
    expect(Object.keys(secrets).map(secretIn)).toEqual(created);
    expect(readdirSync(join(folder, 'secrets')).toSorted()).toEqual(Object.keys(secrets).toSorted());
    expect(read('.gitignore')).toMatch(/^docker\/secrets\/$/m);
  });

  it('reads settings of the user from files that Git ignores, and can do without them', () => {
    expect(muster.env_file).toEqual([{ path: 'muster.env', required: false }]);
    for (const name of ['muster.env', 'compose.override.yaml'])
      expect(read('.gitignore').split('\n')).toContain(`docker/${name}`);
    // Compose would replace $NAME by a variable of the shell.
    expect(read('docker/compose.yaml')).not.toContain('$');
  });

  it('connects the migration and the service to the database, the service without the login of the owner', () => {
    const { POSTGRES_USER, POSTGRES_DB } = database.environment;
    const partsOf = (secret: string) => {
      const url = new URL(secretIn(secret));
      return [url.host, url.username, url.password, url.pathname];
    };
    const [place, path] = ['database:5432', `/${String(POSTGRES_DB)}`];
    expect(partsOf('owner_url')).toEqual([place, POSTGRES_USER, secretIn('owner_password'), path]);
    const [, , password] = partsOf('service_url');
    expect(partsOf('service_url')).toEqual([place, 'muster_app', password, path]);
    expect(secretIn('owner_url')).not.toContain(password);
    expect(muster.secrets).toEqual(['service_url', 'secrets_key']);
    expect(database.secrets).toEqual(['owner_password']);
    expect(database.environment['POSTGRES_PASSWORD_FILE']).toBe('/run/secrets/owner_password');
  });

  it('migrates once the database is ready, and then starts the service', () => {
    expect(database.image).toBe('postgres:17');
    expect(database.healthcheck?.test.slice(0, 2)).toEqual(['CMD', 'pg_isready']);
    expect(migrate.depends_on).toEqual({ database: { condition: 'service_healthy' } });
    expect(migrate).toMatchObject({ command: ['node', 'dist/src/cli.js', 'migrate'], restart: 'no' });
    expect(muster.depends_on).toEqual({ migrate: { condition: 'service_completed_successfully' } });
    expect(muster.restart).toBe('unless-stopped');
  });

  it('keeps the data in a volume', () => {
    const [name, path] = database.volumes?.[0]?.split(':') ?? [];
    expect(path).toBe('/var/lib/postgresql/data');
    expect(Object.keys(volumes)).toContain(name);
  });

  it('gives the service nothing to write to but the database', () => {
    for (const service of [muster, migrate]) {
      expect(service.read_only).toBe(true);
      expect(service.volumes).toBeUndefined();
    }
  });

  it('limits memory and logs, and stops the service after its requests', () => {
    for (const service of Object.values(services)) {
      expect(service.mem_limit).toMatch(/^\d+[mg]$/);
      expect(service.logging).toEqual({
        driver: 'json-file',
        options: { 'max-size': '10m', 'max-file': '5' },
      });
    }
    const { SHUTDOWN_SECONDS, SHUTDOWN_NOTICE_SECONDS } = readEnvironment(environmentOf(muster));
    const [, grace] = /^(\d+)s$/.exec(muster.stop_grace_period ?? '') ?? [];
    expect(Number(grace)).toBeGreaterThan(SHUTDOWN_SECONDS + SHUTDOWN_NOTICE_SECONDS + 3);
  });

  it('builds from existing files, and publishes the port on the loopback interface only', () => {
    for (const { build, image } of [muster, migrate]) {
      expect(image).toBe('muster');
      const { context = '', dockerfile = '' } = build ?? {};
      expect(existsSync(resolve(PROJECT, 'docker', context, dockerfile))).toBe(true);
    }
    const port = /^EXPOSE (\d+)$/m.exec(read('docker/Dockerfile'))?.[1];
    expect(muster.ports).toEqual([`127.0.0.1:${String(port)}:${String(port)}`]);
  });
});

describe('docker/Dockerfile', () => {
  const dockerfile = read('docker/Dockerfile');
  const stages = dockerfile.split(/^FROM /m).slice(1);
  const final = stages.at(-1) ?? '';

  it('copies only existing files that .dockerignore permits', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, names = '']) =>
      names.split(' '),
    );
    const allowed = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'));
    expect(copied.length).toBeGreaterThan(5);
    for (const name of copied) {
      expect(existsSync(join(PROJECT, name))).toBe(true);
      expect(allowed).toContain(`!${name}`);
    }
  });

  it('has an unprivileged user, a health check, and node as the first process', () => {
    expect(stages).toHaveLength(2);
    expect(final).toMatch(/^USER node$/m);
    expect(final).toMatch(/^STOPSIGNAL SIGTERM$/m);
    expect(final).toMatch(/^HEALTHCHECK [\s\S]*\/healthz/m);
    expect(final).toMatch(/^CMD \["node", "dist\/src\/main\.js"\]$/m);
  });

  it('has the same base image in both stages, pinned by its digest', () => {
    const images = stages.map((stage) => /^(\S+)/.exec(stage)?.[1]);
    expect(new Set(images).size).toBe(1);
    expect(images[0]).toMatch(/^node:22\.\d+\.\d+-bookworm-slim@sha256:[0-9a-f]{64}$/);
  });

  it('contains the licence', () => {
    expect(final).toMatch(/^COPY .*\bLICENSE\b/m);
  });

  it('contains no secret and no development package', () => {
    expect(dockerfile).not.toMatch(/SECRETS_KEY|PASSWORD|DATABASE_URL/);
    expect(stages[0]).toMatch(/npm prune --omit=dev --omit=optional/);
  });
});

describeWithPeers('the health check of docker/Dockerfile', ['openssl'], () => {
  const [, command = ''] = /^HEALTHCHECK [^[]*CMD (\[.*\])$/m.exec(read('docker/Dockerfile')) ?? [];
  const [program, ...args] = JSON.parse(command) as string[];
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'muster-health-'));
    makeCertificate(folder, 'service');
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  const check = async (environment: Readonly<Record<string, string>>): Promise<number> => {
    const [code] = (await once(
      spawn(process.execPath, args, { env: environment, stdio: 'ignore' }),
      'exit',
    )) as [number];
    return code;
  };

  it('succeeds over http while the service runs', async () => {
    expect(program).toBe('node');
    const { port, protocol } = new URL(sharedService().url);
    expect(protocol).toBe('http:');
    expect(await check({ PORT: port })).toBe(0);
    expect(await check({ PORT: String(await freePort()) })).toBe(1);
  });

  it('succeeds over https while the service runs', async () => {
    const settings = {
      TLS_CERT_FILE: join(folder, 'service-cert.pem'),
      TLS_KEY_FILE: join(folder, 'service-key.pem'),
    };
    const app = await startService(settings);
    try {
      const { port, protocol } = new URL(app.url);
      expect(protocol).toBe('https:');
      const environment = { ...settings, PORT: port };
      expect(await check(environment)).toBe(0);
      await app.exit();
      expect(await check(environment)).toBe(1);
    } finally {
      await app.stop();
    }
  });
});
