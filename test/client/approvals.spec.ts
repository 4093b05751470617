import { OVERRIDE } from '../support/approvals';
import { hostBody } from '../support/batches';
import type { Caller } from '../support/caller';
import { lastChange } from '../support/reverts';
import { sharedService } from '../support/service';
import { muster } from '../support/shell';

interface GovernedRecord {
  readonly id: number;
  readonly override: string | null;
}

describe('writes that need approval', () => {
  const app = sharedService();
  let admin: Caller;
  const rules = JSON.stringify([{ keys: ['ntp_*'], approvals: 1 }]);
  const set = ['vars', 'set', 'region', 'north', 'ntp_servers=10.0.0.1'];
  beforeEach(async () => {
    admin = await app.project();
    await admin.region({ name: 'north' });
    const done = await muster(admin, ['project', 'settings', 'set', '--approvals', rules, '-o', 'json']);
    expect(JSON.parse(done.stdout)).toMatchObject({ approvals: [{ keys: ['ntp_*'], approvals: 1 }] });
  });

  it.each([
    ['a variable', set, ''],
    [
      'a batch',
      ['batch', '-'],
      '{"method":"PUT","path":"/v1/regions/NORTH/variables","body":{"ntp_servers":1}}',
    ],
    ['an import', ['import', '-', '--yes'], '{"kind":"region","name":"north","variables":{"ntp_servers":1}}'],
  ])('the error for %s says which rule, and how to go on', async (_, args, line) => {
    const [{ id }] = (await admin.get('/v1/regions').expect(200)).body as [{ id: number }];
    const stdin = line.replace('NORTH', String(id));
    const failed = await muster(admin, args, { stdin });
    expect(failed.code).toBe(4);
    expect(failed.stderr).toContain(
      'it needs approval. The approval rule 1 (keys ntp_*) requires 1 approval.\n' +
        '  Propose it with --propose "<title>". An admin can also write it with --override "<why>".\n',
    );
  });

  it('--override writes it, and the record says why', async () => {
    const done = await muster(admin, [...set, '--override', 'INC-77: größer']);
    expect(done).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Set ntp_servers on region north'),
    });
    const { id, override } = await lastChange<GovernedRecord>(admin);
    expect(override).toBe('INC-77: größer');
    const list = await muster(admin, ['change', 'list', '--override', '-o', 'name']);
    expect(list.stdout).toBe(`${String(id)}\n`);
    expect((await muster(admin, ['change', 'show', String(id)])).stdout).toMatch(
      /^override +INC-77: größer$/m,
    );
    const unruled = await muster(admin, [
      'project',
      'settings',
      'set',
      '--no-approvals',
      '--override',
      'INC-77',
    ]);
    expect(unruled.code).toBe(0);
  });

  it('previews say that it needs approval', async () => {
    const preview = await muster(admin, [...set, '--dry-run']);
    expect(preview).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('approval rule 1 (keys ntp_*)'),
    });
    const overridden = await muster(admin, [...set, '--dry-run', '--override', 'INC-77']);
    expect(overridden.stderr).not.toContain('approval rule');
  });

  const rule = 'the approval rule 1 (keys ntp_*) requires 1 approval.\n';
  const line = '{"kind":"region","name":"north","variables":{"ntp_servers":1}}';

  it.each<[readonly string[]]>([[[]], [['--partial']], [['-o', 'json']]])(
    'the dry run of an import says it, with %j',
    async (more) => {
      const args = ['import', '-', '--dry-run', ...more];
      const { code, stdout, stderr } = await muster(admin, args, { stdin: line });
      expect(code).toBe(0);
      if (more.includes('json'))
        expect(JSON.parse(stdout)).toMatchObject({ approval_required: { rule: 0, approvals: 1 } });
      else expect(stderr).toBe(`It needs approval: ${rule}`);
    },
  );

  it('the dry runs of a revert and of a batch say it', async () => {
    expect((await muster(admin, [...set, '--override', 'INC-77'])).code).toBe(0);
    const { id } = await lastChange<GovernedRecord>(admin);
    const reverted = await muster(admin, ['change', 'revert', String(id), '--dry-run']);
    expect(reverted).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`It needs approval: ${rule}`),
    });
    const [{ id: region }] = (await admin.get('/v1/regions').expect(200)).body as [{ id: number }];
    const path = `/v1/regions/${String(region)}/variables`;
    const stdin = JSON.stringify({ method: 'DELETE', path, body: ['ntp_servers'] });
    const batch = await muster(admin, ['batch', '-', '--dry-run'], { stdin });
    expect(batch).toMatchObject({ code: 0, stderr: expect.stringContaining(`It needs approval: ${rule}`) });
  });

  it.each([
    ['a variable', set, ''],
    ['an import', ['import', '-'], line],
    ['several updates', ['host', 'update', 'a', 'b', '--set', 'ntp_a:=2'], ''],
    ['several deletions', ['host', 'delete', 'a', 'b'], ''],
    ['moved settings', ['vars', 'hoist', 'ntp_a'], ''],
  ])('without --yes, it suggests a proposal instead of --yes for %s', async (_, args, stdin) => {
    const [{ id }] = (await admin.get('/v1/regions').expect(200)).body as [{ id: number }];
    const variables = { ntp_a: 1 };
    for (const name of ['a', 'b'])
      await admin.post('/v1/hosts', hostBody({ name, region_id: id, variables }), OVERRIDE).expect(201);
    const failed = await muster(admin, args, { stdin });
    expect(failed.code).toBe(4);
    expect(failed.stderr).toContain('  Propose it with --propose "<title>".');
    expect(failed.stderr).not.toContain('--yes');
  });

  it('suggests a proposal to users who lack a role', async () => {
    const reader = await admin.user({ roles: [] });
    const failed = await muster(reader, [...set, '--yes']);
    expect(failed).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('  Propose it with --propose "<title>": that needs no role.\n'),
    });
    const unknown = await muster(reader, ['project', 'settings', 'set', '--unique-addresses']);
    expect(unknown.stderr).not.toContain('--propose');
  });

  it('rejects rules that are no JSON', async () => {
    const failed = await muster(admin, ['project', 'settings', 'set', '--approvals', '[{']);
    expect(failed).toMatchObject({ code: 2, stderr: expect.stringContaining('Invalid --approvals: ') });
  });
});
