import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { readSettings, settingNames } from '../../support/built-modules';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { makeCertificate } from '../../support/certificates';
import { describeWithPeers } from '../../support/external-programs';
import { type OwnService, PROJECT, startService } from '../../support/service';

const read = (name: string) => readFileSync(join(PROJECT, name), 'utf8');

interface Service {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly environment: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly volumes?: readonly string[];
  readonly read_only?: boolean;
  readonly ports?: readonly string[];
}

/** Substitutes values for `${NAME:?why}` and `${NAME:-instead}`, as Compose does. */
function interpolated(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{(\w+):([?-])([^}]*)\}/g, (_, name: string, operator: string, rest: string) => {
    const value = values[name];
    if (value !== undefined && value !== '') return value;
    if (operator === '?') throw new Error(`${name}: ${rest}`);
    return rest;
  });
}

const VALUES = {
  POSTGRES_PASSWORD: 'a1b2c3',
  POSTGRES_SERVICE_PASSWORD: 'd4e5f6',
  SECRETS_KEY: Buffer.alloc(32).toString('base64'),
};
const compose = (values: Readonly<Record<string, string>>) =>
  parse(read('docker/compose.yaml'), (_, value: unknown) =>
    typeof value === 'string' ? interpolated(value, values) : value,
  ) as {
    services: { database: Service; muster: Service };
    volumes: Readonly<Record<string, unknown>>;
  };

describe('docker/compose.yaml', () => {
  const { services, volumes } = compose(VALUES);
  const { database, muster } = services;

  it('gives the service valid settings', async () => {
    const environment = await readSettings(muster.environment);
    expect(environment).toMatchObject({ HOST: '0.0.0.0', SECRETS_KEY: VALUES.SECRETS_KEY });
    expect(await settingNames()).toEqual(expect.arrayContaining(Object.keys(muster.environment)));
  });

  it.each(Object.keys(VALUES))('does not start without %s', (name) => {
    expect(() => compose({ ...VALUES, [name]: '' })).toThrow(name);
  });

  it('connects the service to its database once that is ready', () => {
    const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = database.environment;
    const partsOf = (name: string) => {
      const url = new URL(muster.environment[name] ?? '');
      return [url.hostname, url.username, url.password, url.pathname];
    };
    const path = `/${String(POSTGRES_DB)}`;
    expect(partsOf('DATABASE_OWNER_URL')).toEqual(['database', POSTGRES_USER, POSTGRES_PASSWORD, path]);
    // The passwords differ: the service's password does not permit a connection as the owner.
    const { POSTGRES_SERVICE_PASSWORD } = VALUES;
    expect(partsOf('DATABASE_URL')).toEqual(['database', 'muster_app', POSTGRES_SERVICE_PASSWORD, path]);
    expect(JSON.stringify(database)).not.toContain(POSTGRES_SERVICE_PASSWORD);
    expect(database.image).toBe('postgres:17');
    expect(muster.depends_on).toEqual({ database: { condition: 'service_healthy' } });
    expect(database.healthcheck?.test.slice(0, 2)).toEqual(['CMD', 'pg_isready']);
  });

  it('keeps the data in a volume', () => {
    const [name, path] = database.volumes?.[0]?.split(':') ?? [];
    expect(path).toBe('/var/lib/postgresql/data');
    expect(Object.keys(volumes)).toContain(name);
  });

  it('gives the service nothing to write to but the database', () => {
    expect(muster.read_only).toBe(true);
    expect(muster.volumes).toBeUndefined();
  });

  it('builds from existing files, and publishes the port on the loopback interface only', () => {
    const { context = '', dockerfile = '' } = muster.build ?? {};
    expect(existsSync(resolve(PROJECT, 'docker', context, dockerfile))).toBe(true);
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
  let app: OwnService;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'muster-health-'));
    makeCertificate(folder, 'service');
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  afterEach(() => app.stop());

  const check = async (environment: Readonly<Record<string, string>>): Promise<number> => {
    const [code] = (await once(
      spawn(process.execPath, args, { env: environment, stdio: 'ignore' }),
      'exit',
    )) as [number];
    return code;
  };

  it.each(['http', 'https'])('succeeds over %s while the service runs', async (scheme) => {
    expect(program).toBe('node');
    const files = {
      TLS_CERT_FILE: join(folder, 'service-cert.pem'),
      TLS_KEY_FILE: join(folder, 'service-key.pem'),
    };
    const settings: Record<string, string> = scheme === 'https' ? files : {};
    app = await startService(settings);
    expect(new URL(app.url).protocol).toBe(`${scheme}:`);
    const environment = { ...settings, PORT: new URL(app.url).port };
    expect(await check(environment)).toBe(0);
    await app.exit();
    expect(await check(environment)).toBe(1);
  });
});
