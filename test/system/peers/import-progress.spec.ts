import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedService } from '../../support/service';
import { Bystander } from '../../support/bystander';
import type { Caller } from '../../support/caller';
import { asLines } from '../../support/importing';
import { describeWithPeers } from '../../support/peers';
import { temporaryFolder } from '../../support/shell';
import { Terminal } from '../../support/terminal';

/** Nobody can make a cell: an import then stands still when it comes to one. */
const theCells = { text: 'LOCK TABLE cells IN SHARE MODE', values: [] };

const LINES = [
  { kind: 'region', name: 'north' },
  { kind: 'cell', region: 'north', name: 'rack-a' },
  { kind: 'host', name: 'web-1', region: 'north', ip_address: '10.1.1.1', device_type: 'server' },
];

describeWithPeers('an import in a terminal', ['tmux', 'bash'], () => {
  const app = sharedService();
  let admin: Caller;
  let bystander: Bystander;
  let terminal: Terminal;
  let file: string;

  beforeAll(async () => {
    bystander = await Bystander.on(app.databaseUrl);
  });
  afterAll(async () => {
    await bystander.close();
  });
  beforeEach(async () => {
    admin = await app.project();
    file = join(temporaryFolder(), 'f.ndjson');
    writeFileSync(file, asLines(LINES));
    terminal = await Terminal.open(admin, { columns: 100, rows: 20 });
  });
  afterEach(() => terminal.close());

  it('counts the seconds while the service writes, and leaves nothing of that on the screen', async () => {
    const letGo = await bystander.hold(theCells);
    await terminal.enter(`muster import ${file}`);
    await terminal.waitFor('writing… ');
    await letGo();
    await terminal.waitFor('3 created, 0 updated, 0 unchanged');
    await terminal.waitForPrompt();
    expect(await terminal.screen()).not.toContain('writing…');
  });

  it('ends orderly at Ctrl-C', async () => {
    const letGo = await bystander.hold(theCells);
    await terminal.enter(`muster import ${file}`);
    await bystander.waiting(1);
    await terminal.press('C-c');
    await bystander.waiting(2);
    await letGo();
    const screen = await terminal.waitFor('Nothing was written.');
    expect(screen).toContain('muster: Interrupted.');
    await terminal.waitForPrompt();
  });

  it('shows a bar, the lines and the share of them', async () => {
    const letGo = await bystander.hold(theCells);
    await terminal.enter(`muster import ${file} --batch 1`);
    expect(await terminal.waitFor('1 lines')).toMatch(/#+-* 100 % \| 1 lines \| \S+ \S*B\/s/);
    await letGo();
    await terminal.waitFor('3 created, 0 updated, 0 unchanged');
  });

  it('shows nothing of it with --quiet', async () => {
    const letGo = await bystander.hold(theCells);
    await terminal.enter(`muster import -q ${file}`);
    await bystander.waiting(1);
    expect(await terminal.screen()).not.toContain('writing');
    await letGo();
    await terminal.waitFor('3 created, 0 updated, 0 unchanged');
  });
});
