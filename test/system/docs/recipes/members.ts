import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { aName, type Caller, type Resource } from '../../../support/caller';
import { exportLines, exportTable } from '../../../support/export-reader';
import { importLines, sendImport } from '../../../support/importing';
import type { ProjectCopy } from '../../../support/project-copy';
import { lastChange, revert } from '../../../support/reverts';
import { environmentOf } from '../../../support/shell';
import type { TestDatabase } from '../../../support/test-database';
import { describeWithBrowser, WebPage } from '../../../support/web-pages';
import { COLUMN, filesOf, FILTER, type FollowedRecipes } from './followed-recipes';

const NODE = process.execPath;

/** Tests of the recipes for a column and a filter, and of a flag with a default. */
export function testMembers(followed: () => FollowedRecipes): void {
  let copy: ProjectCopy;
  let database: TestDatabase;
  let root: Caller;
  beforeAll(() => {
    ({ copy, database, root } = followed());
  });

  /** The root user in a new project. */
  async function newProject(): Promise<Caller> {
    const { id } = (await root.post('/v1/projects', { name: aName('project') }).expect(201)).body as {
      id: string;
    };
    return root.in(id);
  }

  const hostIn = (region: Resource, members = {}): Promise<Resource> =>
    root.host({ region_id: region.id, ...members });

  const list = async (path: string): Promise<Resource[]> =>
    (await root.get(path).expect(200)).body as Resource[];

  describe('a column and a filter added as CONTRIBUTING.md says', () => {
    it('need the entity and a migration', () => {
      expect(filesOf([COLUMN, FILTER])).toEqual([
        'src/devices/device.entity.ts',
        expect.stringMatching(/^src\/migrations\/\d+-rack-units\.ts$/),
        'src/devices/kinds/host/host.entity.ts',
        expect.stringMatching(/^src\/migrations\/\d+-serials\.ts$/),
      ]);
    });

    it('is in responses and bodies of every kind', async () => {
      const region = await root.region();
      expect(await hostIn(region)).toMatchObject({ rack_unit: null, serial: null });
      const host = await hostIn(region, { rack_unit: 12, serial: 'S1' });
      expect(host).toMatchObject({ rack_unit: 12, serial: 'S1' });
      const path = `/v1/hosts/${String(host.id)}`;
      expect((await root.get(path).expect(200)).body).toEqual(host);
      expect((await root.put(path, { rack_unit: 100 }).expect(200)).body).toMatchObject({ rack_unit: 100 });
      expect((await root.put(path, { rack_unit: null }).expect(200)).body).toMatchObject({
        rack_unit: null,
        serial: 'S1',
      });
      const other = await root.networkDevice({ region_id: region.id, rack_unit: 7 });
      expect(other).toMatchObject({ rack_unit: 7 });
      expect(other).not.toHaveProperty('serial');
      const { body } = await root.get(`/v1/devices?id=${String(other.id)}`).expect(200);
      expect(body).toMatchObject({ devices: { 'network-devices': [{ rack_unit: 7 }] } });
    });

    it('rejects invalid values', async () => {
      const region = await root.region();
      const body = { region_id: region.id, ip_address: '10.0.0.9', device_type: 'x' };
      for (const rack_unit of ['12', 1.5, 0, 101, true]) {
        const { details } = (await root.post('/v1/hosts', { ...body, name: 'x', rack_unit }).expect(400))
          .body as {
          details: unknown;
        };
        expect(details).toMatchObject([{ field: 'rack_unit', message: 'must be an integer from 1 to 100' }]);
      }
      await root.post('/v1/hosts', { ...body, name: 'x', serial: 4 }).expect(400);
      await root.post('/v1/network-devices', { ...body, name: 'x', serial: 'S' }).expect(400);
      const client = new Client({ connectionString: database.url });
      await client.connect();
      try {
        const { id } = await root.networkDevice({ region_id: region.id });
        const update = client.query(`UPDATE devices SET serial = 'S' WHERE id = $1`, [id]);
        await expect(update).rejects.toMatchObject({ constraint: 'devices_serial' });
      } finally {
        await client.end();
      }
    });

    it('sorts and selects in lists, and filters them', async () => {
      const region = await root.region();
      const inRegion = `/v1/hosts?region_id=${String(region.id)}`;
      for (const rack_unit of [30, 10, 20])
        await hostIn(region, { rack_unit, serial: `sn-${String(rack_unit)}` });
      expect(await list(`${inRegion}&sort_keys=rack_unit&fields=rack_unit,serial`)).toEqual([
        { rack_unit: 10, serial: 'sn-10' },
        { rack_unit: 20, serial: 'sn-20' },
        { rack_unit: 30, serial: 'sn-30' },
      ]);
      expect(await list(`${inRegion}&serial=sn-20&fields=rack_unit`)).toEqual([{ rack_unit: 20 }]);
      expect(await list('/v1/hosts?serial=sn-2')).toEqual([]);
      await root.get('/v1/network-devices?serial=sn-20').expect(400);
    });

    it('is exported and imported, as lines and as a table', async () => {
      const owner = await newProject();
      const region = await owner.region({ name: 'r' });
      await owner.host({ name: 'a', region_id: region.id, rack_unit: 3, serial: '007' });
      await owner.networkDevice({ name: 'b', region_id: region.id, rack_unit: 4 });
      const lines = await exportLines(owner, '?kind=host&kind=network-device');
      expect(lines).toMatchObject([{ rack_unit: 3, serial: '007' }, { rack_unit: 4 }]);
      const table = await exportTable(owner);
      expect(table.split('\r\n').slice(0, 2)).toEqual([
        'name,region,cell,parent,ip_address,device_type,active,note,rack_unit,labels,serial,managed',
        'a,r,,,10.0.0.1,server,true,,3,,007,false',
      ]);
      const other = await newProject();
      await other.region({ name: 'r' });
      expect(await importLines(other, lines)).toMatchObject({ created: 2 });
      expect(await exportLines(other, '?kind=host&kind=network-device')).toEqual(lines);
      const csv = { 'Content-Type': 'text/csv' };
      expect((await sendImport(other, table, '', csv)).body).toMatchObject({ unchanged: 1, failed: 0 });
      const moved = table.replace(',3,,007', ',5,,"""008"""');
      expect((await sendImport(other, moved, '', csv)).body).toMatchObject({ updated: 1, failed: 0 });
      expect(await exportLines(other, '?kind=host')).toMatchObject([{ rack_unit: 5, serial: '008' }]);
      // As in a request.
      const same = 'name,rack_unit\r\na,12.0\r\n';
      expect((await sendImport(other, same, '', csv)).body).toMatchObject({ failed: 0 });
      const { body } = await sendImport(other, 'name,rack_unit\r\na,101\r\n', '', csv);
      expect(JSON.stringify(body)).toContain('must be an integer from 1 to 100');
    });

    it('has its default in creations and imports of its kind only', async () => {
      const owner = await newProject();
      const region = await owner.region({ name: 'r' });
      expect(await owner.host({ region_id: region.id })).toMatchObject({ managed: false });
      const line = { region: 'r', ip_address: '10.0.0.9', device_type: 'x' };
      const lines = ['host', 'network-device'].map((kind) => ({ ...line, kind, name: `imported-${kind}` }));
      expect(await importLines(owner, lines)).toMatchObject({ created: 2 });
      const [imported] = (await owner.get('/v1/hosts?name=imported-host').expect(200)).body as Resource[];
      expect(imported).toMatchObject({ managed: false });
    });

    it('is recorded and reverted', async () => {
      const owner = await newProject();
      const host = await owner.host({ rack_unit: 1, serial: 'A' });
      const path = `/v1/hosts/${String(host.id)}`;
      await owner.put(path, { rack_unit: 2, serial: 'B' }).expect(200);
      const change = await lastChange(owner);
      expect(change.objects).toMatchObject([
        { before: { rack_unit: 1, serial: 'A' }, after: { rack_unit: 2, serial: 'B' } },
      ]);
      expect((await revert(owner, change.id)).status).toBe(201);
      expect((await owner.get(path).expect(200)).body).toMatchObject({ rack_unit: 1, serial: 'A' });
      await owner.delete(path).expect(204);
      expect((await revert(owner, (await lastChange(owner)).id)).status).toBe(201);
      expect((await owner.get(path).expect(200)).body).toMatchObject({ rack_unit: 1, serial: 'A' });
      const past = await owner.get(`${path}?at=${String(host['created_at'])}`).expect(200);
      expect(past.body).toMatchObject({ version: 1, rack_unit: 1, serial: 'A' });
    });

    it('is compared by muster-admin verify', async () => {
      const host = await hostIn(await root.region(), { rack_unit: 1 });
      const verify = () =>
        copy.run(NODE, ['dist/src/cli.js', 'verify'], {
          DATABASE_URL: database.url,
          DATA_DIR: '/nonexistent',
        });
      const client = new Client({ connectionString: database.url });
      await client.connect();
      try {
        const setUnit = (unit: number) =>
          client.query('UPDATE devices SET rack_unit = $1 WHERE id = $2', [unit, host.id]);
        await setUnit(2);
        // Of all that the tests before have written, it is the only fault.
        await expect(verify()).rejects.toThrow(
          /differs from the state after the change \d+: rack_unit[^]*inconsistent: 1 fault\./,
        );
        await setUnit(1);
      } finally {
        await client.end();
      }
    });

    it('is in the client, the explorer and the description', async () => {
      const region = await root.region();
      const name = aName('host');
      const client = (...args: string[]) =>
        copy.run(NODE, ['client/dist/cli.js', 'host', ...args], environmentOf(root));
      const place = ['--region', region.name, '--ip-address', '10.0.0.8', '--device-type', 'server'];
      await client('create', name, ...place, '--rack-unit', '9', '--serial', 'by-client');
      expect(await list('/v1/hosts?serial=by-client')).toMatchObject([{ name, rack_unit: 9 }]);
      expect(await client('list', '--serial', 'by-client')).toContain(name);
      const explorer = copy.read('packages/api-types/src/resources.ts');
      // Of hosts, network devices and the kind that the other recipe adds.
      expect(explorer.match(/name: 'rack_unit'/g)).toHaveLength(3);
      expect(explorer.match(/name: 'serial'/g)).toHaveLength(1);
      const { paths, components } = (await root.get('/openapi.json').expect(200)).body as {
        paths: Record<string, { get: { parameters: { name: string }[] } }>;
        components: { schemas: Record<string, { properties: Record<string, object>; required?: string[] }> };
      };
      expect(paths['/v1/hosts']?.get.parameters).toContainEqual(
        expect.objectContaining({ name: 'serial', description: 'Hosts with exactly this serial number.' }),
      );
      for (const schema of ['Host', 'CreateHost', 'UpdateNetworkDevice', 'NetworkDeviceLine'])
        expect(components.schemas[schema]?.properties['rack_unit']).toMatchObject({
          type: ['integer', 'null'],
          example: 12,
          description: 'Its lowest unit in the rack.',
        });
      expect(components.schemas['CreateHost']?.properties['rack_unit']).toMatchObject({
        minimum: 1,
        maximum: 100,
      });
      expect(components.schemas['CreateHost']?.required).not.toContain('rack_unit');
      expect(existsSync(join(copy.folder, 'client/dist/api/resources.js'))).toBe(true);
    });
  });

  describeWithBrowser('the explorer, with the members added', (browser) => {
    it('has them as columns and in the form of a host', async () => {
      const region = await root.region();
      const { id, name } = await root.host({ region_id: region.id, rack_unit: 7, serial: '007' });
      const columns = ['name', 'rack_unit', 'serial'].map((column) => `columns=${column}`).join('&');
      const list = `/devices?collection=hosts&region_id=${String(region.id)}&${columns}`;
      const web = await WebPage.signedIn(browser(), root, list);
      await web.page.getByRole('row', { name: `${name} 7 007` }).waitFor();
      await web.show(`/devices/hosts/${String(id)}`);
      await web.page.getByRole('button', { name: 'Edit' }).click();
      await web.page.getByRole('textbox', { name: 'Rack unit' }).fill('9');
      await web.page.getByRole('textbox', { name: 'Serial' }).fill('009');
      await web.page.getByRole('button', { name: 'Preview…' }).click();
      await web.page.getByRole('button', { name: 'Apply' }).click();
      await web.page.getByRole('button', { name: 'Apply' }).waitFor({ state: 'hidden' });
      const { body } = await root.get(`/v1/hosts/${String(id)}`).expect(200);
      expect(body).toMatchObject({ rack_unit: 9, serial: '009' });
      await web.close();
    });
  });
}
