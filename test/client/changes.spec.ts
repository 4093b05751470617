import { sharedService } from '../support/service';
import type { Caller, Resource } from '../support/caller';
import { lastChange } from '../support/reverts';
import { muster, printed } from '../support/shell';

const app = sharedService();

/** A region `north` with the given number of hosts. */
async function fleet(hosts = 1): Promise<{ admin: Caller; north: Resource }> {
  const admin = await app.project();
  const north = await admin.region({ name: 'north', variables: { kernel: '6.8' } });
  const body = Array.from({ length: hosts }, (_, i) => ({
    name: `web-${String(i + 1)}`,
    region_id: north.id,
    ip_address: '10.0.0.1',
    device_type: 'server',
  }));
  await admin.post('/v1/hosts', body, { 'X-Change-Reason': 'CHG-1: a rack' }).expect(201);
  return { admin, north };
}

const newest = async (admin: Caller, back = 0): Promise<string> => String((await lastChange(admin, back)).id);
const kernelOf = (caller: Caller, host: string) => printed(caller, ['vars', 'get', 'host', host, 'kernel']);
const list = async (caller: Caller, ...args: string[]): Promise<string[]> =>
  (await printed(caller, ['change', 'list', ...args])).trimEnd().split('\n');
const ids = async (caller: Caller, ...args: string[]): Promise<string[]> =>
  (await printed(caller, ['change', 'list', '-o', 'name', ...args])).split('\n').slice(0, -1);

describe('change list', () => {
  it('shows the newest changes first, with objects, affected devices and reason', async () => {
    const { admin } = await fleet(2);
    await printed(admin, ['vars', 'set', 'region', 'north', 'kernel:="7"', '--yes', '--reason', 'CHG-2']);
    await printed(admin, ['host', 'delete', 'web-2']);
    const [header, ...lines] = await list(admin, '--limit', '4');
    expect(header).toMatch(/^ID +TIME +WHO +WHAT +DEVICES +REASON$/);
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/^\d+ +\S+ +admin +delete host web-2 +1$/);
    expect(lines[1]).toMatch(/^\d+ +\S+ +admin +update region north: variables\.kernel +2 +CHG-2$/);
    expect(lines[2]).toMatch(/^\d+ +\S+ +admin +create 2 hosts +2 +CHG-1: a rack$/);
    expect(lines[3]).toMatch(/^\d+ +\S+ +admin +create region north +0$/);
  });

  it('prints the API records as JSON, and reports when there are more', async () => {
    const { admin } = await fleet();
    const records = JSON.parse(await printed(admin, ['changes', 'list', '-o', 'json'])) as unknown[];
    expect(records).toEqual(
      (await admin.get(`/v1/changes?project_id=${admin.projectId}&sort_dir=desc`)).body,
    );
    const first = await muster(admin, ['change', 'list', '--limit', '1', '-o', 'name']);
    expect(first.stdout).toBe(`${await newest(admin)}\n`);
    expect(first.stderr).toBe('There is more than 1 item: use --limit 0 to show all.\n');
  });

  it('filters changes by object, author, time, reason and request', async () => {
    const { admin } = await fleet(2);
    await printed(admin, ['vars', 'set', 'host', 'web-1', 'serial:=7', '--reason', 'CHG-3']);
    const [set, rack] = [await lastChange(admin), await lastChange(admin, 1)];
    const [ofSet, ofRack] = [String(set.id), String(rack.id)];
    expect(await ids(admin, '--kind', 'host')).toEqual([ofSet, ofRack]);
    expect(await ids(admin, '--kind', 'host', '--resource', 'web-1')).toEqual([ofSet, ofRack]);
    expect(await ids(admin, '--kind', 'host', '--resource', 'web-2')).toEqual([ofRack]);
    expect(await ids(admin, '--key', 'serial')).toEqual([ofSet]);
    expect(await ids(admin, '--because', 'chg-3')).toEqual([ofSet]);
    expect(await ids(admin, '--by', 'nobody')).toEqual([]);
    expect(await ids(admin, '--by', 'admin', '--limit', '0')).toHaveLength(3);
    const { created_at, request_id } = (await admin.get(`/v1/changes/${ofSet}`)).body as Record<
      string,
      string
    >;
    expect(await ids(admin, '--since', created_at ?? '')).toEqual([ofSet]);
    expect(await ids(admin, '--until', created_at ?? '')).not.toContain(ofSet);
    expect(await ids(admin, '--request-id', request_id ?? '')).toEqual([ofSet]);
  });

  it('finds a deleted resource by its id', async () => {
    const { admin } = await fleet();
    const { id } = (await lastChange(admin)).objects[0]!;
    await printed(admin, ['host', 'delete', 'web-1']);
    expect(await ids(admin, '--kind', 'host', '--resource', String(id))).toHaveLength(2);
    const byName = await muster(admin, ['change', 'list', '--kind', 'host', '--resource', 'web-1']);
    expect(byName).toMatchObject({ code: 3, stdout: '' });
    expect(byName.stderr).toContain('given by its id');
  });

  it('takes every kind that records have', async () => {
    const admin = await app.project();
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['a'] }).expect(200);
    const ofSettings = [await newest(admin)];
    const secret = await admin.secret();
    const ofSecret = [await newest(admin)];
    const key = await admin.definition();
    const ofDefinition = [await newest(admin)];
    expect(await ids(admin, '--kind', 'project-settings')).toEqual(ofSettings);
    expect(await ids(admin, '--kind', 'project-settings', '--resource', admin.projectId)).toEqual(ofSettings);
    const root = app.root.in(admin.projectId);
    const { name } = (await root.get(`/v1/projects/${admin.projectId}`)).body as Resource;
    expect(await ids(root, '--kind', 'project-settings', '--resource', name)).toEqual(ofSettings);
    expect(await ids(admin, '--kind', 'project', '--resource', admin.projectId)).toHaveLength(1);
    expect(await ids(admin, '--kind', 'access-secret', '--resource', String(secret.id))).toEqual(ofSecret);
    expect(await ids(admin, '--kind', 'variable-definition', '--resource', key.uuid)).toEqual(ofDefinition);
    expect(await ids(admin, '--kind', 'audit')).toEqual([]);
    expect(await muster(admin, ['change', 'list', '--kind', 'api-key'])).toMatchObject({ code: 2 });
  });

  it('requires the kind of a resource', async () => {
    const { admin } = await fleet();
    expect(await muster(admin, ['change', 'list', '--resource', 'web-1'])).toMatchObject({ code: 2 });
  });
});

describe('change show', () => {
  it('has a row for each field and variable, with the values before and after', async () => {
    const { admin } = await fleet();
    const host = String((await lastChange(admin)).objects[0]!.id);
    const body = { note: 'moved', variables: { kernel: '7', serial: 9 } };
    await admin.put(`/v1/hosts/${host}`, body).expect(200);
    const shown = await printed(admin, ['change', 'show', await newest(admin)]);
    const [head = '', rows = ''] = shown.split('\n\n');
    expect(head).toMatch(/^who +admin$/m);
    expect(head).toMatch(/^devices +1$/m);
    expect(head).toMatch(/^reason +moved$/m);
    expect(head).toMatch(/^touched +1$/m);
    const [header, ...lines] = rows.trimEnd().split('\n');
    expect(header).toMatch(/^ACTION +WHAT +MEMBER +BEFORE +AFTER$/);
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
      ['update', 'host web-1', 'note', 'null', '"moved"'],
      ['update', 'host web-1', 'variables.kernel', '"7"'],
      ['update', 'host web-1', 'variables.serial', '9'],
    ]);
  });

  it('shows the fields of a deleted resource, and the full record as JSON', async () => {
    const { admin } = await fleet();
    await printed(admin, ['host', 'delete', 'web-1']);
    const id = await newest(admin);
    const rows = await printed(admin, ['change', 'show', id, '-o', 'csv']);
    expect(rows).toContain('delete,host web-1,ip_address,10.0.0.1,\n');
    expect(JSON.parse(await printed(admin, ['change', 'show', id, '-o', 'json']))).toEqual(
      (await admin.get(`/v1/changes/${id}`)).body,
    );
  });

  it('shows all objects of a change, even more than one record contains', async () => {
    const { admin } = await fleet();
    const labels = Array.from({ length: 1_050 }, (_, i) => ({
      kind: 'label',
      label: `zone-${String(i + 1)}`,
    }));
    await printed(admin, ['import', '-'], { stdin: labels.map((one) => JSON.stringify(one)).join('\n') });
    const rows = await printed(admin, ['change', 'show', await newest(admin), '-o', 'csv']);
    expect(rows).toContain('create,label zone-1050,label,,zone-1050\n');
    const [, line] = await list(admin, '--limit', '1');
    expect(line).toContain('create 100 labels, and write 950 more objects');
  });

  it('exits with 3 for an unknown change, and with 2 for a malformed id', async () => {
    const { admin } = await fleet();
    expect(await muster(admin, ['change', 'show', '999999999'])).toMatchObject({ code: 3, stdout: '' });
    expect(await muster(admin, ['change', 'show', 'web-1'])).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('change revert', () => {
  it('restores a deleted resource with its id, and records the reason', async () => {
    const { admin } = await fleet();
    await printed(admin, ['vars', 'set', 'host', 'web-1', 'serial:=7']);
    const before = await printed(admin, ['host', 'show', 'web-1', '-o', 'json', '--own']);
    await printed(admin, ['host', 'delete', 'web-1']);
    const id = await newest(admin);
    const result = await muster(admin, ['change', 'revert', id, '--reason', 'CHG-9: back again']);
    const by = await lastChange(admin);
    expect(result).toEqual({
      code: 0,
      stdout: '',
      stderr: `Reverted change ${id} with change ${String(by.id)}: create host web-1. 1 device resolves another value. Revert it with: muster change revert ${String(by.id)}\n`,
    });
    expect(by.reason).toBe('CHG-9: back again');
    const { id: host, uuid, variables } = JSON.parse(before) as Resource;
    expect(JSON.parse(await printed(admin, ['host', 'show', 'web-1', '-o', 'json', '--own']))).toMatchObject({
      id: host,
      uuid,
      variables,
    });
  });

  it('reverts several changes of the same variable together', async () => {
    const { admin } = await fleet(2);
    await printed(admin, ['vars', 'set', 'region', 'north', 'kernel:=7', '--yes']);
    const older = await newest(admin);
    await printed(admin, ['vars', 'set', 'region', 'north', 'kernel:=8', '--yes']);
    const newer = await newest(admin);
    const dryRun = await muster(admin, ['change', 'revert', older, newer, '--dry-run']);
    expect(dryRun.stderr).toContain(
      `Dry run: reverting changes ${newer}, ${older} would update region north`,
    );
    const question = await muster(admin, ['change', 'revert', older, newer, older]);
    expect(question).toMatchObject({ code: 2, stdout: '' });
    expect(question.stderr).toMatch(
      /^muster: This would change the resolved values of 2 devices: kernel\.\n/,
    );
    expect(await newest(admin)).toBe(newer);
    const reverted = await muster(admin, ['change', 'revert', older, newer, '--yes']);
    const by = await newest(admin);
    expect(reverted).toEqual({
      code: 0,
      stdout: '',
      stderr: `Reverted changes ${newer}, ${older} with change ${by}: update region north: variables.kernel. 2 devices resolve another value. Revert it with: muster change revert ${by}\n`,
    });
    expect(await kernelOf(admin, 'web-1')).toBe('6.8\n');
  });

  it('is rejected if a later change conflicts, and names that change', async () => {
    const { admin } = await fleet();
    await printed(admin, ['vars', 'set', 'host', 'web-1', 'kernel:="7"']);
    const id = await newest(admin);
    await printed(admin, ['vars', 'set', 'host', 'web-1', 'kernel:="8"']);
    const later = await newest(admin);
    const rejected = await muster(admin, ['change', 'revert', id]);
    expect(rejected).toMatchObject({ code: 4, stdout: '' });
    expect(rejected.stderr).toContain(`The change ${id} cannot be reverted`);
    expect(rejected.stderr).toContain(`by the change ${later}`);
    expect(await kernelOf(admin, 'web-1')).toBe('8\n');
    expect(await newest(admin)).toBe(later);
  });

  it('requires --yes if more than one device is affected', async () => {
    const { admin } = await fleet(2);
    await printed(admin, ['vars', 'set', 'region', 'north', 'kernel:="7"', '--yes']);
    const id = await newest(admin);
    // By its alias.
    expect(await muster(admin, ['change', 'undo', id])).toEqual({
      code: 2,
      stdout: '',
      stderr: [
        'muster: This would change the resolved values of 2 devices: kernel.',
        '  Nothing was changed. Use --yes to skip the question, or --dry-run to see the details.',
        '',
      ].join('\n'),
    });
    expect(await kernelOf(admin, 'web-1')).toBe('7\n');
    expect(await muster(admin, ['change', 'revert', id, '--yes'])).toMatchObject({ code: 0, stdout: '' });
    expect(await kernelOf(admin, 'web-2')).toBe('6.8\n');
  });

  it('requires --yes if more than one resource would be deleted', async () => {
    const admin = await app.project();
    await admin.post('/v1/regions', [{ name: 'north' }, { name: 'south' }]).expect(201);
    const id = await newest(admin);
    const refused = await muster(admin, ['change', 'revert', id]);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(/^muster: This would delete 2 resources\.\n/);
    const { code, stderr } = await muster(admin, ['change', 'revert', id, '--yes']);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /: delete 2 regions\. No device resolves another value\. Revert it with: muster change revert \d+\n$/,
    );
    expect((await admin.get('/v1/regions').expect(200)).body).toEqual([]);
  });

  it('with --dry-run shows the changes and affected devices, and changes nothing', async () => {
    const { admin } = await fleet(2);
    await printed(admin, ['vars', 'set', 'region', 'north', 'kernel:="7"', '--yes']);
    const id = await newest(admin);
    const dryRun = await muster(admin, ['change', 'revert', id, '--dry-run']);
    const [what = '', devices = ''] = dryRun.stdout.split('\n\n');
    expect(what).toMatch(/^update +region north +variables\.kernel +"7" +"6\.8"$/m);
    expect(devices).toMatch(/^web-2 +kernel +"7" +"6\.8"$/m);
    expect(dryRun.stderr).toBe(
      `Dry run: reverting change ${id} would update region north: variables.kernel. 2 devices would resolve another value. Nothing was changed.\n`,
    );
    const json = await printed(admin, ['change', 'revert', id, '--dry-run', '-o', 'json']);
    expect(JSON.parse(json)).toMatchObject({ dry_run: true, impact: { devices: 2 } });
    expect(await kernelOf(admin, 'web-1')).toBe('7\n');
    expect(await newest(admin)).toBe(id);
  });

  it('prints the record of the new change', async () => {
    const { admin } = await fleet();
    await printed(admin, ['vars', 'set', 'host', 'web-1', 'kernel:="7"']);
    const id = await newest(admin);
    const by = await printed(admin, ['change', 'revert', id, '-o', 'name']);
    expect(by).toBe(`${await newest(admin)}\n`);
    expect(await kernelOf(admin, 'web-1')).toBe('6.8\n');
  });
});

it('completes commands, and names of resources and users', async () => {
  const { admin } = await fleet(2);
  const words = async (...line: string[]): Promise<string[]> =>
    (
      await printed(admin, ['completion-words', 'fish', '--', ...line], {
        env: { MUSTER_COMPLETION_TIMEOUT: '20000' },
      })
    )
      .split('\n')
      .slice(0, -1)
      .map((word) => word.split('\t')[0] ?? '');
  expect(await words('chang')).toEqual(['change']);
  expect(await words('change', '')).toEqual(expect.arrayContaining(['list', 'show', 'revert']));
  expect(await words('change', 'revert', '--dr')).toEqual(['--dry-run']);
  expect(await words('change', 'list', '--kind', 'host', '--resource', 'we')).toEqual(['web-1', 'web-2']);
  expect(await words('change', 'list', '--by', 'adm')).toEqual(['admin']);
});
