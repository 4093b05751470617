import type { Response } from 'supertest';
import { aName, type Caller, type Resource } from '../support/caller';
import { lastChange, revert } from '../support/reverts';
import { sharedService } from '../support/service';

interface Result {
  readonly devices: number;
  readonly passed: number;
  readonly items: readonly { readonly name: string; readonly value?: unknown; readonly message: string }[];
}

const PATH = '/v1/audits';
const at = ({ id }: Resource, action = '') => `${PATH}/${String(id)}${action}`;

describe('conditions of audits', () => {
  const app = sharedService();
  let admin: Caller;
  beforeEach(async () => {
    admin = await app.project();
  });
  const create = (members: object, by = admin) => by.post(PATH, { name: aName('audit'), ...members });
  const audit = async (members: object) => (await create(members).expect(201)).body as Resource;
  const run = async (one: Resource, by = admin) =>
    (await by.post(at(one, '/run')).expect(200)).body as Result;
  const details = ({ body }: Response) =>
    (body as { details: { field: string; message: string }[] }).details.map(
      ({ field, message }) => `${field}: ${message}`,
    );

  it('are stored beside vars, changed, recorded and reverted', async () => {
    const where = ['rack exists', 'kernel >= "6.8"'];
    const one = await audit({ vars: 'a:1', where, expectation: { vars: 'b:1', where: ['c missing'] } });
    expect(one).toMatchObject({ where, keys: ['a', 'b', 'c', 'kernel', 'rack'] });
    expect((await admin.get(at(one)).expect(200)).body).toEqual(one);
    const changed = (await admin.put(at(one), { where: null }).expect(200)).body as Resource;
    expect(changed).toMatchObject({ where: null, vars: 'a:1', keys: ['a', 'b', 'c'] });
    await revert(admin, (await lastChange(admin)).id);
    expect((await admin.get(at(one)).expect(200)).body).toMatchObject({ where, keys: one['keys'] });
    await admin.delete(at(one)).expect(204);
    await revert(admin, (await lastChange(admin)).id);
    expect((await admin.get(at(one)).expect(200)).body).toMatchObject({ where, name: one.name });
  });

  it('are rejected with the reason', async () => {
    const cases: [object, string | RegExp][] = [
      [{ where: 'a exists' }, 'where: must be an array of strings'],
      [{ where: [] }, 'where: must have at least one condition'],
      [{ where: [1] }, 'where: must be a string'],
      [{ where: Array<string>(17).fill('a exists') }, 'where: at most 16 conditions are allowed'],
      [{ where: ['a exists', 'kernel=6.8-rc'] }, /^where: condition 2, at character \d+: .*kernel="6.8-rc"/],
      [{ where: [`a = "${'x'.repeat(10_000)}"`] }, 'where: must be at most 10000 characters'],
      [{ where: ['a = "\u0000"'] }, 'where: must not contain NUL or lone surrogates'],
      [{ expectation: { where: null } }, 'expectation: where: must be an array of strings'],
      [{ expectation: { where: ['a'] } }, /^expectation: where: at character \d+: expected =, /],
      [
        { expectation: { where: ['a exists'], key: 'a', schema: true } },
        'expectation: must have either vars, where or both, or key and schema; value is optional',
      ],
    ];
    for (const [members, message] of cases) {
      const [detail] = details(await create({ expectation: { vars: 'a:1' }, ...members }).expect(400));
      if (typeof message === 'string') expect(detail).toBe(message);
      else expect(detail).toMatch(message);
    }
  });

  it('select the devices that an audit checks, and what they must meet, by resolved values', async () => {
    const region = await admin.region({ variables: { kernel: '6.12', backup_server: 'b1' } });
    const fleet = [
      { name: 'new' },
      { name: 'old', kernel: '6.8.0-45' },
      { name: 'older', kernel: '6.5', backup_server: null },
      { name: 'numeric', kernel: 7 },
    ];
    for (const { name, ...variables } of fleet) await admin.host({ name, region_id: region.id, variables });
    await admin.host({ name: 'elsewhere', variables: { decommissioned: true } });
    const failures = async (members: object) => {
      const { devices, passed, items } = await run(await audit(members));
      expect(devices - passed).toBe(items.length);
      return [devices, ...items.map(({ name, message }) => `${name} ${message}`)];
    };
    expect(await failures({ expectation: { where: ['kernel >= "6.8"'] } })).toEqual([
      5,
      'older does not meet kernel >= "6.8"',
      'numeric does not meet kernel >= "6.8"',
      'elsewhere is not set',
    ]);
    const where = ['decommissioned missing', 'kernel ^= "6."'];
    expect(
      await failures({ where, expectation: { where: ['kernel > "6.5"', 'backup_server != null'] } }),
    ).toEqual([3, 'older does not meet kernel > "6.5"']);
    expect(
      await failures({ vars: 'kernel:7', where: ['kernel exists'], expectation: { where: ['kernel < 7'] } }),
    ).toEqual([1, 'numeric does not meet kernel < 7']);
    expect(
      await failures({ expectation: { where: ['decommissioned missing'], vars: 'backup_server:"b1"' } }),
    ).toEqual([5, 'older does not meet backup_server = "b1"', 'elsewhere is not set']);
    expect(
      await failures({ where: ['kernel missing'], expectation: { where: ['decommissioned missing'] } }),
    ).toEqual([1, 'elsewhere does not meet decommissioned missing']);
  });

  it('decide whether a value can be set, and give it if only one can', async () => {
    const host = await admin.host();
    const level = { kind: 'host', id: host.id };
    const remediate = async (expectation: object, value?: unknown) =>
      admin.post(at(await audit({ expectation }), '/remediate'), {
        level,
        ...(value === undefined ? {} : { value }),
      });
    const isSet = { variables: { kernel: '6.12' } };
    expect((await remediate({ where: ['kernel = "6.12"'] })).body).toEqual(isSet);
    expect((await remediate({ where: ['kernel > "6.8"'], value: '6.12' })).body).toEqual(isSet);
    expect(
      (await remediate({ where: ['kernel > "6.8"', 'kernel in ["6.9", "6.12"]'] }, '6.12')).body,
    ).toEqual(isSet);
    for (const refused of ['kernel > "6.8"', 'kernel in ["6.9"]', 'kernel missing'])
      expect(details(await remediate({ where: [refused] }))).toEqual([
        expect.stringMatching(/^value: is required/),
      ]);
    for (const refused of ['kernel > "6.8"', 'kernel missing', 'kernel != "6.7"']) {
      const message = `does not meet ${refused} (expectation of the audit)`;
      expect(details(await remediate({ where: [refused] }, '6.7'))).toEqual([`value: ${message}`]);
      expect(details(await create({ expectation: { where: [refused], value: '6.7' } }).expect(400))).toEqual([
        `expectation: value: ${message}`,
      ]);
    }
    expect(details(await remediate({ where: ['a = 1', 'b = 1'] }, 1))).toEqual([
      expect.stringContaining('the audit covers several variables'),
    ]);
  });

  it('on private variables hide the audit', async () => {
    await admin.put(`/v1/projects/${admin.projectId}/settings`, { private: ['db_*'] }).expect(200);
    const expectation = { where: ['open exists'] };
    const user = await admin.user({ roles: ['audits:write'] });
    const hidden = [
      { where: ['db_name missing'], expectation },
      { expectation: { where: ['db_name exists'] } },
    ];
    for (const members of hidden) {
      await user.get(at(await audit(members))).expect(404);
      await create(members, user).expect(403);
    }
    const one = (await create({ expectation }, user).expect(201)).body as Resource;
    for (const members of hidden) await user.put(at(one), members).expect(403);
    expect(((await user.get(PATH).expect(200)).body as Resource[]).map(({ id }) => id)).toEqual([one.id]);
  });
});
