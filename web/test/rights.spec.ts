import { firstMissingRight, missingRight } from '../src/api/rights';
import { rightsToRevert } from '../src/components/rights-to-revert';

const user = (...roles: string[]) => ({ is_admin: false, is_root: false, roles });

describe('the right to write', () => {
  it.each([
    ['admins', { ...user(), is_admin: true }, { collection: 'users' }],
    ['root', { ...user(), is_root: true }, { collection: 'projects' }],
    ['the role of all collections', user('*:write'), { collection: 'hosts' }],
    ['the role of the collection', user('hosts:write'), { collection: 'hosts', keys: ['a'] }],
    ['the role of the variable', user('ntp_servers'), { collection: 'hosts', keys: ['ntp_servers'] }],
    ['the role of a prefix', user('ntp_*', 'dns'), { collection: 'regions', keys: ['ntp_a', 'dns'] }],
    ['any role of a variable while the key is not known', user('dns'), { collection: 'hosts', keys: [] }],
  ])('is given by %s', (_, caller, needed) => {
    expect(missingRight(caller, needed)).toBeUndefined();
  });

  it.each([
    ['no role', user(), { collection: 'hosts' }, ['hosts:write'], true],
    ['another collection', user('cells:write'), { collection: 'hosts' }, ['hosts:write'], true],
    ['only variables', user('dns'), { collection: 'hosts' }, ['hosts:write'], true],
    [
      'another variable',
      user('dns'),
      { collection: 'cells', keys: ['dns', 'ntp'] },
      ['cells:write', 'ntp'],
      true,
    ],
    ['no role while the key is not known', user(), { collection: 'hosts', keys: [] }, ['hosts:write'], true],
    ['what only admins write', user('*:write'), { collection: 'users' }, ['admin'], false],
    ['settings of the project', user('*:write'), { collection: 'project-settings' }, ['admin'], true],
  ])('is missing with %s', (_, caller, needed, roles, canPropose) => {
    expect(missingRight(caller, needed)).toMatchObject({ roles, canPropose });
  });

  it('is explained in a sentence', () => {
    expect(missingRight(user(), { collection: 'regions', keys: ['ntp'] })?.message).toBe(
      'You need the role regions:write or ntp for this. You can propose it.',
    );
  });

  const members = (note: string, version: number) => ({ id: 1, name: 'north', note, version });
  const object = (kind: string, after: ReturnType<typeof members> | null, keys: readonly string[] = []) => ({
    ...{ kind, id: 1, name: 'north', action: after ? ('update' as const) : ('delete' as const) },
    ...{ before: members('old', 1), after },
    variables: Object.fromEntries(keys.map((key) => [key, { before: 1 }])),
  });

  it.each([
    ['variables', object('region', members('old', 2), ['ntp']), user('ntp'), undefined],
    ['members, too', object('region', members('new', 2), ['ntp']), user('ntp'), ['regions:write']],
    ['a deletion', object('network-device', null), user('hosts:write'), ['network-devices:write']],
    ['what only admins write', object('user', members('new', 2)), user('*:write'), ['admin']],
    ['settings of the project', object('project-settings', members('new', 2)), user('*:write'), ['admin']],
    ['no proposal that was applied', object('proposal', members('new', 2)), user(), undefined],
  ])('to revert is that of each write: %s', (_, touched, caller, roles) => {
    const needed = rightsToRevert([object('cell', members('old', 2), []), touched]);
    const all = { ...caller, roles: [...caller.roles, 'cells:write'] };
    expect(firstMissingRight(all, needed)?.roles).toEqual(roles);
  });
});
