import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Caller } from '../support/caller';
import { lastChange } from '../support/reverts';
import { sharedService } from '../support/service';
import { muster, temporaryFolder } from '../support/shell';

describe('muster batch', () => {
  const app = sharedService();
  const folder = temporaryFolder();
  let admin: Caller;
  let region: number;
  beforeEach(async () => {
    admin = await app.project();
    region = (await admin.region({ name: 'north', variables: { kernel: '6.8' } })).id;
    for (const name of ['a', 'b']) await admin.host({ name, region_id: region });
  });

  const fileOf = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const yaml = () =>
    fileOf(
      'operations.yaml',
      `- {id: rack, method: POST, path: /v1/cells, body: {name: rack-9, region_id: ${String(region)}}}
- method: PUT
  path: /v1/cells/{rack.id}/variables
  body: {serial: 9007199254740993}
- {method: PUT, path: "/v1/regions/${String(region)}/variables", body: {kernel: "7"}}
`,
    );
  const kernel = async () =>
    ((await admin.get(`/v1/regions/${String(region)}/variables`).expect(200)).body as { variables: object })
      .variables;

  it('previews the operations, and writes nothing without a confirmation', async () => {
    const preview = await muster(admin, ['batch', yaml(), '--dry-run']);
    expect(preview.code).toBe(0);
    expect(preview.stdout).toMatch(/^host a +variables\.kernel +"6\.8" +"7"$/m);
    expect(preview.stderr).toContain('It would create cell rack-9.');
    const refused = await muster(admin, ['batch', yaml()]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('This would change the resolved values of 2 devices: kernel.');
    expect(await kernel()).toEqual({ kernel: '6.8' });
  });

  it('names new resources in previews, because their ids do not exist yet', async () => {
    const [rack, blade] = [{ $ref: 'rack.id' }, { $ref: 'chassis.id' }];
    const host = { region_id: region, cell_id: rack, ip_address: '192.0.2.7', device_type: 'blade' };
    const operations = [
      { id: 'rack', method: 'POST', path: '/v1/cells', body: { name: 'rack-9', region_id: region } },
      { id: 'chassis', method: 'POST', path: '/v1/hosts', body: { ...host, name: 'c-1' } },
      { method: 'POST', path: '/v1/hosts', body: { ...host, name: 'c-2', parent_id: blade } },
    ];
    const file = fileOf('new.json', JSON.stringify(operations));
    const { stdout } = await muster(admin, ['batch', file, '--dry-run']);
    expect(stdout).toMatch(/^host c-1 +cell +"rack-9" \(new\)$/m);
    expect(stdout).toMatch(/^host c-2 +parent +"c-1" \(new\)$/m);
    expect(stdout).toMatch(/^host c-2 +region +"north"$/m);
  });

  it('sends a JSON document of any size to the service, which has a limit', async () => {
    const operations = [
      { method: 'POST', path: '/v1/clouds', body: { name: 'west', note: 'x'.repeat(9e6) } },
    ];
    const failed = await muster(admin, ['batch', fileOf('large.json', JSON.stringify({ operations }))]);
    expect(failed).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('The body is larger than the limit of 8388608 bytes'),
    });
  });

  it('does the operations of a YAML file in one change, with every digit', async () => {
    const done = await muster(admin, ['batch', yaml(), '--yes', '--reason', 'CHG-7']);
    const { id, reason } = await lastChange(admin);
    expect(done).toMatchObject({ code: 0, stdout: '' });
    expect(done.stderr).toBe(
      `Did 3 operations with change ${String(id)}. 2 devices resolve another value. Revert it with: muster change revert ${String(id)}\n`,
    );
    expect(reason).toBe('CHG-7');
    expect(await kernel()).toEqual({ kernel: '7' });
    const cells = await admin.get('/v1/cells').expect(200);
    expect(cells.text).toContain('9007199254740993');
  });

  it('reads NDJSON from standard input, and prints the results as JSON', async () => {
    const line = JSON.stringify({ method: 'POST', path: '/v1/clouds', body: { name: 'west' } });
    const done = await muster(admin, ['batch', '-', '-o', 'json'], { stdin: `${line}\n\n` });
    expect(JSON.parse(done.stdout)).toMatchObject({ results: [{ status: 201, body: { name: 'west' } }] });
  });

  it.each([
    ['document.json', (text: string) => text],
    ['document.yaml', (text: string) => `# As in the documentation.\n${text}`],
    ['document.ndjson', (text: string) => JSON.stringify(JSON.parse(text))],
  ])(
    'does the operations of the body of a request in %s, with its note as the reason',
    async (name, write) => {
      const body = {
        note: 'CHG-8: rack-9\nand its feed',
        operations: [
          { id: 'rack', method: 'POST', path: '/v1/cells', body: { name: 'rack-9', region_id: region } },
          { method: 'PUT', path: '/v1/cells/{rack.id}/variables', body: { power_feed: 'B' } },
        ],
      };
      const file = fileOf(name, write(JSON.stringify(body, null, 2)));
      expect(await muster(admin, ['batch', file])).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('Did 2 operations with change '),
      });
      expect(await lastChange(admin)).toMatchObject({ reason: body.note });
    },
  );

  it('prefers --reason to the note of a document', async () => {
    const operation = { method: 'POST', path: '/v1/clouds', body: { name: 'west' } };
    const file = fileOf('reasons.json', JSON.stringify({ note: 'CHG-8', operations: [operation] }));
    expect((await muster(admin, ['batch', file, '--reason', 'CHG-9'])).code).toBe(0);
    expect(await lastChange(admin)).toMatchObject({ reason: 'CHG-9' });
  });

  it('leaves the other members of a document to the service', async () => {
    const failed = await muster(admin, ['batch', '-'], { stdin: '{"operations": [], "reason": "CHG-8"}' });
    expect(failed).toMatchObject({ code: 2, stderr: expect.stringContaining('has no operations') });
    const operation = { method: 'POST', path: '/v1/clouds', body: { name: 'west' } };
    const stdin = JSON.stringify({ operations: [operation], reason: 'CHG-8' });
    expect((await muster(admin, ['batch', '-'], { stdin })).stderr).toContain('reason');
  });

  it('previews what is written where no device resolves another value', async () => {
    const cell = await admin.cell({ name: 'rack-e', region_id: region, variables: { power_feed: 'A' } });
    const operations = [
      { method: 'PUT', path: `/v1/cells/${String(cell.id)}`, body: { note: 'spare' } },
      { method: 'PUT', path: `/v1/cells/${String(cell.id)}/variables`, body: { power_feed: 2 } },
      { id: 'new', method: 'POST', path: '/v1/labels', body: { label: 'edge', variables: { mtu: 9000 } } },
    ];
    const { stdout, stderr } = await muster(admin, [
      'batch',
      fileOf('quiet.json', JSON.stringify(operations)),
      '--dry-run',
    ]);
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['WHAT', 'MEMBER', 'BEFORE', 'AFTER'],
      ['cell rack-e', 'note', 'null', '"spare"'],
      ['cell rack-e', 'variables.power_feed', '"A"', '2 (was a text)'],
      ['label edge', 'label', '"edge"'],
      ['label edge', 'variables.mtu', '9000'],
      [''],
    ]);
    expect(stderr).toContain('No device would resolve another value.');
  });

  it('prints the results one by one as CSV, and the names of the resources', async () => {
    const { id: cloud } = await admin.cloud({ name: 'gone' });
    const operations = [
      { id: 'rack', method: 'POST', path: '/v1/cells', body: { name: 'rack-9', region_id: region } },
      { method: 'POST', path: '/v1/labels', body: [{ label: 'spare' }, { label: 'edge' }] },
      { method: 'PUT', path: '/v1/cells/{rack.id}/variables', body: { power_feed: 'B' } },
      { method: 'DELETE', path: `/v1/clouds/${String(cloud)}` },
    ];
    const csv = await muster(admin, [
      'batch',
      fileOf('rows.json', JSON.stringify(operations)),
      '-o',
      'csv',
      '--yes',
    ]);
    expect(csv.stdout.replaceAll(/,\d+,(?=[a-z])/g, ',N,').split(/\r?\n/)).toEqual([
      'id,status,resource_id,resource_name',
      'rack,201,N,rack-9',
      ',201,N,spare',
      ',201,N,edge',
      ',200,,',
      ',204,,',
      '',
    ]);
    const others = operations.slice(0, 3).map((one) =>
      JSON.stringify(one)
        .replace('rack-9', 'rack-8')
        .replace(/spare|edge/g, '$&-2'),
    );
    const names = await muster(admin, ['batch', '-', '-o', 'name'], { stdin: others.join('\n') });
    expect(names.stdout).toBe('rack-8\nspare-2\nedge-2\n');
  });

  it('chooses the version of YAML with --yaml', async () => {
    const file = fileOf(
      'mode.yaml',
      `{method: PUT, path: /v1/regions/${String(region)}/variables, body: {mode: 0755}}`,
    );
    const ambiguous = await muster(admin, ['batch', file]);
    expect(ambiguous).toMatchObject({ code: 2, stderr: expect.stringContaining('--yaml 1.1 or --yaml 1.2') });
    expect((await muster(admin, ['batch', file, '--yaml', '1.1', '--yes'])).code).toBe(0);
    expect(await kernel()).toMatchObject({ mode: 493 });
  });

  it.each([
    ['table.csv', 'name\nx\n', 2, 'is a table'],
    ['empty.ndjson', '\n', 2, 'has no operations'],
    ['operations.txt', '', 2, 'Use .ndjson, .json or .yaml, optionally with .gz'],
    ['broken.ndjson', '{"method"\n', 2, 'operation 1'],
    ['unknown.yaml', '{method: DELETE, path: /v1/clouds/987654321}', 3, 'operations[0]: There is no cloud'],
  ])('fails for %s', async (name, text, code, message) => {
    const failed = await muster(admin, ['batch', fileOf(name, text)]);
    expect(failed.code).toBe(code);
    expect(failed.stderr).toContain(message);
  });
});
