import { countOfChanges, doBatch, hostBody, sendBatch, type Operation } from '../support/batches';
import { aName, type Caller, type Resource } from '../support/caller';
import { sharedService } from '../support/service';

describe('POST /v1/batch', () => {
  const app = sharedService();
  let admin: Caller;
  let region: Resource;
  beforeEach(async () => {
    admin = await app.project();
    region = await admin.region({ name: 'north' });
  });
  const regionPath = (suffix = '') => `/v1/regions/${String(region.id)}${suffix}`;

  it('names the value that is in use', async () => {
    await admin.cell({ name: 'a, b', region_id: region.id });
    const cell = { name: 'a, b', region_id: region.id };
    const { body } = await sendBatch(admin, [{ method: 'POST', path: '/v1/cells', body: cell }]).expect(409);
    expect(body).toMatchObject({
      message: 'operations[0]: The name a, b is already in use.',
      details: [{ field: 'operations[0].name', code: 'duplicate', message: 'a, b is already in use' }],
    });
  });

  describe('undoes everything if an operation fails', () => {
    const first: Operation = { method: 'POST', path: '/v1/clouds', body: { name: 'west' } };

    it.each<[string, () => Operation]>([
      ['a malformed body', () => ({ method: 'POST', path: '/v1/regions', body: { name: 7, x: 1 } })],
      ['no body', () => ({ method: 'POST', path: '/v1/regions' })],
      ['a malformed id', () => ({ method: 'DELETE', path: '/v1/regions/x' })],
      ['an unknown id', () => ({ method: 'PUT', path: '/v1/regions/987654321', body: { name: 'x' } })],
      [
        'an unknown uuid',
        () => ({ method: 'DELETE', path: '/v1/hosts/0a0a0a0a-0000-4000-8000-000000000000' }),
      ],
      ['an unknown path', () => ({ method: 'POST', path: '/v1/none', body: {} })],
      ['another method', () => ({ method: 'PUT', path: '/v1/regions', body: {} })],
      ['an unknown parameter', () => ({ method: 'DELETE', path: regionPath('?force=true') })],
      [
        'a wrong version',
        () => ({ method: 'PUT', path: regionPath(), body: { name: 'x' }, if_match: '"7"' }),
      ],
      ['a malformed If-Match', () => ({ method: 'DELETE', path: regionPath(), if_match: '7' })],
      [
        'an unsupported precondition',
        () => ({ method: 'PUT', path: regionPath(), body: { name: 'x' }, if_none_match: '*' }),
      ],
      ['a body of a deletion', () => ({ method: 'DELETE', path: regionPath(), body: {} })],
      ['a name in use', () => ({ method: 'POST', path: '/v1/regions', body: { name: 'north' } })],
      [
        'an unknown region',
        () => ({ method: 'POST', path: '/v1/hosts', body: hostBody({ region_id: 987654321 }) }),
      ],
      ['a used region', () => ({ method: 'DELETE', path: regionPath() })],
      [
        'a violated definition',
        () => ({ method: 'PUT', path: regionPath('/variables'), body: { port: 'none' } }),
      ],
    ])('%s: with the error of the operation alone, which names it', async (_, make) => {
      await admin.cell({ region_id: region.id });
      await admin.definition({ key: 'port', schema: { type: 'integer' } });
      const { method, path, body, if_match, if_none_match } = make();
      const headers: Record<string, string> = {
        ...(if_match === undefined ? {} : { 'If-Match': if_match }),
        ...(if_none_match === undefined ? {} : { 'If-None-Match': if_none_match }),
      };
      const before = await countOfChanges(admin);
      const verb = method.toLowerCase() as 'post' | 'put' | 'delete';
      const alone = await admin.send(verb, path, body, headers);
      expect(alone.status).toBeGreaterThanOrEqual(400);
      const { status, body: error } = await sendBatch(admin, [first, make(), first]);
      const details = (alone.body.details as { field: string }[]).map((detail) => ({
        ...detail,
        field: detail.field === 'body' ? 'operations[1]' : `operations[1].${detail.field}`,
      }));
      expect({ status, ...error, request_id: '' }).toEqual({
        status: alone.status,
        ...alone.body,
        message: `operations[1]: ${String(alone.body.message)}`,
        details,
        request_id: '',
      });
      expect((await admin.get('/v1/clouds').expect(200)).body).toEqual([]);
      expect(await countOfChanges(admin)).toBe(before);
    });
  });

  describe('reports all operations that fail', () => {
    const errorsOf = ({ body }: { body: unknown }) => {
      const { code, details } = body as { code: string; details: { field: string; code: string }[] };
      return [code, ...details.map(({ field, code: why }) => `${field}: ${why}`)];
    };

    it('if their requests are wrong, and does nothing', async () => {
      const invalid = [
        { method: 'POST', path: '/v1/clouds', body: { name: 'west' } },
        { method: 'PUT', path: regionPath(), body: { name: 7 } },
        { id: 'c', method: 'POST', path: '/v1/cells', body: { name: 'a' } },
        { method: 'PUT', path: '/v1/cells/{c.id}', body: { note: 'is not reported' } },
        { method: 'DELETE', path: '/v1/hosts/0a0a0a0a-0000-4000-8000-000000000000' },
      ] as const;
      const expected = [
        'invalid_request',
        'operations[1].name: invalid_type',
        'operations[2].region_id: required',
        'operations[4].id: not_found',
      ];
      expect(errorsOf(await sendBatch(admin, invalid, '?dry_run=true').expect(400))).toEqual(expected);
      const real = await sendBatch(admin, invalid).expect(400);
      expect(errorsOf(real)).toEqual(expected);
      expect(real.body).toMatchObject({
        message: expect.stringMatching(
          /^operations\[1\]: .*; operations\[2\]: .*; operations\[4\]: There is no /,
        ),
      });
      expect((await admin.get('/v1/clouds').expect(200)).body).toEqual([]);
    });

    it('in a dry run, those that fail when they are written, too', async () => {
      await admin.definition({ key: 'port', schema: { type: 'integer' } });
      const south = await admin.region({ name: 'south' });
      await admin.cell({ name: 'used', region_id: south.id });
      const operations = [
        { id: 'c', method: 'POST', path: '/v1/cells', body: { name: 'used', region_id: south.id } },
        { method: 'PUT', path: regionPath('/variables/port'), body: { value: 'none' } },
        { method: 'PUT', path: '/v1/cells/{c.id}', body: { note: 'is not reported' } },
        { method: 'POST', path: '/v1/clouds', body: { name: 7 } },
        { method: 'PUT', path: regionPath(), body: { name: 'south' } },
        { method: 'PUT', path: `/v1/regions/${String(south.id)}`, body: { note: 'x' }, if_match: '"7"' },
        { method: 'PUT', path: regionPath('/variables/port'), body: { value: [] } },
      ] as const;
      const before = await countOfChanges(admin);
      expect(errorsOf(await sendBatch(admin, operations, '?dry_run=true').expect(409))).toEqual([
        'conflict',
        'operations[0].name: duplicate',
        'operations[1].variables.port: schema_violation',
        'operations[3].name: invalid_type',
        // Neither a name nor a version: the region that failed could have raised it, or freed the name.
        'operations[6].variables.port: schema_violation',
      ]);
      expect(await countOfChanges(admin)).toBe(before);
      expect(errorsOf(await sendBatch(admin, operations.slice(0, 3)).expect(409))).toEqual([
        'conflict',
        'operations[0].name: duplicate',
      ]);
    });

    it('in a dry run, names and resources in use after creations that failed', async () => {
      await admin.cell({ name: 'used', region_id: region.id });
      const cell = {
        method: 'POST',
        path: '/v1/cells',
        body: { name: 'used', region_id: region.id },
      } as const;
      const operations = [
        cell,
        { method: 'POST', path: '/v1/clouds', body: { name: 'west' } },
        { method: 'POST', path: '/v1/clouds', body: { name: 'west' } },
        { method: 'DELETE', path: regionPath() },
        // Not this one: the region could have been deleted.
        cell,
      ] as const;
      expect(errorsOf(await sendBatch(admin, operations, '?dry_run=true').expect(409))).toEqual([
        'conflict',
        'operations[0].name: duplicate',
        'operations[2].name: duplicate',
        'operations[3].id: in_use',
      ]);
    });

    it.each<[string, (region: Resource) => Operation]>([
      ['the use of the region', ({ id }) => ({ method: 'DELETE', path: `/v1/regions/${String(id)}` })],
      [
        'the name of the cell',
        ({ id }) => ({ method: 'POST', path: '/v1/cells', body: { name: 'a', region_id: id } }),
      ],
    ])('but not %s from which another one, that failed, would have taken a cell', async (_, make) => {
      const taker = await admin.region();
      const then = make(region);
      const cell = await admin.cell({ name: 'a', region_id: region.id });
      const take = {
        method: 'PUT',
        path: `/v1/regions/${String(taker.id)}`,
        body: { cells: [cell.id] },
      } as const;
      const preview = await sendBatch(admin, [{ ...take, if_match: '"7"' }, then], '?dry_run=true').expect(
        412,
      );
      expect(errorsOf(preview)).toEqual(['version_mismatch', 'operations[0].If-Match: version_mismatch']);
      await doBatch(admin, [take, then]);
    });

    it('but not those that are only consequences of others', async () => {
      const host = await admin.host({ name: 'old', region_id: region.id });
      await admin.host({ name: 'taken', region_id: region.id });
      await admin.host({ name: 'child', region_id: region.id, parent_id: host.id });
      const hostPath = `/v1/hosts/${String(host.id)}`;
      const preview = await sendBatch(
        admin,
        [
          { method: 'PUT', path: hostPath, body: { name: 'taken' } },
          { method: 'POST', path: '/v1/hosts', body: hostBody({ name: 'old', region_id: region.id }) },
          { method: 'PUT', path: hostPath, body: { note: 'x' }, if_match: '"2"' },
        ],
        '?dry_run=true',
      ).expect(409);
      expect(errorsOf(preview)).toEqual(['conflict', 'operations[0].name: duplicate']);
      const deleted = await sendBatch(
        admin,
        [
          { method: 'DELETE', path: hostPath },
          { method: 'POST', path: '/v1/hosts', body: hostBody({ name: 'old', region_id: region.id }) },
          { method: 'POST', path: '/v1/hosts', body: hostBody({ name: 'taken', region_id: region.id }) },
        ],
        '?dry_run=true',
      ).expect(409);
      expect(errorsOf(deleted)).toEqual(['conflict', 'operations[0].id: in_use']);
    });

    it('the first hundred of them, with the number of others', async () => {
      const operations = Array.from({ length: 150 }, (_, i) => ({
        method: 'PUT' as const,
        path: regionPath(`/variables/k${String(i)}`),
        body: { value: i },
        if_match: '"c0"',
      }));
      const { body } = await sendBatch(admin, operations, '?dry_run=true').expect(412);
      expect((body as { message: string }).message).toMatch(
        /^operations\[0\]: The variable k0 is not set\.$/,
      );
      const { body: others } = await sendBatch(
        admin,
        operations.map((one) => ({
          ...one,
          path: '/v1/clouds',
          method: 'POST' as const,
          body: { name: 'north' },
        })),
        '?dry_run=true',
      ).expect(400);
      expect((others as { message: string }).message).toMatch(/; and 50 more$/);
    });
  });

  describe('the request', () => {
    const create = (id: string, more: object = {}): Operation => ({
      id,
      method: 'POST',
      path: '/v1/clouds',
      body: { name: aName('c') },
      ...more,
    });

    it.each<[string, unknown, string[]]>([
      ['no operations', {}, ['operations']],
      ['an empty array', { operations: [] }, ['operations']],
      ['too many', { operations: Array.from({ length: 1_001 }, () => create('a')) }, ['operations']],
      ['another member', { operations: [create('a')], x: 1 }, ['x']],
      ['an operation that is no object', { operations: [create('a'), 7] }, ['operations[1]']],
      [
        'missing and unknown members',
        { operations: [{ x: 1 }] },
        ['operations[0].method', 'operations[0].path', 'operations[0].x'],
      ],
      ['a read', { operations: [{ method: 'GET', path: '/v1/clouds' }] }, ['operations[0].method']],
      ['a path outside of the API', { operations: [{ method: 'POST', path: '/x' }] }, ['operations[0].path']],
      [
        'dry_run of one operation',
        { operations: [{ ...create('a'), path: '/v1/clouds?dry_run=true' }] },
        ['operations[0].path'],
      ],
      ['an id like a number', { operations: [create('1')] }, ['operations[0].id']],
      ['an id twice', { operations: [create('a'), create('a')] }, ['operations[1].id']],
      [
        'unknown and later ids',
        {
          operations: [
            create('a', { body: { name: { $ref: 'b.id' } } }),
            create('b', { path: '/v1/clouds/{c.id}' }),
          ],
        },
        ['operations[0].body', 'operations[1].path'],
      ],
      [
        'a reference to what creates several',
        {
          operations: [
            create('a', { body: [{ name: 'x' }, { name: 'y' }] }),
            { method: 'DELETE', path: '/v1/clouds/{a.id}' },
          ],
        },
        ['operations[0].id'],
      ],
      [
        'the id of another kind in a path',
        { operations: [create('a'), { method: 'PUT', path: '/v1/hosts/{a.id}', body: { note: 'x' } }] },
        ['operations[1].path'],
      ],
      [
        'the id of another kind in a member',
        {
          operations: [
            create('a'),
            { method: 'POST', path: '/v1/cells', body: { name: 'x', region_id: { $ref: 'a.id' } } },
          ],
        },
        ['operations[1].region_id'],
      ],
      [
        'a reference that is a part of a segment',
        { operations: [create('a'), { method: 'DELETE', path: '/v1/clouds/1{a.id}' }] },
        ['operations[1].path'],
      ],
    ])('%s: 400', async (_, body, fields) => {
      const { body: error } = await admin.post('/v1/batch', body).expect(400);
      expect((error.details as { field: string }[]).map(({ field }) => field)).toEqual(fields);
      expect((await admin.get('/v1/clouds').expect(200)).body).toEqual([]);
    });

    // The last one shows that all were checked. Doing them takes seconds.
    it('accepts 1,000 operations', async () => {
      const operations = Array.from({ length: 1_000 }, (_, i) => create(`c${String(i)}`));
      operations.splice(-1, 1, create('last', { body: { name: 7 } }));
      const { body } = await sendBatch(admin, operations).expect(400);
      expect(body).toMatchObject({ details: [{ field: 'operations[999].name', code: 'invalid_type' }] });
    });

    it('takes objects with other $ref values literally', async () => {
      const value = {
        items: { $ref: '#/$defs/port' },
        text: '{"$ref": "a.id"}',
        other: { $ref: 'a.id', b: 1 },
      };
      await doBatch(admin, [create('a'), { method: 'PUT', path: regionPath('/variables'), body: { value } }]);
      expect((await admin.get(regionPath('/variables')).expect(200)).body.variables.value).toEqual(value);
    });
  });
});
