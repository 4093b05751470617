import type { Caller } from '../support/caller';
import { exportTexts } from '../support/export-reader';
import { asLines, hostLine, importLines, REGION_LINE } from '../support/importing';
import { revertHint } from '../support/reverts';
import { sharedService } from '../support/service';
import { muster, printed } from '../support/shell';

const app = sharedService();
let admin: Caller;

beforeEach(async () => {
  admin = await app.project();
  await importLines(admin, [
    REGION_LINE,
    hostLine('web-1', { variables: { rack: 1 } }),
    hostLine('web-2', { variables: { rack: 1 } }),
  ]);
});

const PLACE = ['--region', 'north', '--ip-address', '10.1.1.9', '--device-type', 'server'];
const RANGE = ['--region', 'north', '--ip-address', '10.1.2.{1..3}', '--device-type', 'server'];
const MORE = asLines([hostLine('web-1', { note: 'moved' }), hostLine('web-9')]);

/** Commands that write, and what they say first. */
const WRITES: [args: string[], message: RegExp, changes?: number][] = [
  [['host', 'create', 'web-9', ...PLACE], /^Created host web-9\. /],
  [['host', 'create', 'z-{1..3}', ...RANGE, '--yes'], /^Created 3 hosts\. /],
  [['host', 'update', 'web-1', '--note', 'moved'], /^Updated host web-1\. /],
  [
    ['host', 'update', 'web-1', '--set', 'rack:=2'],
    /^Updated host web-1\. 1 device resolves another value\. /,
  ],
  [['host', 'update', 'web-1', 'web-2', '--note', 'moved'], /^Updated 2 hosts\. /, 2],
  [['host', 'delete', 'web-1'], /^Deleted host web-1\. /],
  [['host', 'delete', 'web-1', 'web-2', '--yes'], /\nDeleted 2 hosts\. /, 2],
  [
    ['vars', 'set', 'host', 'web-1', 'rack:=2'],
    /^Set rack on host web-1\. 1 device resolves another value\. /,
  ],
  [
    ['vars', 'set', 'region', 'north', 'domain=x', '--yes'],
    /^Set domain .* 2 devices resolve another value\. /,
  ],
  [['vars', 'unset', 'host', 'web-1', 'rack'], /^Removed rack from host web-1\. /],
  [['vars', 'hoist', 'rack', '--yes'], /^Replaced 2 settings .* No device resolves another value\. /],
  [['import', '-'], /^/],
  [['import', '-', '--yes'], /^/],
  [['import', '-', '--yes', '--batch', '1'], /^/, 2],
  [['import', '-', '--yes', '--prune', 'host'], /^/, 2],
  [['project', 'settings', 'set', '--unique-addresses'], /^Changed the settings of the project\. /],
];

describe('after a write', () => {
  it.each(WRITES)('muster %j names the command that reverts it', async (args, message, changes = 1) => {
    const before = await exportTexts(admin);
    const { code, stderr } = await muster(admin, args, { stdin: MORE });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(message) });
    expect(stderr.split('\n').at(-2)).toMatch(new RegExp(`${await revertHint(admin, changes)}$`));
    const [, command = ''] = / with: muster (.*)\n$/.exec(stderr) ?? [];
    await printed(admin, [...command.split(' '), '--yes']);
    expect(await exportTexts(admin)).toEqual(before);
  });

  // Each second one: they have each kind of command.
  it.each(WRITES.filter((_, i) => i % 2 === 1))('muster %j -o json does not', async (args) => {
    const { code, stderr } = await muster(admin, [...args, '-o', 'json'], { stdin: MORE });
    expect(code).toBe(0);
    expect(stderr).not.toContain('Revert');
  });

  it.each([
    [['host', 'update', 'web-1', '--note', 'moved', '--dry-run']],
    [['vars', 'set', 'host', 'web-1', 'rack:=1']],
    [['vars', 'set', 'host', 'web-1', 'rack:=1', '--yes']],
    [['vars', 'unset', 'host', 'web-1', 'none']],
    [['import', '-', '--dry-run']],
    [['host', 'delete', 'web-1', '--propose', 'no host']],
  ])('that wrote nothing, muster %j names none', async (args) => {
    const { code, stderr } = await muster(admin, args, { stdin: MORE });
    expect(code).toBe(0);
    expect(stderr).not.toContain('Revert');
  });
});
