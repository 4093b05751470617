import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { parse, stringify } from 'yaml';
import { section, tableRows } from '../../support/markdown';
import { PROJECT, startService } from '../../support/service';
import { makeCertificate } from '../../support/certificates';
import { describeWithPeers } from '../../support/external-programs';
import { metricNames } from '../../support/prometheus-text';
import { temporaryFolder } from '../../support/shell';

interface Panel {
  readonly type: string;
  readonly title: string;
  readonly datasource?: { readonly uid: string };
  readonly targets?: readonly { readonly expr: string }[];
}

interface Dashboard {
  readonly __inputs: readonly { readonly name: string; readonly pluginId: string }[];
  readonly panels: readonly Panel[];
}

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[];
  }[];
}

const read = (name: string) => readFileSync(join(PROJECT, 'docs', name), 'utf8');

/** The response body of a service with this certificate. */
const textOf = (url: string, ca: string): Promise<string> =>
  new Promise((resolve, reject) => {
    get(url, { ca, agent: false }, (response) => {
      resolve(text(response));
    }).once('error', reject);
  });

/** The metric names in an expression, without the suffixes of histograms. */
const metricsIn = (expression: string): string[] =>
  [...expression.matchAll(/\b(muster|nodejs|process)_\w+/g)].map(([name]) =>
    name.replace(/_(bucket|sum|count)$/, ''),
  );

describeWithPeers('the monitoring documentation', ['promtool', 'openssl'], () => {
  const page = read('monitoring.md');
  const dashboard = JSON.parse(read('grafana-dashboard.json')) as Dashboard;
  const rules = (parse(read('prometheus-alerts.yaml')) as Rules).groups.flatMap((group) => group.rules);
  const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  const cellsOf = (heading: string) =>
    tableRows(section(page, heading)).map(([first = '']) => first.replaceAll('`', ''));
  let folder: string;
  let served: string[];

  beforeAll(async () => {
    folder = temporaryFolder();
    const { cert, key } = makeCertificate(folder, 'muster');
    const files = { TLS_CERT_FILE: join(folder, 'cert.pem'), TLS_KEY_FILE: join(folder, 'key.pem') };
    writeFileSync(files.TLS_CERT_FILE, cert);
    writeFileSync(files.TLS_KEY_FILE, key);
    const app = await startService();
    // A configuration that has all metrics: with a (missing) replica and a certificate.
    const all = await app.startPeer({
      DATABASE_URL: app.databaseUrl,
      DATABASE_REPLICA_URLS: 'postgres://nobody@127.0.0.1:1/nowhere',
      ...files,
    });
    served = metricNames(await textOf(`${all.url}/metrics`, cert));
    await all.exit();
    await app.stop();
  });

  const promtool = (...args: string[]) => promisify(execFile)('promtool', args, { cwd: folder });

  it('lists exactly the metrics of Muster', () => {
    expect(cellsOf('## Metrics').toSorted()).toEqual(
      served.filter((name) => name.startsWith('muster_')).toSorted(),
    );
    const others = [...section(page, '## Metrics').matchAll(/`((?:nodejs|process)_\w+)`/g)].map(
      ([, name]) => name,
    );
    expect(served).toEqual(expect.arrayContaining(others));
    expect(others.length).toBeGreaterThan(3);
  });

  it('has a dashboard with valid expressions on existing metrics', async () => {
    expect(expressions.length).toBeGreaterThan(20);
    for (const expression of expressions) {
      const used = metricsIn(expression);
      expect(used).not.toEqual([]);
      expect(served).toEqual(expect.arrayContaining(used));
    }
    const asRules = expressions.map((expression, i) => ({
      record: `panel:${String(i)}`,
      expr: expression.replaceAll('$__rate_interval', '5m').replaceAll('$job', '.*'),
    }));
    writeFileSync(join(folder, 'panels.yaml'), stringify({ groups: [{ name: 'panels', rules: asRules }] }));
    expect((await promtool('check', 'rules', 'panels.yaml')).stdout).toContain(
      `SUCCESS: ${String(expressions.length)} rules found`,
    );
  });

  it('has a dashboard that can be imported with any Prometheus data source', () => {
    expect(dashboard.__inputs).toEqual([
      expect.objectContaining({ name: 'DS_PROMETHEUS', pluginId: 'prometheus' }),
    ]);
    const rows = dashboard.panels.filter(({ type }) => type === 'row').map(({ title }) => title);
    expect(rows).toEqual(
      expect.arrayContaining([
        'Traffic',
        'Errors',
        'Latency',
        'Saturation',
        'Database and replicas',
        'Rejected requests',
      ]),
    );
    const others = dashboard.panels.filter(({ type }) => type !== 'row');
    expect(new Set(others.map(({ datasource }) => datasource?.uid))).toEqual(new Set(['${DS_PROMETHEUS}']));
  });

  it('has valid alerts on existing metrics, which fire as their tests expect', async () => {
    for (const { expr } of rules) expect(served).toEqual(expect.arrayContaining(metricsIn(expr)));
    copyFileSync(join(PROJECT, 'docs/prometheus-alerts.yaml'), join(folder, 'prometheus-alerts.yaml'));
    copyFileSync(join(__dirname, 'prometheus-alerts.test.yaml'), join(folder, 'alerts.test.yaml'));
    expect((await promtool('check', 'rules', 'prometheus-alerts.yaml')).stdout).toContain('SUCCESS');
    // promtool fails, with the reason, if a test fails.
    expect((await promtool('test', 'rules', 'alerts.test.yaml')).stdout).toContain('SUCCESS');
  });

  it('describes every alert on the page and in the runbook', () => {
    const names = rules.map(({ alert }) => alert).toSorted();
    expect(cellsOf('## Alerts').toSorted()).toEqual(names);
    const runbook = read('runbook.md');
    const documentedAlerts = [...runbook.matchAll(/`(Muster[A-Z]\w+)`/g)].map(([, name]) => name);
    expect([...new Set(documentedAlerts)].toSorted()).toEqual(names);
  });
});
