import { withoutIndexes } from '../../bench/fleet/indexes';
import { describeOnOneServer } from '../support/citus';
import type { Caller, Resource } from '../support/caller';
import { INSERT_DEVICES, filters, newerHosts, whereConditions } from '../support/large-project';
import { byCodePoint } from '../support/naive-resolver';
import { applyProposal, approve, previewProposal, propose } from '../support/proposals';
import { RecordedService } from '../support/recorded-service';
import { lastChange } from '../support/reverts';

const DEVICES = 20_000;
const SMALL = 400;
/** The number of devices at the end of the large project whose names begin with `late-`. */
const LATE = 2_000;
/** A look-ahead over a thousand rows, the rows of a few pages, and the lookups for each. */
const MAX_PAGE_ROWS = 6_000;
/** One row, and the lookups for it. */
const MAX_SINGLE_ROWS = 200;

/** The maximum number of matching hosts that a test checks for. A page must be a small part of them. */
const MAX_CHECKED = 1_000;

let service: RecordedService;
let large: Caller;
let small: Caller;
/** The id of the last device of the large project. */
let last: number;

beforeAll(async () => {
  service = await RecordedService.start();
  const { app, client } = service;
  large = await app.project();
  small = await app.project();
  // With the indexes of these tables, it would take more than half as much CPU time again.
  await withoutIndexes(client, ['devices', 'device_labels', 'variable_values'], async () => {
    await service.fill(INSERT_DEVICES, [large.projectId, DEVICES]);
  });
  await service.fill(INSERT_DEVICES, [small.projectId, SMALL]);
  const { rows } = await client.query<{ id: string }>(
    'SELECT max(id) AS id FROM devices WHERE project_id = $1',
    [large.projectId],
  );
  last = Number(rows[0]?.id);
  await client.query("UPDATE devices SET name = 'late-' || name WHERE project_id = $1 AND id > $2", [
    large.projectId,
    last - LATE,
  ]);
  // Autovacuum would do this too. It also flushes the pending list of the GIN index.
  await client.query('VACUUM ANALYZE');
}, 120_000);
afterAll(() => service.stop());

/** Expects that each statement of a request reads fewer rows than a limit. */
const expectReadsBelow = (below: number, caller: Caller, path: string): Promise<void> =>
  service.expectReads(/\bdevices\b|variable_correlations/, below, () => caller.get(path).expect(200));

const expectPage = (caller: Caller, query: string, below = MAX_PAGE_ROWS): Promise<void> =>
  expectReadsBelow(below, caller, `/v1/hosts?fields=id,name&limit=20&${query}`);

describeOnOneServer('it counts the rows that one server reads')('the levels that set a key', () => {
  it('have each value tested once', async () => {
    const admin = await service.app.project();
    const region = await admin.region();
    const cells = Array.from({ length: 100 }, (_, i) => ({
      ...{ name: `cell-${String(i)}`, region_id: region.id },
      variables: { gateway: `gw-${String(i % 2)}` },
    }));
    await admin.post('/v1/cells', cells).expect(201);
    const path = `/v1/hosts?where=${encodeURIComponent('gateway ^= "gw-2"')}`;
    await service.expectReads(/variable_values/, 150, () => admin.get(path).expect(200));
  });
});

describe('proposals', () => {
  const regionOf = async (caller: Caller) =>
    ((await caller.get('/v1/regions?limit=1').expect(200)).body as [Resource])[0].id;
  const proposeSite = async (caller: Caller, site: string) =>
    propose(caller, [
      {
        method: 'PUT',
        path: `/v1/regions/${String(await regionOf(caller))}/variables`,
        body: { site },
      },
    ]);
  const ofImpact = (statements: readonly { readonly text: string }[]) =>
    statements.filter(({ text }) => /FROM devices d|device_labels a/.test(text)).length;

  it('are listed without reading any device', async () => {
    await proposeSite(large, 'nowhere');
    const statements = await service.recorder.during(large.projectId, () =>
      large.get('/v1/proposals?state=open').expect(200),
    );
    expect(statements.map(({ text }) => text).filter((text) => /devices|change_objects/.test(text))).toEqual(
      [],
    );
  });

  it('have their impact computed once when they are applied', async () => {
    const approver = await small.user({ is_admin: true });
    const proposal = await proposeSite(small, 'here');
    const previewed = await service.recorder.during(small.projectId, () =>
      previewProposal(approver, proposal),
    );
    const { impact } = await previewProposal(approver, proposal);
    await approve(approver, proposal);
    const applied = await service.recorder.during(small.projectId, () =>
      applyProposal(small, proposal).expect(200),
    );
    expect(ofImpact(previewed)).toBeGreaterThan(0);
    expect(ofImpact(applied)).toBeLessThanOrEqual(ofImpact(previewed));
    const record = await lastChange<{ readonly impact: { readonly devices: number } }>(small);
    expect(record.impact.devices).toBe(impact?.devices);
    expect(record.impact.devices).toBeGreaterThan(0);
  });
});

describeOnOneServer('it counts the rows that one server reads')(
  'a read costs about a page, not every device',
  () => {
    const vars = (text: string) => `vars=${encodeURIComponent(text)}`;

    const ofTurn = (turn: number) => filters.filter((_, i) => i % 2 === turn);

    const find = async (query: string, limit: number) =>
      (await large.get(`/v1/hosts?fields=id&limit=${String(limit)}&${query}`).expect(200)).body as Resource[];

    it.each(filters)('for a filter by %s', async (_, text, minMatches) => {
      // Checks that there are matches. Otherwise, reading few rows would be trivial.
      const expected = Math.min(minMatches, MAX_CHECKED);
      if (expected > 0) expect(await find(vars(text), expected)).toHaveLength(expected);
      await expectPage(large, vars(text));
    });

    it.each(whereConditions)('for a condition on %s', async (_, text, minMatches) => {
      const where = `where=${encodeURIComponent(text)}`;
      const expected = Math.min(minMatches, MAX_CHECKED);
      if (expected > 0) expect(await find(where, expected)).toHaveLength(expected);
      await expectPage(large, where);
    });

    it('for the levels that set the key of a filter, and not for the others', async () => {
      const path = `/v1/hosts?limit=1&${vars('serial:"S777"')}`;
      await service.expectReads(/\bAS found \(n, kind\b/, 10, () => large.get(path).expect(200));
    });

    it('for a filter that every device meets, and no more than the page', async () => {
      await expectPage(large, vars('site:"everywhere"'), 150);
    });

    it('for a filter by a value that is frequent only at the end', async () => {
      expect(await find(vars(newerHosts), MAX_CHECKED)).toHaveLength(MAX_CHECKED);
      await expectPage(large, vars(newerHosts));
    });

    it('for a filter by a value that is frequent only at first: the look-ahead is abandoned early', async () => {
      expect(await find(vars('asset.batch:7'), 100)).toHaveLength(10);
      await expectPage(large, vars('asset.batch:7'), 2 * MAX_PAGE_ROWS);
    });

    // The conditions of a filter are the same on each page and for each caller, so the filters take turns.
    it.each(ofTurn(0))('for a filter on a late page, by %s', async (_, text) => {
      await expectPage(large, `${vars(text)}&marker=${String(last - DEVICES / 100)}`);
    });

    it.each(ofTurn(1))('for root, who sees every project, with a filter by %s', async (_, text) => {
      await expectPage(service.app.root, vars(text));
    });

    it.each([
      ['all values', 'variables?limit=20'],
      ['the last values', 'variables?limit=20&sort_dir=desc'],
      ['the values of a key', 'variables?limit=20&key=serial'],
      ['the values of a key that is rare', 'variables?limit=20&key=tier'],
      ['the values of a prefix', 'variables?limit=20&key=se*&sort_dir=desc'],
      ['the values on regions', 'variables?limit=20&kind=region'],
      ['the values on labels, backwards', 'variables?limit=20&kind=label&sort_dir=desc'],
      ['the keys', 'variable-keys?fields=key'],
      ['the keys from the end', 'variable-keys?fields=key&limit=2&sort_dir=desc'],
    ])('for variable lists: %s', async (_, list) => {
      for (const caller of [large, service.app.root])
        await expectReadsBelow(MAX_PAGE_ROWS, caller, `/v1/${list}`);
    });

    it.each([
      ['a label', 'label=label-7'],
      ['a label, on a late page', 'label=label-7&late'],
      ['a label that exists, and one that does not', 'label=label-7&label=label-107'],
      ['two labels', 'label=label-7&label=label-8'],
      ['a network', 'ip=10.0.7.0/24'],
      ['a cell, in the order of names', 'sort_keys=name&cell_id=the+first'],
      ['a label and a variable', `label=label-7&${vars('os:"common"')}`],
    ])('for other filters: %s', async (_, query) => {
      const [{ id: cell } = { id: 0 }] = (await large.get('/v1/cells?limit=1').expect(200))
        .body as Resource[];
      const resolvedQuery = query
        .replace('late', `marker=${String(last - DEVICES / 100)}`)
        .replace('the+first', String(cell));
      await expectPage(large, resolvedQuery);
    });

    it.each([
      ['a prefix', 'host-1', 20],
      ['a name', 'host-777', 11],
      ['a part of most names', 'ost', 20],
      ['a part of a few names', 'st-1234', 11],
      ['a network', '10.0.7.', 20],
      ['a value of one host', 'S777', 1],
      ['a value of most hosts', 'common', 20],
      ['a value of regions', 'everywhere', 20],
      ['nothing', 'nowhere', 0],
    ])('for a search for %s', async (_, text, hits) => {
      const path = `/v1/search?q=${text}`;
      expect((await large.get(path).expect(200)).body).toMatchObject({
        hits: Array.from({ length: hits }, () => expect.anything()),
      });
      await expectReadsBelow(MAX_PAGE_ROWS, large, path);
      await expectReadsBelow(8 * SMALL, small, path);
    });

    it('for a filter by UUID, for every caller', async () => {
      const [{ uuid }] = (await large.get('/v1/hosts?limit=1&sort_dir=desc').expect(200)).body as [Resource];
      const filter = `/v1/hosts?uuid=${uuid}`;
      for (const caller of [large, service.app.root]) {
        expect((await caller.get(`${filter}&fields=id`).expect(200)).body).toEqual([{ id: last }]);
        for (const query of ['', '&fields=id', '&sort_dir=desc', '&descendants=true'])
          await expectReadsBelow(MAX_SINGLE_ROWS, caller, filter + query);
        // These queries use the look-ahead.
        for (const query of ['&sort_keys=name', `&${vars('late:true')}`])
          await expectReadsBelow(MAX_PAGE_ROWS, caller, filter + query);
      }
    });

    it('for the descendants of a device, which are searched once for the page and all its links', async () => {
      const [{ id: top }] = (await find('', 1)) as [Resource];
      await service.client.query(
        'UPDATE devices SET parent_id = $2 + (id - $2 - 1) / 10 WHERE project_id = $1 AND id BETWEEN $2 + 1 AND $2 + 2000',
        [large.projectId, top],
      );
      await service.client.query('VACUUM ANALYZE devices');
      const path = `/v1/devices?id=${String(top)}&descendants=true&limit=20&marker=${String(top + 1000)}`;
      const found = (await service.recorder.all(() => large.get(path).expect(200))).filter(({ text }) =>
        /RECURSIVE/.test(text),
      );
      expect(found).toHaveLength(1);
      await expectReadsBelow(2_500, large, path);
    });

    it.each(['', '&kind=host', '&key=serial', '&sort_dir=desc', '&key=serial&kind=host&sort_dir=desc'])(
      'for variable lists from the middle of a key%s',
      async (query) => {
        const marker = `serial/host/${String(last - DEVICES / 2)}`;
        for (const caller of [large, service.app.root])
          await expectReadsBelow(MAX_PAGE_ROWS, caller, `/v1/variables?limit=20&marker=${marker}${query}`);
      },
    );

    it.each([...ofTurn(0), ['any key of an object', 'asset.*:7', 10] as const])(
      'for a small project next to a large one, by %s',
      async (_, text) => {
        await expectPage(small, vars(text), 8 * SMALL);
      },
    );
  },
);

describeOnOneServer('it counts the rows that one server reads')(
  'a filter by name prefix, where hosts with the same prefix were created together',
  () => {
    interface Named {
      readonly id: number;
      readonly name: string;
      readonly labelled: boolean;
    }
    /** All hosts of the large project, in the order of their ids. */
    let hosts: Named[];
    beforeAll(async () => {
      const { rows } = await service.client.query<Named>(
        `SELECT d.id::integer, d.name, EXISTS (
         SELECT FROM device_labels a JOIN labels l ON l.id = a.label_id WHERE a.device_id = d.id AND l.label = 'label-7'
       ) AS labelled FROM devices d WHERE d.project_id = $1 ORDER BY d.id`,
        [large.projectId],
      );
      hosts = rows;
    });

    const prefixes = ['late', 'late-host-19', 'host', 'host-1', 'h', 'none', 'a', 'z'];
    const orders = ['', 'sort_dir=desc', 'sort_keys=name', 'sort_keys=name&sort_dir=desc'];
    // Each prefix by id and by name, in one direction and the other by turns.
    const cases = prefixes.flatMap((prefix, i) =>
      orders.filter((_, j) => (i + j + (j >> 1)) % 2 === 0).map((order) => [prefix, order] as const),
    );

    it.each(cases)(
      'by %s, in the order %j, reads about a page and returns the matching hosts',
      async (prefix, order) => {
        const query = `name_prefix=${prefix}&${order}`;
        await expectPage(large, query);
        const expected = hosts.filter(({ name }) => name.startsWith(prefix));
        if (order.includes('name')) expected.sort((a, b) => byCodePoint(a.name, b.name));
        if (order.includes('desc')) expected.reverse();
        const find = async (more: string) =>
          (await large.get(`/v1/hosts?fields=id,name&limit=100&${query}${more}`).expect(200))
            .body as Resource[];
        const first = (found: readonly Named[]) => found.slice(0, 100).map(({ id, name }) => ({ id, name }));
        expect(await find('')).toEqual(first(expected));
        expect(await find('&label=label-7')).toEqual(first(expected.filter(({ labelled }) => labelled)));
      },
    );

    it.each(orders)('by one full name, in the order %j, returns that host', async (order) => {
      const [{ id, name }] = hosts.slice(-1) as [Named];
      const query = `name_prefix=${name}&${order}`;
      await expectPage(large, query);
      const { body } = await large.get(`/v1/hosts?fields=id,name&limit=100&${query}`).expect(200);
      expect(body).toEqual([{ id, name }]);
    });
  },
);

describeOnOneServer('it counts the rows that one server reads')(
  'of a project that is newer than the statistics',
  () => {
    const HOSTS = 500;
    /** For each host, its labels are searched among the 50 of the project. It is not read again for each other host. */
    const MAX_ROWS = 250 * HOSTS;
    let admin: Caller;
    beforeAll(async () => {
      const { app, client } = service;
      for (const table of ['devices', 'device_labels', 'labels', 'regions', 'cells'])
        await client.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
      admin = await app.project();
      await service.fill(INSERT_DEVICES, [admin.projectId, HOSTS]);
      await service.fill(
        `INSERT INTO device_labels (project_id, device_id, label_id)
        SELECT d.project_id, d.id, l.id FROM devices d JOIN labels l USING (project_id)
        WHERE d.project_id = $1 AND l.label IN ('label-1', 'label-2') ON CONFLICT DO NOTHING`,
        [admin.projectId],
      );
    });

    const labels = 'label=label-1&label=label-2';
    const region = `vars=${encodeURIComponent('site:"everywhere"')}`;
    const expectReads = (work: () => Promise<unknown>): Promise<void> =>
      service.expectReads(/^\s*(SELECT|WITH|DECLARE)\b[^]*\bdevices\b/, MAX_ROWS, work);

    it.each([labels, 'label=label-1&descendants=true', region])(
      'each host is read once for lists, exports and inventories with the filter %s',
      async (filter) => {
        for (const path of [
          `hosts?limit=${String(HOSTS)}&sort_keys=name&`,
          'export?kind=host&',
          'ansible-inventory?',
          'prometheus-sd?',
        ])
          await expectReads(() => admin.get(`/v1/${path}${filter}`).expect(200));
      },
    );

    it.each([labels, region])(
      'each host is read once to set its variables with the filter %s',
      async (filter) => {
        await expectReads(async () => {
          const { body } = await admin
            .put(`/v1/hosts/variables?${filter}`, { variables: { fresh: filter } })
            .expect(200);
          expect(body).toMatchObject({ matched: HOSTS, updated: HOSTS });
        });
      },
    );

    it('each host is read once for an audit', async () => {
      const body = { name: 'everywhere', vars: 'site:"everywhere"', expectation: { vars: 'ntp:"none"' } };
      const { id } = (await admin.post('/v1/audits', body).expect(201)).body as Resource;
      await expectReads(async () => {
        const run = await admin.post(`/v1/audits/${String(id)}/run?limit=100`, {}).expect(200);
        expect(run.body).toMatchObject({ devices: HOSTS, passed: 0 });
      });
    });
  },
);
