import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';
import { authHeaders, sendRaw } from '../support/http-exchange';
import { exportTable, exportTexts } from '../support/export-reader';
import { importLines, sendImport } from '../support/importing';
import { RandomInventory } from '../support/random-inventory';

/** The totals in the response of `POST /v1/import`. */
interface Summary {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
}

const app = sharedService();

describe('an exported inventory', () => {
  let admin: Caller;
  beforeAll(async () => {
    admin = await app.project();
    await fill(admin);
  });
  async function imported(caller: Caller, type: string, body: string): Promise<Summary> {
    const response = await sendRaw(`${app.url}/v1/import`, {
      method: 'POST',
      headers: { ...authHeaders(caller.credentials), 'Content-Type': type },
      body,
    });
    if (response.status !== 200) throw new Error(response.text);
    const { created, updated, unchanged, failed } = response.body as Summary;
    return { created, updated, unchanged, failed };
  }

  it('recreates itself in an empty project, and a second import changes nothing', async () => {
    const lines = await exportTexts(admin);
    const other = await app.project();
    const body = `${lines.join('\n')}\n`;
    const nothing = { created: 0, updated: 0, unchanged: 0, failed: 0 };
    expect(await imported(other, 'application/x-ndjson', body)).toEqual({
      ...nothing,
      created: lines.length,
    });
    expect((await exportTexts(other)).toSorted()).toEqual(lines.toSorted());
    expect(await imported(other, 'application/x-ndjson', body)).toEqual({
      ...nothing,
      unchanged: lines.length,
    });
    expect(await imported(admin, 'application/x-ndjson', body)).toEqual({
      ...nothing,
      unchanged: lines.length,
    });
  });

  it('as CSV changes nothing in its own project, and recreates the hosts where their regions and cells exist', async () => {
    const table = await exportTable(admin);
    const hosts = await exportTexts(admin, '?kind=host');
    const nothing = { created: 0, updated: 0, unchanged: 0, failed: 0 };
    expect(await imported(admin, 'text/csv', table)).toEqual({ ...nothing, unchanged: hosts.length });
    const other = await app.project();
    const linesWithoutHosts = (await exportTexts(admin)).filter((line) => !line.startsWith('{"kind":"host"'));
    await imported(other, 'application/x-ndjson', linesWithoutHosts.join('\n'));
    expect(await imported(other, 'text/csv; charset=utf-8', `\ufeff${table}`)).toEqual({
      ...nothing,
      created: hosts.length,
    });
    // A table has numbers in their shortest form: a cell 1.10 is a text.
    const inShortestForm = hosts.map((line) => line.replace('"exact": 1.10', '"exact": 1.1'));
    expect((await exportTexts(other, '?kind=host')).toSorted()).toEqual(inShortestForm.toSorted());
  });

  it('imported by a user without access to private variables does not change these', async () => {
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['hidden'] }).expect(200);
    const before = await exportTexts(admin);
    const user = await admin.user({ roles: ['*:write'] });
    const seen = await exportTexts(user);
    expect(seen.join('\n')).not.toContain('hidden');
    await imported(user, 'application/x-ndjson', seen.join('\n'));
    await imported(user, 'text/csv', await exportTable(user));
    expect(await exportTexts(admin)).toEqual(before);
  });
});

/** Creates an inventory that uses every member of the export format. */
async function fill(admin: Caller): Promise<void> {
  const cloud = await admin.cloud({ name: 'cloud', note: 'a note' });
  await admin.label({ label: 'web', variables: { port: 443 } });
  const region = await admin.region({
    name: 'null',
    cloud_id: cloud.id,
    labels: 'a',
    variables: { hidden: 1 },
  });
  const cell = await admin.cell({ name: '"1"', region_id: region.id, note: 'x', variables: { row: [4] } });
  await admin.cell({ name: '"1"', labels: 'a,web' });
  const sw = await admin.networkDevice({
    name: 'sw1',
    region_id: region.id,
    model_name: 'QFX',
    vlans: [1, { a: null }],
  });
  const { id } = await admin.host({
    name: '=host',
    region_id: region.id,
    cell_id: cell.id,
    parent_id: sw.id,
    ip_address: '2001:db8::1',
    active: false,
    note: '"quoted"\r\nlines; and, commas',
    labels: 'web,=b',
  });
  const texts =
    '{"big":9007199254740993,"exact":1.10,"text":"4","formula":"=1","none":null,"empty":"","hidden":2}';
  await admin.put(`/v1/hosts/${String(id)}/variables`, texts).expect(200);
  await admin.host({ name: 'plain', region_id: region.id });
}

/** Ids follow the order of an export, so another project may return the same lines in another order. */
const sorted = (lines: readonly string[]): string[] => [...lines].sort();

async function requireRoundTrip(from: Caller, note: string): Promise<void> {
  const lines = await exportTexts(from);
  const to = await app.project();
  expect([note, await importLines(to, lines)]).toMatchObject([note, { created: lines.length, failed: 0 }]);
  expect(sorted(await exportTexts(to))).toEqual(sorted(lines));
  for (const again of [from, to])
    expect([note, await importLines(again, lines)]).toMatchObject([
      note,
      { created: 0, updated: 0, unchanged: lines.length },
    ]);
  const backwards = await app.project();
  await importLines(backwards, [...lines].reverse());
  expect(sorted(await exportTexts(backwards))).toEqual(sorted(lines));
}

describe('an export of a random inventory', () => {
  it('recreates the same inventory, and a second import changes nothing', async () => {
    const caller = await app.project();
    const inventory = new RandomInventory(caller);
    await inventory.grow();
    for (let n = 0; n < 25; n++) await inventory.change();
    await requireRoundTrip(caller, `seed ${String(inventory.seed)}`);
  });

  it('as CSV changes nothing in its own project', async () => {
    const caller = await app.project();
    const inventory = new RandomInventory(caller);
    await inventory.grow();
    const lines = await exportTexts(caller);
    const hosts = await exportTable(caller);
    const summary = await sendImport(caller, hosts, '', { 'Content-Type': 'text/csv' }).expect(200);
    expect([inventory.seed, summary.body]).toMatchObject([
      inventory.seed,
      { created: 0, updated: 0, failed: 0 },
    ]);
    expect(await exportTexts(caller)).toEqual(lines);
  });
});
