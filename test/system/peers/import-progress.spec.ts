import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedService } from '../../support/service';
import { lockRegionName, SecondConnection } from '../../support/second-connection';
import type { Caller } from '../../support/caller';
import { asLines } from '../../support/importing';
import { describeWithPeers } from '../../support/external-programs';
import { smallNetBox, textsOf } from '../../support/netbox/inventory';
import { NetBoxServer } from '../../support/netbox/server';
import { temporaryFolder } from '../../support/shell';
import { Terminal } from '../../support/terminal';
import { until } from '../../support/until';

const LINES = [
  { kind: 'region', name: 'north' },
  { kind: 'cell', region: 'north', name: 'rack-a' },
  { kind: 'host', name: 'web-1', region: 'north', ip_address: '10.1.1.1', device_type: 'server' },
];

describeWithPeers('an import in a terminal', ['tmux', 'bash'], () => {
  const app = sharedService();
  let admin: Caller;
  let secondConnection: SecondConnection;
  let terminal: Terminal;
  let file: string;
  /** Blocks the import, and no other one of this service. @returns a function that releases it */
  const block = () => secondConnection.acquire(lockRegionName(admin.projectId, 'north'));

  beforeAll(async () => {
    secondConnection = await SecondConnection.connect(app.databaseUrl);
  });
  afterAll(async () => {
    await secondConnection.close();
  });
  beforeEach(async () => {
    admin = await app.project();
    file = join(temporaryFolder(), 'f.ndjson');
    writeFileSync(file, asLines(LINES));
    terminal = await Terminal.open(admin, { columns: 100, rows: 20 });
  });
  afterEach(() => terminal.close());

  it('shows a progress line while the service writes, and removes it at the end', async () => {
    const release = await block();
    await terminal.enter(`muster import ${file} --yes`);
    await terminal.waitFor('writing… ');
    await release();
    await terminal.waitFor('3 created, 0 updated, 0 unchanged');
    await terminal.waitForPrompt();
    expect(await terminal.screen()).not.toContain('writing…');
  });

  it('stops cleanly on Ctrl-C', async () => {
    const release = await block();
    await terminal.enter(`muster import ${file} --yes`);
    await secondConnection.waiting(1);
    await terminal.press('C-c');
    await secondConnection.waiting(2);
    await release();
    const screen = await terminal.waitFor('Nothing was written.');
    expect(screen).toContain('muster: Interrupted.');
    await terminal.waitForPrompt();
  });

  it('shows a progress bar with the number of lines', async () => {
    writeFileSync(file, asLines([{ kind: 'region', name: 'before' }, ...LINES]));
    const release = await block();
    await terminal.enter(`muster import ${file} --yes --batch 1`);
    expect(await terminal.waitFor('1 lines')).toMatch(/#+-* 100 % \| 1 lines \| \S+ \S*B\/s/);
    await release();
    await terminal.waitFor('4 created, 0 updated, 0 unchanged');
  });

  it('shows how many objects of a NetBox were read, unless it is quiet', async () => {
    const netbox = await NetBoxServer.start(textsOf(smallNetBox()));
    let release: () => void = () => undefined;
    let requests = 0;
    // The first request only asks for the permission.
    const areRead = () => requests === 2;
    const contextsRequested = () =>
      until('the config contexts are requested', 30, () => Promise.resolve(areRead()));
    netbox.beforePage = (path) => {
      if (path !== 'extras/config-contexts') return undefined;
      requests++;
      return areRead() ? new Promise<void>((done) => (release = done)) : undefined;
    };
    try {
      const { NETBOX_URL = '', NETBOX_TOKEN = '' } = netbox.environment;
      await terminal.run(`export NETBOX_URL=${NETBOX_URL} NETBOX_TOKEN=${NETBOX_TOKEN}`);
      await terminal.enter('muster import --from netbox --yes');
      expect(await terminal.waitFor(/\d objects/)).toMatch(/\d+ objects \| \S+ \S*B \| \S+ \S*B\/s/);
      await contextsRequested();
      release();
      await terminal.waitFor('Verified: Muster resolves what NetBox renders');
      requests = 0;
      await terminal.enter('clear; muster diff -q --from netbox');
      await contextsRequested();
      expect(await terminal.screen()).not.toContain('objects');
      release();
      await terminal.waitFor('31 unchanged, 0 only here.');
    } finally {
      await netbox.stop();
    }
  });

  it('shows no progress with --quiet', async () => {
    const release = await block();
    await terminal.enter(`muster import -q -y ${file}`);
    await secondConnection.waiting(1);
    expect(await terminal.screen()).not.toContain('writing');
    await release();
    await terminal.waitFor('3 created, 0 updated, 0 unchanged');
  });

  it.each([
    ['yes', ['y', 'Enter'], 1, 0],
    ['no', ['n', 'Enter'], 0, 130],
    ['Ctrl-C', ['C-c'], 0, 130],
  ])('shows a preview, and asks for confirmation: %s', async (_, keys, written, code) => {
    writeFileSync(file, asLines([...LINES, { ...LINES[2], name: 'web-2' }]));
    await terminal.run(`muster import ${file}`);
    writeFileSync(file, asLines([{ kind: 'region', name: 'north', variables: { kernel: '7' } }]));
    await terminal.enter(`muster import ${file}; echo "ended with $?"`);
    const screen = await terminal.waitFor(
      /Really change the resolved values of \d existing devices\? \(?y\/N/,
    );
    expect(screen).toContain('Would be: 0 created, 1 updated, 0 unchanged');
    expect(screen).toContain('host web-1  kernel: (not set) -> "7"');
    expect(screen.replaceAll(/\s+/g, ' ')).toContain(
      'This would create 0 resources, update 1, and change the resolved values of 2 existing devices.',
    );
    await terminal.press(...keys);
    await terminal.waitFor(`ended with ${String(code)}`);
    const { body } = await admin.get('/v1/hosts?vars=kernel:"7"').expect(200);
    expect(body).toHaveLength(2 * written);
  });
});
