import { sharedService } from '../support/service';
import type { Caller } from '../support/caller';
import { exportLines } from '../support/export-reader';
import { asLines, importLines, sendImport } from '../support/importing';

const app = sharedService();
let admin: Caller;

const rejected = async (caller: Caller, line: object, status: number): Promise<string> =>
  ((await sendImport(caller, asLines([line])).expect(status)).body as { message: string }).message;

const own = async (kind: string): Promise<unknown> =>
  (await exportLines(admin, `?kind=${kind}`))[0]?.['variables'];

beforeEach(async () => {
  admin = await app.project();
  await importLines(admin, [
    { kind: 'label', label: 'web', variables: { a: 1, b: 2 } },
    { kind: 'region', name: 'r1', variables: { a: 1, b: 2 } },
    { kind: 'cell', region: 'r1', name: 'c1', variables: { a: 1, b: 2 } },
    {
      ...{ kind: 'host', name: 'h1', region: 'r1', cell: 'c1', ip_address: '10.0.0.1' },
      ...{ device_type: 'server', labels: ['web'], variables: { a: 1, b: 2 } },
    },
  ]);
});

describe('unset_variables of an imported line', () => {
  it('removes variables of each kind, and sets others in the same change', async () => {
    const resources = [
      { kind: 'label', label: 'web' },
      { kind: 'region', name: 'r1' },
      { kind: 'cell', region: 'r1', name: 'c1' },
      { kind: 'host', name: 'h1' },
    ];
    const ownOfAll = async () => {
      const found: unknown[] = [];
      for (const { kind } of resources) found.push(await own(kind));
      return found;
    };
    const lines = resources.map((names) => ({
      ...names,
      ...{ variables: { b: 3 }, unset_variables: ['a', 'missing'] },
    }));
    expect(await importLines(admin, lines)).toMatchObject({ updated: 4 });
    expect(await ownOfAll()).toEqual(resources.map(() => ({ b: 3 })));
    expect(await importLines(admin, lines)).toMatchObject({ updated: 0, unchanged: 4 });
    const unset = resources.map((names) => ({ ...names, unset_variables: ['b'] }));
    expect(await importLines(admin, unset)).toMatchObject({ updated: 4 });
    expect(await ownOfAll()).toEqual(resources.map(() => ({})));
  });

  it('moves a variable to another level without an effect on devices', async () => {
    const moved = [
      { kind: 'host', name: 'h1', unset_variables: ['a'] },
      { kind: 'label', label: 'web', unset_variables: ['a'] },
    ];
    const { body } = await sendImport(admin, asLines(moved), '?dry_run=true').expect(200);
    expect(body).toMatchObject({ updated: 2, impact: { devices: 0 } });
    expect(await own('host')).toEqual({ a: 1, b: 2 });
  });

  it('does nothing to a new resource', async () => {
    const line = { kind: 'region', name: 'r2', variables: { a: 1 }, unset_variables: ['b'] };
    expect(await importLines(admin, [line])).toMatchObject({ created: 1 });
    expect((await exportLines(admin, '?kind=region'))[1]).toMatchObject({ variables: { a: 1 } });
  });

  it('is an array of keys that are not among the variables, and no member of clouds, which have none', async () => {
    const invalid = [
      ['a', 'unset_variables: must be an array of keys'],
      [[1], 'unset_variables: must be an array of keys'],
      [null, 'unset_variables: must be an array of keys'],
      [['a b'], 'unset_variables: "a b" is not a valid key'],
      [['b', 'a'], 'unset_variables: a is also a member of variables'],
    ] as const;
    const lines = [
      ...invalid.map(([keys], i) => ({
        ...{ kind: 'region', name: `r${String(i)}` },
        ...{ variables: { a: 2 }, unset_variables: keys },
      })),
      { kind: 'cloud', name: 'k', unset_variables: ['a'] },
    ];
    const { body } = await sendImport(admin, asLines(lines)).expect(400);
    const messages = [...invalid.map(([, message]) => message), 'unset_variables: is not a member'];
    expect(body.errors).toMatchObject(
      messages.map((message, i) => ({
        line: i + 1,
        message: expect.stringContaining(message) as string,
      })),
    );
  });

  it('needs the roles that writing the variables needs', async () => {
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['b'] }).expect(200);
    const line = (key: string) => ({ kind: 'host', name: 'h1', unset_variables: [key] });
    const forA = await admin.user({ roles: ['a'] });
    expect(await rejected(forA, { ...line('a'), note: 'n' }, 403)).toContain('hosts:write');
    expect(await rejected(forA, line('b'), 403)).toContain('"b"');
    const writer = await admin.user({ roles: ['hosts:write'] });
    expect(await rejected(writer, line('b'), 403)).toContain('it is private');
    expect(await importLines(forA, [line('a')])).toMatchObject({ updated: 1 });
    expect(await own('host')).toEqual({ b: 2 });
  });
});
