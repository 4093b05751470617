import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exactJson } from '../../client/src/api/exact-json';
import { countOfChanges } from '../support/batches';
import type { Caller } from '../support/caller';
import { lastChange } from '../support/reverts';
import { sharedService } from '../support/service';
import { muster, temporaryFolder } from '../support/shell';

interface Proposal {
  readonly id: number;
  readonly title: string;
  readonly state: string;
  readonly reason: string | null;
  readonly revision: number;
  readonly operations: readonly {
    readonly method: string;
    readonly path: string;
    readonly body?: unknown;
    readonly if_none_match?: string;
  }[];
}

const app = sharedService();
const folder = temporaryFolder();
let admin: Caller;
let author: Caller;
let approver: Caller;
let region: number;

beforeEach(async () => {
  admin = await app.project();
  [author, approver] = [await admin.user({ roles: [] }), await admin.user({ roles: ['*:write'] })];
  region = (await admin.region({ name: 'north', variables: { kernel: '6.8' } })).id;
  for (const name of ['a', 'b']) await admin.host({ name, region_id: region });
});

const fileOf = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const regionPath = (suffix = '') => `/v1/regions/${String(region)}${suffix}`;

/** Runs a command that proposes. @returns the proposal */
async function proposed(args: readonly string[], caller = author): Promise<Proposal> {
  const before = await countOfChanges(admin);
  const { code, stdout, stderr } = await muster(caller, [...args, '--propose', 'T', '-o', 'json']);
  expect([code, stderr]).toEqual([0, expect.stringContaining('Nothing was written.')]);
  // That of the proposal.
  expect(await countOfChanges(admin)).toBe(before + 1);
  const proposal = JSON.parse(stdout) as Proposal;
  expect(proposal).toMatchObject({ title: 'T', state: 'open' });
  return proposal;
}

const kernel = async () =>
  ((await admin.get(regionPath('/variables')).expect(200)).body as { variables: object }).variables;

describe('--propose', () => {
  it('shows the proposal, and how to follow it', async () => {
    const set = ['vars', 'set', 'region', 'north', 'kernel:="7"', '--reason', 'CHG-1'];
    const { code, stdout, stderr } = await muster(author, [...set, '--propose', 'Newer kernels']);
    const id = /Proposed as (\d+)/.exec(stderr)?.[1] ?? '';
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        `Proposed as ${id}. Nothing was written.\n` +
        `  To see what it would change: muster proposal preview ${id}\n` +
        `  To follow it: muster proposal show ${id}, or ${author.url}/projects/${admin.projectId}/proposals/${id}\n`,
    });
    expect(stdout).toMatch(/^title +Newer kernels$/m);
    expect(stdout).toMatch(/^approvals +0 of 1$/m);
    expect(stdout).toMatch(/^keys +kernel$/m);
    const stored = (await admin.get(`/v1/proposals/${id}`).expect(200)).body as Proposal;
    expect(stored).toMatchObject({ reason: 'CHG-1', operations: [{ path: regionPath('/variables') }] });
    expect(await kernel()).toEqual({ kernel: '6.8' });
  });

  it.each<[string, readonly string[], () => readonly object[]]>([
    [
      'vars set --only-if-new',
      ['vars', 'set', 'region', 'north', 'mtu:=9000', '--only-if-new'],
      () => [
        { method: 'PUT', path: regionPath('/variables/mtu'), body: { value: 9000 }, if_none_match: '*' },
      ],
    ],
    [
      'vars unset',
      ['vars', 'unset', 'region', 'north', 'kernel'],
      () => [{ method: 'DELETE', path: regionPath('/variables'), body: ['kernel'] }],
    ],
    [
      'create',
      ['label', 'create', 'spare'],
      () => [{ method: 'POST', path: '/v1/labels', body: { label: 'spare' } }],
    ],
    [
      'create of several',
      ['cloud', 'create', 'c-{1..2}'],
      () => [{ method: 'POST', path: '/v1/clouds', body: [{ name: 'c-1' }, { name: 'c-2' }] }],
    ],
    [
      'update',
      ['region', 'update', 'north', '--note', 'old'],
      () => [{ method: 'PUT', path: regionPath(), body: { note: 'old' } }],
    ],
    [
      'update of several',
      ['host', 'update', 'a', 'b', '--note', 'old'],
      () => ['a', 'b'].map(() => ({ method: 'PUT', body: { note: 'old' } })),
    ],
    ['delete of several', ['host', 'delete', 'a', 'b'], () => ['a', 'b'].map(() => ({ method: 'DELETE' }))],
    ['vars hoist', ['vars', 'hoist', 'owner'], () => [{ method: 'POST', path: '/v1/import' }]],
  ])('works for %s', async (_, args, operations) => {
    for (const name of ['a', 'b']) await muster(admin, ['vars', 'set', 'host', name, 'owner=ops']);
    expect((await proposed(args)).operations).toMatchObject(operations());
  });

  it('works for batches, imports, reverts and settings', async () => {
    const operation = { method: 'PUT', path: regionPath('/variables'), body: { kernel: '7' } };
    const batch = fileOf('batch.json', JSON.stringify([operation, operation]));
    expect((await proposed(['batch', batch])).operations).toMatchObject([operation, operation]);
    const line = { kind: 'region', name: 'north', variables: { kernel: '7' } };
    const file = fileOf('import.ndjson', JSON.stringify(line));
    expect((await proposed(['import', file])).operations).toMatchObject([
      { method: 'POST', path: '/v1/import', body: [line] },
    ]);
    const { id } = await lastChange(admin);
    await admin.put(regionPath(), { note: 'x' }).expect(200);
    expect(
      (await proposed(['change', 'revert', String((await lastChange(admin)).id)])).operations,
    ).toHaveLength(1);
    expect(id).toBeGreaterThan(0);
    const settings = ['project', 'settings', 'set', '--unique-addresses'];
    expect((await proposed(settings, admin)).operations).toMatchObject([
      { body: { unique_addresses: true } },
    ]);
    // Its project exists, although its settings have no id of their own.
    const shown = await muster(admin, [...settings, '--propose', 'T']);
    expect(shown.stdout).toMatch(/^resources +project-settings (?!.*\(new\))/m);
  });

  it('names each resource that it would create', async () => {
    const three = ['cloud', 'create', 'c-{1..5}', '--propose', 'T'];
    expect((await muster(author, three)).stdout).toMatch(
      /^resources +cloud c-1 \(new\), cloud c-2 \(new\), cloud c-3 \(new\), … and 2 more$/m,
    );
  });

  it('cannot be combined with what writes or previews', async () => {
    const set = ['vars', 'set', 'region', 'north', 'kernel:="7"', '--propose', 'T'];
    for (const other of [['--dry-run'], ['--override', 'INC-7']])
      expect(await muster(author, [...set, ...other])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--propose cannot be combined'),
      });
    const file = fileOf('two.ndjson', '{"kind":"region","name":"south"}\n');
    for (const other of [['--partial'], ['--batch', '1'], ['--prune', 'host']])
      expect((await muster(author, ['import', file, '--propose', 'T', ...other])).code).toBe(2);
    // Users and projects are not part of the inventory.
    expect((await muster(admin, ['user', 'create', 'eve', '--propose', 'T'])).stderr).toContain(
      "unknown option '--propose'",
    );
  });

  it('rejects imports of more than 10,000 lines before they are sent', async () => {
    const lines = Array.from({ length: 10_002 }, (_, i) => `{"kind":"cloud","name":"c-${String(i)}"}`);
    const failed = await muster(author, [
      'import',
      fileOf('large.ndjson', lines.join('\n')),
      '--propose',
      'T',
    ]);
    expect(failed).toMatchObject({ code: 2, stderr: expect.stringContaining('at most 10000 lines') });
  });
});

describe('muster proposal', () => {
  let id: string;
  beforeEach(async () => {
    id = String((await proposed(['vars', 'set', 'region', 'north', 'kernel:="7"'])).id);
  });
  const proposal = (caller: Caller, ...args: string[]) => muster(caller, ['proposal', ...args]);

  it('list selects proposals', async () => {
    const list = async (caller: Caller, ...args: string[]) =>
      (await proposal(caller, 'list', '-o', 'name', ...args)).stdout.trim();
    for (const args of [
      ['--state', 'open'],
      ['--author', 'me'],
      ['--key', 'kernel'],
      ['--kind', 'region'],
      ['--kind', 'region', '--resource', 'north'],
    ])
      expect(await list(author, ...args)).toBe(id);
    expect(await list(approver, '--waiting')).toBe(id);
    for (const args of [['--waiting'], ['--state', 'applied'], ['--key', 'mtu'], ['--kind', 'host']])
      expect(await list(author, ...args)).toBe('');
    const table = await proposal(approver, 'list');
    expect(table.stdout).toMatch(
      new RegExp(`^${id} +open +T +\\S+ +0 of 1 +1 +1 +region north +kernel +0 `, 'm'),
    );
    expect((await proposal(author, 'list', '--resource', 'north')).code).toBe(2);
  });

  it('completes the ids of proposals, with their titles', async () => {
    const words = ['completion-words', 'fish', '--', 'proposal', 'show', ''];
    const env = { MUSTER_COMPLETION_TIMEOUT: '20000' };
    expect((await muster(approver, words, { env })).stdout).toBe(`${id}\tT\n`);
  });

  it('preview shows what it writes, the impact in groups, and what is missing', async () => {
    const { code, stdout, stderr } = await proposal(approver, 'preview', id);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^region north +variables\.kernel +"6\.8" +"7"$/m);
    expect(stdout).toMatch(/^kernel +"6\.8" +"7" +2$/m);
    expect(stderr).toContain('2 devices would resolve another value.');
    expect(stderr).toContain('You can approve it.');
    const json = await proposal(approver, 'preview', id, '-o', 'json');
    expect(exactJson.parse(json.stdout)).toMatchObject({ applicable: true, problems: [] });
  });

  it('is discussed, amended, approved and applied', async () => {
    expect(await proposal(approver, 'comment', id, 'Why not 8?')).toMatchObject({ code: 0 });
    expect((await proposal(approver, 'reject', id, '--note', 'use 8')).stderr).toBe(
      `Rejected revision 1 of proposal ${id} "T".\n`,
    );
    const operations = [{ method: 'PUT', path: regionPath('/variables'), body: { kernel: '8' } }];
    const file = fileOf('amended.json', JSON.stringify(operations));
    const amended = await proposal(author, 'amend', id, '--operations', file, '--title', 'Eight');
    expect(amended.stderr).toBe(`Amended proposal ${id} "Eight": revision 2.\n`);
    const shown = await proposal(approver, 'show', id);
    expect(shown.stdout).toMatch(/^0 +PUT +\/v1\/regions\/\d+\/variables +\{"kernel":"8"\}$/m);
    expect(shown.stdout).toMatch(/reject +1 +false .*use 8$/m);
    expect(shown.stdout).toContain('Why not 8?');
    expect(shown.stdout).toMatch(/^updated +\S+:\d\d$/m);
    expect(shown.stdout).toMatch(/^created +\S+:\d\d$/m);
    const json = await proposal(approver, 'show', id, '-o', 'json');
    expect(JSON.parse(json.stdout)).toMatchObject({ revision: 2, comments: [{ text: 'Why not 8?' }] });
    const csv = await proposal(approver, 'show', id, '-o', 'csv');
    expect(csv.stdout).toContain('operation,method,path,body');
    expect((await proposal(approver, 'show', id, '--revision', '1')).stdout).toContain('{"kernel":"7"}');

    const unseen = await proposal(approver, 'approve', id);
    expect(unseen).toEqual({
      code: 2,
      stdout: '',
      stderr:
        `muster: Proposal ${id} "Eight" would change the resolved values of 2 devices.\n` +
        `  Nothing was changed. Use --yes to skip the question, or "muster proposal preview ${id}" to see the details.\n`,
    });
    const own = await proposal(author, 'approve', id, '--yes');
    expect(own).toMatchObject({ code: 4, stderr: expect.stringContaining('You cannot approve') });
    const early = await proposal(approver, 'apply', id);
    expect(early).toMatchObject({ code: 4, stderr: expect.stringContaining('You cannot apply') });
    expect(await proposal(approver, 'approve', id, '--yes', '--note', 'fine')).toEqual({
      code: 0,
      stdout: '',
      stderr: `Approved revision 2 of proposal ${id} "Eight" for 2 devices.\n`,
    });
    expect((await proposal(approver, 'apply', id)).code).toBe(2);
    const applied = await proposal(approver, 'apply', id, '--yes', '-o', 'json');
    expect(JSON.parse(applied.stdout)).toMatchObject({ results: [{ status: 200 }] });
    const change = await lastChange(admin);
    expect(applied.stderr).toBe(
      `Applied proposal ${id} "Eight" with change ${String(change.id)}. 2 devices resolve another value. Revert it with: muster change revert ${String(change.id)}\n`,
    );
    expect(await kernel()).toEqual({ kernel: '8' });
    expect((await muster(admin, ['change', 'show', String(change.id)])).stdout).toMatch(
      new RegExp(`^proposal +${id}, revision 2, by \\S+, approved by \\S+$`, 'm'),
    );
  });

  it('apply says what is different from the approved impact', async () => {
    expect((await proposal(approver, 'approve', id, '--yes')).code).toBe(0);
    await admin.host({ name: 'c', region_id: region });
    expect(await proposal(approver, 'apply', id)).toEqual({
      code: 4,
      stdout: '',
      stderr:
        `muster: You cannot apply proposal ${id} "T" now:\n` +
        '  It needs 1 approval of its present impact, and has 0.\n' +
        '  An approval does not count any more: the impact was another one.\n' +
        `  To see what is different: muster proposal apply ${id} --yes, which writes nothing before it is approved again\n` +
        `  You can approve it: muster proposal approve ${id}\n`,
    });
    const failed = await proposal(approver, 'apply', id, '--yes');
    expect(failed.code).toBe(4);
    expect(failed.stderr).toContain(
      '  1 device came.\n  host c: kernel: approved no change; now "6.8" → "7"\n',
    );
    expect(failed.stderr).toContain(`muster proposal preview ${id}`);
  });

  it('apply --override needs no approvals, for admins', async () => {
    const denied = await proposal(approver, 'apply', id, '--yes', '--override', 'INC-77');
    expect(denied).toMatchObject({ code: 4, stderr: expect.stringContaining('Only an admin') });
    expect(await proposal(admin, 'apply', id, '--yes', '--override', 'INC-77')).toMatchObject({ code: 0 });
    expect(await kernel()).toEqual({ kernel: '7' });
    expect(await lastChange(admin)).toMatchObject({ override: 'INC-77' });
  });

  const conflict = (field: string, sides: string) => `  region north: ${field}: ${sides}\n`;
  const waysOn = (of: string) =>
    `  Its author can keep what it proposes, and replace the present values: muster proposal amend ${of} --rebase\n` +
    `  To decide for each value: ${author.url}/projects/${admin.projectId}/proposals/${of}\n`;

  it('shows conflicts, which a rebase answers', async () => {
    expect((await proposal(approver, 'approve', id, '--yes')).code).toBe(0);
    await admin.put(regionPath('/variables'), { kernel: 6.8 }).expect(200);
    const preview = await proposal(author, 'preview', id);
    expect(preview.stdout).toMatch(/^region north +variables\.kernel +"6\.8" +6\.8 +"7"$/m);
    expect(preview.stderr).toContain(`muster proposal amend ${id} --rebase`);
    const sides = conflict('variables.kernel', 'then "6.8"; now 6.8; proposed "7"');
    for (const command of ['apply', 'approve'])
      expect(await proposal(approver, command, id)).toEqual({
        code: 4,
        stdout: '',
        stderr:
          `muster: You cannot ${command} proposal ${id} "T" now:\n${sides}` +
          '  Others have changed what it writes.\n' +
          '  It needs 1 approval of its present impact, and has 0.\n' +
          '  An approval does not count any more: the impact was another one.\n' +
          `${waysOn(id)}  To see what it would change now: muster proposal preview ${id}\n`,
      });
    const failed = await proposal(approver, 'apply', id, '--yes');
    expect({ ...failed, stderr: failed.stderr.replace(/^ {2}request id: .*\n/m, '') }).toEqual({
      code: 4,
      stdout: '',
      stderr: `muster: Others have changed what proposal ${id} "T" writes. Nothing was written.\n${sides}${waysOn(id)}`,
    });
    expect((await proposal(author, 'amend', id, '--rebase')).stderr).toBe(
      `Amended proposal ${id} "T": revision 2.\nIt replaces what others have written since:\n${sides}`,
    );
    expect((await proposal(author, 'preview', id)).stdout).not.toContain('CONFLICT');
    expect((await proposal(author, 'amend', id, '--rebase')).stderr).toBe(
      `Amended proposal ${id} "T": revision 3.\n`,
    );
  });

  it.each([
    [
      'a member',
      '',
      () => ({ note: 'mine' }),
      { note: 'theirs' },
      'note',
      'then null; now "theirs"; proposed "mine"',
    ],
    [
      'the variable',
      '/variables/mtu',
      () => ({ value: 9000 }),
      { variables: { mtu: 1 } },
      'variables.mtu',
      'then (not set); now 1; proposed 9000',
    ],
  ])('says how to go on if %s of a version was changed', async (_, part, body, theirs, field, sides) => {
    const version = part === '' ? { 'If-Match': '"1"' } : { 'If-None-Match': '*' };
    const made = await author.put(`${regionPath(part)}?propose=T`, body(), version).expect(202);
    const of = String((made.body as Proposal).id);
    await admin.put(regionPath(), theirs).expect(200);
    for (const args of [
      ['apply', of],
      ['apply', of, '--yes'],
      ['preview', of],
      ['approve', of],
    ]) {
      const { stdout, stderr } = await proposal(approver, ...args);
      expect(stdout + stderr).toContain(`muster proposal amend ${of} --rebase`);
      expect(stdout + stderr).not.toMatch(/retry|precondition/);
      if (args[0] !== 'preview') expect(stderr).toContain(conflict(field, sides));
    }
    expect((await proposal(author, 'amend', of, '--rebase')).stderr).toContain(conflict(field, sides));
    expect((await proposal(approver, 'approve', of, '--yes')).code).toBe(0);
    expect((await proposal(approver, 'apply', of, '--yes')).code).toBe(0);
  });

  it('says how to go on if only another member of a version was changed', async () => {
    const made = await author
      .put(`${regionPath()}?propose=T`, { note: 'x' }, { 'If-Match': '"1"' })
      .expect(202);
    const of = String((made.body as Proposal).id);
    await admin.put(regionPath(), { variables: { mtu: 1 } }).expect(200);
    for (const args of [
      ['apply', of],
      ['apply', of, '--yes'],
    ]) {
      const { code, stderr } = await proposal(approver, ...args);
      expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining(waysOn(of)) });
      expect(stderr).toContain('  Others have changed the resource of operation 0 since it was proposed.\n');
      expect(stderr).not.toMatch(/retry|precondition/);
    }
  });

  it('its changes are listed by its id', async () => {
    const changes = ['change', 'list', '--kind', 'proposal', '--resource'];
    expect((await muster(admin, [...changes, id])).stdout).toContain('create proposal T');
    expect((await muster(admin, [...changes, 'T'])).code).toBe(2);
  });

  it('withdraw ends it', async () => {
    expect((await proposal(author, 'withdraw', id)).stderr).toBe(`Withdrew proposal ${id} "T".\n`);
    expect(await proposal(approver, 'approve', id, '--yes')).toMatchObject({ code: 4 });
  });

  it.each([
    [['show', 'x'], 2, '"muster proposal list" shows the ids'],
    [['show', '987654321'], 3, 'There is no proposal'],
    [['amend', '1'], 2, 'Nothing to amend'],
    [['show', '1', '--revision', 'x'], 2, 'positive integer'],
  ])('%j fails', async (args, code, message) => {
    const failed = await proposal(author, ...args);
    expect(failed).toMatchObject({ code, stderr: expect.stringContaining(message) });
  });

  it('keeps the reason of the proposal and the notes of reviews in the change records', async () => {
    const settings = { change_reason: { required: true, pattern: '^CHG-' } };
    const path = `${regionPath('/variables')}?propose=T`;
    const made = await author.put(path, { kernel: '7' }, { 'X-Change-Reason': 'CHG-7' }).expect(202);
    const id = String((made.body as Proposal).id);
    await admin.put(`/v1/projects/${admin.projectId}/settings`, settings).expect(200);
    expect((await proposal(approver, 'approve', id, '--note', 'CHG-8: fine', '--yes')).code).toBe(0);
    expect(await lastChange(admin)).toMatchObject({ reason: 'CHG-8: fine' });
    expect((await proposal(approver, 'apply', id, '--yes')).code).toBe(0);
    expect(await lastChange(admin)).toMatchObject({ reason: 'CHG-7', proposal: { id: Number(id) } });
  });
});
