import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { migrateAndRevert } from '../../../support/built-modules';
import { aName, type Caller, type Resource } from '../../../support/caller';
import type { ProjectCopy } from '../../../support/project-copy';
import { environmentOf } from '../../../support/shell';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database';
import { describeWithBrowser, WebPage } from '../../../support/web-pages';
import { addedMigrations, filesOf, KIND, type FollowedRecipes } from './followed-recipes';

const CLIENT = 'client/dist/cli.js';

/** Tests of the recipe for a kind of device. */
export function testKind(followed: () => FollowedRecipes): void {
  let copy: ProjectCopy;
  let database: TestDatabase;
  let root: Caller;
  beforeAll(() => {
    ({ copy, database, root } = followed());
  });

  const pduIn = async (region: Pick<Resource, 'id'>, members = {}): Promise<Resource> =>
    (
      await root
        .post('/v1/pdus', {
          name: aName('pdu'),
          region_id: region.id,
          ip_address: '10.0.0.9',
          device_type: 'metered',
          ...members,
        })
        .expect(201)
    ).body as Resource;

  /** The columns of the new kind that the table of devices has. */
  const PDU_COLUMNS = `SELECT column_name AS name FROM information_schema.columns
    WHERE table_name = 'devices' AND column_name IN ('outlets', 'phase') ORDER BY 1`;

  describe('a kind of device added as CONTRIBUTING.md says', () => {
    it('needs a folder, entries in two lists, a migration and its list entry', () => {
      expect(filesOf([KIND])).toEqual([
        'src/devices/kinds/pdu/pdu.entity.ts',
        'src/devices/kinds/pdu/pdus.controller.ts',
        'src/devices/kinds/pdu/pdus.module.ts',
        'src/devices/device-kinds.ts',
        'src/app.module.ts',
        expect.stringMatching(/^src\/migrations\/\d+-pdus\.ts$/),
        'src/migrations/index.ts',
      ]);
    });

    it('is created, shown, listed, changed and deleted', async () => {
      const region = await root.region();
      const made = await pduIn(region, { name: 'pdu-a', outlets: 24, phase: 'L1' });
      expect(made).toMatchObject({
        name: 'pdu-a',
        outlets: 24,
        phase: 'L1',
        version: 1,
        region_id: region.id,
      });
      const path = `/v1/pdus/${String(made.id)}`;
      expect((await root.get(path).expect(200)).body).toEqual(made);
      await root.get(`/v1/hosts/${String(made.id)}`).expect(404);
      const updated = await root.put(path, { outlets: null, phase: 'L2' }, { 'If-Match': '"1"' }).expect(200);
      expect(updated.body).toMatchObject({ outlets: null, phase: 'L2', version: 2 });
      await root.delete(path).expect(204);
      await root.get(path).expect(404);
    });

    it('has client commands', async () => {
      const region = await root.region();
      const args = ['pdu', 'create', 'pdu-c', '--region', region.name, '--ip-address', '10.0.0.8'];
      const options = ['--device-type', 'metered', '--outlets', '24', '--phase', 'L3', '-o', 'json'];
      const environment = environmentOf(root);
      await copy.run(process.execPath, [CLIENT, ...args, ...options], environment);
      const [made] = (await root.get('/v1/pdus?name=pdu-c').expect(200)).body as Resource[];
      expect(made).toMatchObject({ name: 'pdu-c', region_id: region.id, outlets: 24, phase: 'L3' });
      await copy.run(process.execPath, [CLIENT, 'device', 'delete', 'pdu-c'], environment);
      expect((await root.get('/v1/pdus?name=pdu-c').expect(200)).body).toEqual([]);
    });

    it('has optional columns, and rejects invalid values for them', async () => {
      const region = await root.region();
      expect(await pduIn(region)).toMatchObject({ outlets: null, phase: null });
      for (const outlets of ['24', 2.5, -1, 1001, true]) {
        const body = { name: 'x', region_id: region.id, ip_address: '10.0.0.9', device_type: 'x', outlets };
        const { details } = (await root.post('/v1/pdus', body).expect(400)).body as { details: unknown };
        expect(details).toMatchObject([{ field: 'outlets', message: 'must be an integer from 0 to 1000' }]);
      }
    });

    it('is listed, sorted, paged and filtered like other kinds', async () => {
      const region = await root.region({ variables: { feed: 'A' } });
      const names: string[] = [];
      for (const outlets of [8, 48, 24])
        names.push((await pduIn(region, { outlets, labels: 'metered' })).name);
      const b = await pduIn(region, { variables: { feed: 'B' } });
      const list = async (query: string) =>
        (
          (await root.get(`/v1/pdus?region_id=${String(region.id)}&${query}`).expect(200)).body as Resource[]
        ).map(({ name }) => name);
      expect(await list('sort_keys=outlets')).toEqual([names[0], names[2], names[1], b.name]);
      expect(await list('label=metered&limit=2')).toEqual(names.slice(0, 2));
      expect(await list('vars=feed:"B"')).toEqual([b.name]);
      expect(await list('vars=feed:"A"&ip=10.0.0.0/24')).toEqual(names);
      const { body } = await root.get(`/v1/pdus?name=${b.name}&fields=outlets,phase`).expect(200);
      expect(body).toEqual([{ outlets: null, phase: null }]);
      const second = await root
        .get(`/v1/pdus?region_id=${String(region.id)}&sort_keys=outlets&limit=1&marker=${String(b.id)}`)
        .expect(200);
      expect(second.body).toEqual([]);
    });

    it('carries variables and labels', async () => {
      const region = await root.region({ variables: { a: 1, b: 1 } });
      const path = `/v1/pdus/${String((await pduIn(region)).id)}`;
      await root.put(`${path}/variables`, { b: 2 }).expect(200, '{"variables":{"b": 2}}');
      expect(((await root.get(path).expect(200)).body as Resource).variables).toEqual({ a: 1, b: 2 });
      await root.delete(`${path}/variables`, { key: 'b' }).expect(204);
      await root.put(`${path}/labels`, { labels: ['metered'] }).expect(200, { labels: ['metered'] });
      await root.delete(`${path}/labels`, { labels: ['metered'] }).expect(204);
      await root.get(`${path}/labels`).expect(200, { labels: [] });
    });

    it('explains its variables, and is counted in the lists of variables', async () => {
      const region = await root.region({ variables: { explained_feed: 'A' } });
      const pdu = await pduIn(region, { variables: { explained_feed: 'B' } });
      const { body } = await root.get(`/v1/pdus/${String(pdu.id)}/variables/explain`).expect(200);
      expect(body).toMatchObject({
        variables: {
          explained_feed: {
            value: 'B',
            source: { kind: 'pdu', id: pdu.id, shadowed: false },
            levels: [{ kind: 'region', shadowed: true }, { kind: 'pdu' }],
          },
        },
      });
      const places = await root.get('/v1/variables?key=explained_feed&kind=pdu').expect(200);
      expect(places.body).toMatchObject([
        {
          id: pdu.id,
          name: pdu.name,
          value: 'B',
          links: [{ href: `${root.url}/v1/pdus/${String(pdu.id)}` }],
        },
      ]);
      const keys = await root.get('/v1/variable-keys?key=explained_feed').expect(200);
      expect(keys.body).toMatchObject([{ regions: 1, hosts: 0, pdus: 1, resolved_by: 1 }]);
    });

    it('is in the list of all devices, and can be a parent', async () => {
      const region = await root.region();
      const pdu = await pduIn(region, { outlets: 3 });
      const host = await root.host({ region_id: region.id, parent_id: pdu.id });
      expect(host['links']).toEqual([{ rel: 'up', href: `${root.url}/v1/pdus/${String(pdu.id)}` }]);
      const { devices } = (await root.get(`/v1/devices?region_id=${String(region.id)}`).expect(200)).body as {
        devices: Record<string, Resource[]>;
      };
      expect(devices['pdus']).toEqual([pdu]);
      expect(devices['hosts']?.map(({ id }) => id)).toEqual([host.id]);
      await root.delete(`/v1/pdus/${String(pdu.id)}`).expect(409);
    });

    it('does not share its columns with other kinds', async () => {
      const region = await root.region();
      const body = { name: 'h', region_id: region.id, ip_address: '10.0.0.1', device_type: 'server' };
      await root.post('/v1/hosts', { ...body, outlets: 24 }).expect(400);
      const host = await root.host({ region_id: region.id });
      expect(host).not.toHaveProperty('outlets');
      const client = new Client({ connectionString: database.url });
      await client.connect();
      try {
        const update = client.query('UPDATE devices SET outlets = 1 WHERE id = $1', [host.id]);
        await expect(update).rejects.toMatchObject({ constraint: 'devices_pdu_columns' });
      } finally {
        await client.end();
      }
    });

    it('has change records', async () => {
      const pdu = await pduIn(await root.region(), { outlets: 24 });
      await root
        .put(`/v1/pdus/${String(pdu.id)}`, { outlets: 48 }, { 'X-Change-Reason': 'bigger' })
        .expect(200);
      const query = `kind=pdu&object_id=${String(pdu.id)}&sort_dir=desc&limit=1`;
      const { body } = await root.get(`/v1/changes?${query}`).expect(200);
      expect(body).toMatchObject([
        {
          reason: 'bigger',
          objects: [{ kind: 'pdu', action: 'update', before: { outlets: 24 }, after: { outlets: 48 } }],
        },
      ]);
    });

    it('has its own role', async () => {
      const region = await root.region();
      const writer = await root.user({ roles: ['pdus:write'] });
      const body = { region_id: region.id, ip_address: '10.0.0.1', device_type: 'x' };
      await writer.post('/v1/pdus', { ...body, name: 'by-role' }).expect(201);
      await writer.post('/v1/hosts', { ...body, name: 'no-role' }).expect(403);
      const other = await root.user({ roles: ['hosts:write'] });
      await other.post('/v1/pdus', { ...body, name: 'no-role' }).expect(403);
    });

    it("is in the API's description", async () => {
      const { paths, tags, components } = (await root.get('/openapi.json').expect(200)).body as {
        paths: Record<string, object>;
        tags: readonly object[];
        components: { schemas: Record<string, { properties: object }> };
      };
      expect(Object.keys(paths).filter((path) => path.startsWith('/v1/pdus'))).toEqual([
        '/v1/pdus/variables',
        '/v1/pdus',
        '/v1/pdus/{id}',
        '/v1/pdus/{id}/labels',
        '/v1/pdus/{id}/variables',
        '/v1/pdus/{id}/variables/explain',
        '/v1/pdus/{id}/variables/{key}',
        '/v1/pdus/{id}/changes/resolved',
        '/v1/pdus/{id}/changes',
      ]);
      expect(tags).toContainEqual({ name: 'pdus', description: 'Pdus and their labels.' });
      expect(components.schemas['Pdu']?.properties).toMatchObject({
        outlets: { type: ['integer', 'null'] },
        phase: {},
      });
      expect(components.schemas['CreatePdu']?.properties).toMatchObject({ outlets: { maximum: 1000 } });
    });

    it('loses its columns when its migration is reverted, after those of the other recipes', async () => {
      const empty = await createTestDatabase();
      try {
        const columns = await migrateAndRevert(empty.url, copy.folder, addedMigrations.length, PDU_COLUMNS);
        expect(columns).toEqual({ migrated: ['outlets', 'phase'], reverted: [] });
      } finally {
        await empty.drop();
      }
    });
  });

  describeWithBrowser('the explorer, with the kind of device added', (browser) => {
    // A group of its own, whose tab is closed before those that failed tests have left.
    describe('in one tab', () => {
      /** Each load of the application takes longer than most steps. */
      let web: WebPage;
      beforeAll(async () => {
        web = await WebPage.signedIn(browser(), root, '/devices');
      });
      afterAll(() => web.close());

      it('has a list of the kind, with its own members as columns, and its exports', async () => {
        const { name, id } = await root.region();
        const { name: pdu } = await pduIn({ id }, { outlets: 24, phase: 'L1' });
        const query = `collection=pdus&region_id=${String(id)}&columns=name&columns=outlets&columns=phase&tree=true`;
        await web.show(`/devices?${query}`);
        await web.page.getByRole('row', { name: `${pdu} 24 L1` }).waitFor();
        await web.page.getByText('1 pdu', { exact: true }).waitFor();
        await web.page.getByRole('treeitem', { name: `region ${name} 1` }).waitFor();
        await web.page.getByRole('button', { name: 'Export' }).click();
        const [download] = await Promise.all([
          web.page.waitForEvent('download'),
          web.page.getByRole('button', { name: 'NDJSON', exact: true }).click(),
        ]);
        expect(download.suggestedFilename()).toBe('pdus.ndjson');
        expect(JSON.parse(await text(await download.createReadStream()))).toMatchObject({
          kind: 'pdu',
          name: pdu,
        });
        // These contain hosts only.
        expect(await web.page.getByRole('button', { name: /CSV|Ansible/ }).count()).toBe(0);
      });

      it('shows a device of the kind with its children, and changes its own members', async () => {
        const region = await root.region();
        const { id, name } = await pduIn(region, { outlets: 24 });
        const below = { region_id: region.id, parent_id: id };
        const children = [
          await pduIn(region, below),
          await root.networkDevice(below),
          await root.host({ ...below, name: 'host-below' }),
        ];
        await web.show(`/devices/pdus/${String(id)}?tab=children`);
        await web.page.getByText('Tree', { exact: true }).click();
        const tree = web.page.getByRole('list', { name: `Children of ${name}` });
        await tree.getByRole('link', { name: 'host-below' }).waitFor();
        expect(await tree.getByRole('link').allInnerTexts()).toEqual(children.map((child) => child.name));
        await web.page.getByRole('button', { name: 'Edit' }).click();
        await web.page.getByRole('textbox', { name: 'Outlets' }).fill('48');
        expect(await web.violations()).toEqual([]);
        await web.page.getByRole('button', { name: 'Preview…' }).click();
        await web.page.getByRole('button', { name: 'Apply' }).click();
        await web.page.getByRole('tab', { name: 'History' }).click();
        const history = web.page.getByRole('list', { name: 'Changes, newest first' });
        await history.getByText('outlets').first().waitFor();
        // References know only the id.
        await web.page.getByRole('tab', { name: 'Hierarchy' }).click();
        await web.page.getByRole('link', { name: 'host-below' }).click();
        await web.page.getByRole('tab', { name: 'Variables' }).waitFor();
        await web.page.getByRole('link', { name, exact: true }).waitFor();
      });

      it('audits the kind, remediates on a device of it, and knows it in filters', async () => {
        const key = aName('feed').replaceAll('-', '_');
        const region = await root.region({ variables: { [key]: 'A', [`${key}_audited`]: true } });
        const pdu = await pduIn(region, { variables: { [key]: 'B' } });
        await pduIn(region);
        const expectation = { vars: `${key}:"A"` };
        const audit = await root.audit({ kind: 'pdu', vars: `${key}_audited:true`, expectation });
        await web.show(`/audits/${String(audit.id)}`);
        await web.page.getByText('1 of 2 fails').waitFor();
        await web.page.getByRole('button', { name: 'Remediate…' }).click();
        await web.page.getByRole('combobox', { name: 'Level' }).fill(pdu.name);
        await web.page.getByRole('option', { name: `device ${pdu.name}` }).click();
        await web.page.getByRole('button', { name: 'Preview…' }).click();
        await web.page.getByRole('button', { name: 'Apply' }).click();
        await web.page.getByText('all 2 pass').waitFor();
        await web.page.getByRole('link', { name: /^pdus with/ }).click();
        await web.page.getByText('2 pdus', { exact: true }).waitFor();
        await web.show('/changes?kind=pdu');
        await web.page.getByText('Kind pdu').waitFor();
        await web.show(`/variables?key=${key}`);
        await web.page.getByRole('columnheader', { name: 'device Pdus' }).waitFor();
        await web.page.keyboard.press('Control+k');
        await web.page.getByRole('textbox', { name: 'Search' }).fill(`set variable on pdu ${pdu.name}`);
        await web.page.getByText(`Set a variable on pdu ${pdu.name}…`).waitFor();
      });
    });
  });
}
