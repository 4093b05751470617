import { sharedService } from '../../support/service';
import type { Caller } from '../../support/caller';
import { revertHint } from '../../support/reverts';
import { describeWithPeers } from '../../support/external-programs';
import { printed } from '../../support/shell';
import { Terminal } from '../../support/terminal';

describeWithPeers('the confirmation of changes to many devices', ['tmux', 'bash'], () => {
  const app = sharedService();
  let admin: Caller;
  let region: number;
  let terminal: Terminal;

  beforeEach(async () => {
    admin = await app.project();
    ({ id: region } = await admin.region({ name: 'north', variables: { kernel: '6.8' } }));
    for (const name of ['web-1', 'web-2']) await admin.host({ name, region_id: region });
    terminal = await Terminal.open(admin, { columns: 100, rows: 30 });
  });

  afterEach(() => terminal.close());

  const kernel = () => printed(admin, ['vars', 'get', 'host', 'web-1', 'kernel']);

  /** Enters a command, and answers its prompt. @returns the final screen */
  async function answer(command: string, ...keys: readonly string[]): Promise<string> {
    await terminal.enter(`${command}; echo "ended with $?"`);
    await terminal.waitFor(/Really .*\? \(?y\/N/);
    await terminal.press(...keys);
    await terminal.waitFor(/^ended with \d+$/m);
    await terminal.waitForPrompt();
    return terminal.screen();
  }

  it('shows the affected devices and values, and sets the values after "y"', async () => {
    const screen = await answer('muster vars set region north kernel=v7', 'y', 'Enter');
    expect(screen).toMatch(/^web-1 +kernel +"6\.8" +"v7"$/m);
    expect(screen).toMatch(/^web-2 +kernel +"6\.8" +"v7"$/m);
    expect(screen).toContain('This would change the resolved values of 2 devices: kernel.');
    expect(screen).toContain('Set kernel on region north. 2 devices resolve another value.');
    expect(screen).toContain('ended with 0');
    expect(await kernel()).toBe('v7\n');
  });

  it.each([
    ['no', ['n', 'Enter']],
    ['nothing', ['Enter']],
    ['Ctrl-C', ['C-c']],
  ])('changes nothing for %s', async (_, keys) => {
    const screen = await answer('muster vars unset region north kernel', ...keys);
    expect(screen).toMatch(/nothing was changed\./i);
    expect(screen).toContain('ended with 130');
    expect(await kernel()).toBe('6.8\n');
    // The terminal is restored: it echoes what is typed.
    expect(await terminal.run('echo still here')).toContain('still here');
  });

  it('asks before several resources are deleted, and shows them', async () => {
    const screen = await answer('muster host delete web-1 web-2', 'n', 'Enter');
    expect(screen).toMatch(/^ {2}host web-1\n {2}host web-2\nThis would delete 2 hosts\.$/m);
    expect(screen).toContain('ended with 130');
    const deleted = await answer('muster host delete web-1 web-2', 'y', 'Enter');
    expect(deleted).toContain('Deleted 2 hosts.');
    expect((await admin.get('/v1/hosts').expect(200)).body).toEqual([]);
  });

  it('asks once for an update of several devices', async () => {
    const screen = await answer('muster host update web-1 web-2 --set kernel=v7', 'y', 'Enter');
    expect(screen).toMatch(/^web-1 +kernel +"6\.8" +"v7"$/m);
    expect(screen).toMatch(/^web-2 +kernel +"6\.8" +"v7"$/m);
    expect(screen.match(/Really/g)).toHaveLength(1);
    expect(screen).toContain('Updated 2 hosts. 2 devices resolve another value.');
    expect(await kernel()).toBe('v7\n');
  });

  it('previews and asks again after a concurrent change', async () => {
    await terminal.enter('muster vars set region north kernel=v7');
    await terminal.waitFor(/Really .*\?/);
    await admin.put(`/v1/regions/${String(region)}/variables`, { kernel: '6.9' }).expect(200);
    await terminal.press('y', 'Enter');
    await terminal.waitFor('The region north was changed in the meantime; previewing again.');
    await terminal.waitFor(/^web-1 +kernel +"6\.9" +"v7"$/m);
    expect(await kernel()).toBe('6.9\n');
    await terminal.waitFor(/previewing again[^]*Really .*\? \(?y\/N/);
    await terminal.press('y', 'Enter');
    await terminal.waitForPrompt();
    expect(await kernel()).toBe('v7\n');
  });

  it('does not ask with --yes or for a single device', async () => {
    // A long line is wrapped.
    const run = async (command: string) => (await terminal.run(command)).join('').replaceAll(' ', '');
    const expected = async (text: string) => `${text} ${await revertHint(admin)}`.replaceAll(' ', '');
    const yes = await run('muster vars set region north kernel=v7 --yes');
    expect(yes).toBe(await expected('Set kernel on region north. 2 devices resolve another value.'));
    const single = await run('muster vars set host web-1 kernel=v8');
    expect(single).toBe(await expected('Set kernel on host web-1. 1 device resolves another value.'));
  });
});
