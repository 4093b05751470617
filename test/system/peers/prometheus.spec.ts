import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { codeBlocks } from '../../support/markdown';
import { sharedService } from '../../support/service';
import type { Caller, Resource } from '../../support/caller';
import { describeWithPeers } from '../../support/peers';
import { temporaryFolder } from '../../support/shell';
import { until } from '../../support/until';

jest.setTimeout(120_000);

/** The settings as the page about them shows them, for a service elsewhere and for somebody who does not wait a minute. */
function configured(url: string): string {
  const page = readFileSync(join(__dirname, '../../../docs/integrations.md'), 'utf8');
  const block = codeBlocks(page).find(({ text }) => text.startsWith('scrape_configs:'));
  if (!block) throw new Error('docs/integrations.md shows no settings of Prometheus');
  return block.text
    .replace(/http:\/\/muster\.[\w.]+:7780/, url)
    .replace('/etc/prometheus/muster.token', 'token')
    .replace('refresh_interval: 1m', 'refresh_interval: 1s')
    .replace('job_name: node\n', 'job_name: node\n    scrape_interval: 1s\n');
}

interface ActiveTarget {
  readonly discoveredLabels: Record<string, string>;
  readonly labels: Record<string, string>;
  readonly scrapeUrl: string;
  readonly health: string;
}

describeWithPeers('Prometheus itself', ['prometheus'], () => {
  const app = sharedService();
  let admin: Caller;
  let prometheus: ChildProcessWithoutNullStreams;
  let address: string;
  let host: Resource;
  const folder = temporaryFolder();

  beforeAll(async () => {
    admin = await app.project();
    const region = await admin.region({
      name: 'eqiad',
      variables: { prometheus_port: Number(new URL(app.url).port), rack: 4 },
    });
    const place = { region_id: region.id, labels: ['role:web', 'big'] };
    // This one is the service that is tested: it has metrics.
    host = await admin.host({ ...place, name: 'here', ip_address: '127.0.0.1' });
    const variables = { prometheus_port: 9, prometheus_scheme: 'https', prometheus_path: '/six' };
    await admin.host({ ...place, name: 'six', ip_address: '::1', variables });
    await admin.host({ ...place, name: 'not scraped', variables: { prometheus_scrape: false } });
    await admin.host({ ...place, name: 'senseless', variables: { prometheus_port: 'abc' } });
    const reader = await admin.user();
    writeFileSync(join(folder, 'token'), reader.credentials.token, { mode: 0o600 });
    writeFileSync(join(folder, 'prometheus.yml'), configured(app.url));
    prometheus = spawn(
      'prometheus',
      [
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        '--web.listen-address=127.0.0.1:0',
      ],
      { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] },
    );
    address = await listeningOn(prometheus);
    // It listens before it answers anything else than that it is not ready.
    await until('Prometheus is ready', 30, async () => (await fetch(`http://${address}/-/ready`)).ok);
  });
  afterAll(async () => {
    const ended = once(prometheus, 'close');
    prometheus.kill();
    await ended;
  });

  async function targets(): Promise<Map<string, ActiveTarget>> {
    const answer = await fetch(`http://${address}/api/v1/targets?state=active`);
    const { data } = (await answer.json()) as { data: { activeTargets: ActiveTarget[] } };
    return new Map(data.activeTargets.map((target) => [target.labels['instance'] ?? '', target]));
  }
  const untilTargets = (...names: string[]) =>
    until(`the targets are ${names.join(', ')}`, 30, async () => {
      const found = [...(await targets()).keys()];
      return found.sort().join() === names.sort().join();
    });

  it('discovers hosts, with all that is told of them', async () => {
    await untilTargets('here', 'six');
    const found = await targets();
    expect(found.get('here')).toMatchObject({
      scrapeUrl: `${app.url}/metrics`,
      discoveredLabels: {
        __meta_muster_project: admin.projectId,
        __meta_muster_uuid: host.uuid,
        __meta_muster_labels: ',big,role:web,',
        __meta_muster_variable_rack: '4',
      },
      labels: { instance: 'here', region: 'eqiad', rack: '4', role: 'web', big: 'true', job: 'node' },
    });
    expect(found.get('six')).toMatchObject({ scrapeUrl: 'https://[::1]:9/six' });
  });

  it('scrapes them', async () => {
    await until('the service is scraped', 30, async () => (await targets()).get('here')?.health === 'up');
  });

  it('drops a host that is deactivated, and takes it back', async () => {
    await untilTargets('here', 'six');
    await admin.put(`/v1/hosts/${String(host.id)}`, { active: false }).expect(200);
    await untilTargets('six');
    await admin.put(`/v1/hosts/${String(host.id)}`, { active: true }).expect(200);
    await untilTargets('here', 'six');
  });

  it('drops all where there are none', async () => {
    const hosts = (await admin.get('/v1/hosts').expect(200)).body as Resource[];
    for (const { id } of hosts) await admin.put(`/v1/hosts/${String(id)}`, { active: false }).expect(200);
    await untilTargets();
  });
});

/** The address that Prometheus says it listens on. Its lines are read on, so that it can go on writing them. */
async function listeningOn(prometheus: ChildProcessWithoutNullStreams): Promise<string> {
  const said: string[] = [];
  return new Promise((resolve, reject) => {
    createInterface(prometheus.stderr).on('line', (line) => {
      said.push(line);
      const address = /msg="Listening on" address=(\S+)/.exec(line)?.[1];
      if (address !== undefined) resolve(address);
    });
    prometheus.once('error', reject);
    prometheus.once('close', () => {
      reject(new Error(`Prometheus has ended:\n${said.join('\n')}`));
    });
  });
}
