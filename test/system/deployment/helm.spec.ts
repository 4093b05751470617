import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { readEnvironment, type Environment } from '../../../src/config/environment';
import { describeWithPeers } from '../../support/external-programs';
import { PROJECT } from '../../support/service';

const CHART = join(PROJECT, 'docker/helm');

interface Variable {
  readonly name: string;
  readonly value: string;
}

interface Pod {
  readonly securityContext: { readonly runAsNonRoot: boolean };
  readonly terminationGracePeriodSeconds?: number;
  readonly containers: readonly {
    readonly image: string;
    readonly env: readonly Variable[];
    readonly securityContext: Readonly<Record<string, unknown>>;
    readonly readinessProbe?: { readonly periodSeconds: number };
    readonly volumeMounts: readonly { readonly mountPath: string }[];
  }[];
  readonly volumes: readonly { readonly secret?: { readonly items: readonly { readonly key: string }[] } }[];
}

interface Manifest {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly labels: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly template: { readonly spec: Pod };
    readonly jobTemplate: { readonly spec: { readonly template: { readonly spec: Pod } } };
    readonly suspend: boolean;
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly ports: readonly { readonly name: string }[];
    readonly rules: readonly { readonly http: { readonly paths: readonly { readonly path: string }[] } }[];
    readonly groups: unknown;
  };
}

const folder = mkdtempSync(join(tmpdir(), 'muster-helm-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const run = (program: string, ...args: string[]) =>
  execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe' });
const helm = (...args: string[]) => run('helm', ...args);

/** The manifests as text. @param values each as `name=value` */
function template(...values: string[]): string {
  const flags = values.flatMap((value) => ['--set', value]);
  return helm('template', 'fleet', CHART, '--kube-version', '1.31.0', ...flags);
}

it('docker/helm has the alerts of the documentation', () => {
  const [chart, docs] = [CHART, join(PROJECT, 'docs')].map((path) =>
    readFileSync(join(path, 'prometheus-alerts.yaml'), 'utf8'),
  );
  expect(chart).toBe(docs);
});

describeWithPeers('docker/helm', ['helm'], () => {
  /** The manifests by their kinds, and those of metrics by `Metrics` and their kind. Each occurs once. */
  function render(...values: string[]): ReadonlyMap<string, Manifest> {
    const manifests = parseAllDocuments(template(...values)).map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS() as Manifest;
    });
    const keyOf = ({ kind, metadata: { labels } }: Manifest) =>
      `${labels['app.kubernetes.io/component'] === 'metrics' ? 'Metrics' : ''}${kind}`;
    const byKind = new Map(manifests.map((manifest) => [keyOf(manifest), manifest]));
    expect(byKind.size).toBe(manifests.length);
    return byKind;
  }

  const manifestOf = (manifests: ReadonlyMap<string, Manifest>, kind: string): Manifest => {
    const manifest = manifests.get(kind);
    if (!manifest) throw new Error(`there is no ${kind}`);
    return manifest;
  };

  const podOf = (manifests: ReadonlyMap<string, Manifest>, kind: string): Pod => {
    const { spec } = manifestOf(manifests, kind);
    return (kind === 'CronJob' ? spec.jobTemplate.spec : spec).template.spec;
  };

  const SECRETS: Readonly<Record<string, string>> = {
    'database-url': 'postgres://muster_app:a@db/muster',
    'database-owner-url': 'postgres://muster_owner:b@db/muster',
    'secrets-key': Buffer.alloc(32).toString('base64'),
  };

  /** The settings that a pod's container reads, with the files of its secrets. */
  function settingsOf({ containers: [container], volumes }: Pod): Environment {
    const mounted = volumes.flatMap(({ secret }) => secret?.items.map(({ key }) => key) ?? []);
    for (const key of mounted) writeFileSync(join(folder, key), `${SECRETS[key] ?? ''}\n`);
    const names = container?.env.map(({ name }) => name) ?? [];
    expect(names).toEqual([...new Set(names)]);
    const environment = container?.env.map(({ name, value }) => {
      const [, key] = /^\/run\/secrets\/muster\/(.*)$/.exec(value) ?? [];
      if (key !== undefined) expect(mounted).toContain(key);
      return [name, key === undefined ? value : join(folder, key)] as const;
    });
    return readEnvironment(Object.fromEntries(environment ?? []));
  }

  it('is valid for helm', () => {
    expect(helm('lint', '--strict', CHART)).toContain('0 chart(s) failed');
  });

  it('has the version of the program', () => {
    const { version } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8'))).toMatchObject({ appVersion: version });
    expect(podOf(render(), 'Deployment').containers[0]?.image).toBe(`muster:${version}`);
  });

  it('has the objects and the version that the documentation names', () => {
    const page = readFileSync(join(PROJECT, 'docs/operations.md'), 'utf8');
    const manifests = render();
    const nameOf = (kind: string) => manifestOf(manifests, kind).metadata.name.replace('fleet', 'muster');
    for (const name of [
      `--from=cronjob/${nameOf('CronJob')}\n`,
      `kubectl logs job/${nameOf('Job')}`,
      `kubectl scale deployment/${nameOf('Deployment')} `,
      `--tag registry.example.net/${podOf(manifests, 'Deployment').containers[0]?.image ?? ''} `,
    ])
      expect(page).toContain(name);
  });

  it('gives the service valid settings, without the login of the owner, which only the migration has', () => {
    const manifests = render('settings.LOG_LEVEL=warn');
    expect([...manifests.keys()].toSorted()).toEqual([
      ...['CronJob', 'Deployment', 'Job', 'PodDisruptionBudget', 'Service'],
    ]);
    expect(manifestOf(manifests, 'Service').spec.ports.map(({ name }) => name)).toEqual(['http']);
    const settings = settingsOf(podOf(manifests, 'Deployment'));
    expect(settings).toMatchObject({
      ...{ DATABASE_URL: SECRETS['database-url'], SECRETS_KEY: SECRETS['secrets-key'] },
      ...{ HOST: '0.0.0.0', PORT: 7780, METRICS_PORT: 9464, LOG_LEVEL: 'warn' },
    });
    expect(settings.DATABASE_OWNER_URL).toBeUndefined();
    expect(JSON.stringify(manifests.get('Deployment'))).not.toContain('owner');
    expect(settingsOf(podOf(manifests, 'Job'))).toMatchObject({
      DATABASE_OWNER_URL: SECRETS['database-owner-url'],
    });
    expect(manifests.get('Job')?.metadata.annotations).toMatchObject({
      'helm.sh/hook': 'pre-install,pre-upgrade',
    });
  });

  it('passes settings that are no texts, and that replace those of the chart', () => {
    const values = [
      ...['IMPORT_LIMIT_BYTES=4294967296', 'CORS_ORIGINS=*', 'PUBLIC_URL=https://other.example/'],
      ...['SHUTDOWN_NOTICE_SECONDS=0'],
    ];
    const manifests = render('ingress.enabled=true', ...values.map((value) => `settings.${value}`));
    expect(settingsOf(podOf(manifests, 'Deployment'))).toMatchObject({
      ...{ IMPORT_LIMIT_BYTES: 4_294_967_296, PUBLIC_URL: 'https://other.example/' },
      ...{ TRUST_PROXY: 1, SHUTDOWN_NOTICE_SECONDS: 0 },
    });
  });

  it('has a pod for commands, with all logins and the key of secrets, that starts only on request', () => {
    const manifests = render();
    expect(manifestOf(manifests, 'CronJob').spec.suspend).toBe(true);
    expect(settingsOf(podOf(manifests, 'CronJob'))).toMatchObject({
      DATABASE_URL: SECRETS['database-url'],
      DATABASE_OWNER_URL: SECRETS['database-owner-url'],
      SECRETS_KEY: SECRETS['secrets-key'],
    });
    expect(render('admin.enabled=false').has('CronJob')).toBe(false);
  });

  it('runs as an ordinary user, on a read-only file system with /tmp', () => {
    const manifests = render();
    for (const kind of ['Deployment', 'Job', 'CronJob']) {
      const { securityContext, containers } = podOf(manifests, kind);
      expect(securityContext.runAsNonRoot).toBe(true);
      expect(containers[0]?.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(containers[0]?.volumeMounts.map(({ mountPath }) => mountPath)).toContain('/tmp');
    }
  });

  it('stops a pod after its requests, and after it was removed from the service', () => {
    const pod = podOf(render(), 'Deployment');
    const { SHUTDOWN_SECONDS, SHUTDOWN_NOTICE_SECONDS } = settingsOf(pod);
    expect(SHUTDOWN_NOTICE_SECONDS).toBeGreaterThan(pod.containers[0]?.readinessProbe?.periodSeconds ?? 0);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(SHUTDOWN_SECONDS + SHUTDOWN_NOTICE_SECONDS + 3);
  });

  it.each([
    ['/', 'http://muster.example.com/', '/', undefined],
    ['/fleet/', 'http://muster.example.com/fleet/', '/fleet(/|$)(.*)', '/$2'],
  ])('publishes the service at the path %s', (path, url, route, target) => {
    const manifests = render('ingress.enabled=true', `ingress.path=${path}`);
    const ingress = manifests.get('Ingress');
    expect(ingress?.spec.rules[0]?.http.paths[0]?.path).toBe(route);
    expect(ingress?.metadata.annotations?.['nginx.ingress.kubernetes.io/rewrite-target']).toBe(target);
    expect(settingsOf(podOf(manifests, 'Deployment'))).toMatchObject({
      PUBLIC_URL: url,
      TRUST_PROXY: 1,
    });
  });

  it('links to https with a certificate', () => {
    const manifests = render('ingress.enabled=true', 'ingress.tlsSecret=muster-tls');
    expect(settingsOf(podOf(manifests, 'Deployment'))).toMatchObject({
      PUBLIC_URL: 'https://muster.example.com/',
    });
  });

  it('has alerts, and metrics for the operator of Prometheus, if they are enabled', () => {
    const manifests = render('metrics.serviceMonitor.enabled=true', 'metrics.alerts.enabled=true');
    const { matchLabels } = manifestOf(manifests, 'ServiceMonitor').spec.selector;
    const { metadata, spec } = manifestOf(manifests, 'MetricsService');
    expect(metadata.labels).toMatchObject(matchLabels);
    expect(spec.ports.map(({ name }) => name)).toEqual(['metrics']);
    const { groups } = parse(readFileSync(join(CHART, 'prometheus-alerts.yaml'), 'utf8')) as {
      groups: unknown;
    };
    expect(manifestOf(manifests, 'PrometheusRule').spec.groups).toEqual(groups);
  });
});

describeWithPeers('docker/helm and the schemas of Kubernetes', ['helm', 'kubernetes-validate'], () => {
  it('agree, with the oldest and the newest version that has schemas', () => {
    const file = join(folder, 'manifests.yaml');
    writeFileSync(file, template('ingress.enabled=true', 'ingress.path=/fleet', 'ingress.tlsSecret=tls'));
    const kinds = parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.get('kind'));
    const versions = ['1.25', '1.37'];
    const output = run(
      'kubernetes-validate',
      '--strict',
      ...versions.flatMap((version) => ['-k', version]),
      file,
    );
    expect(output.match(/^INFO .* passed for resource /gm)).toHaveLength(kinds.length * versions.length);
  });
});
