import { guessTableTargets, tableMembers } from '../src/pages/import/table-members';

describe('the columns of a table', () => {
  it('become members of hosts if it does not say the kind', () => {
    expect(tableMembers(['name'])).toEqual(expect.arrayContaining(['kind', 'name', 'region', 'ip_address']));
    expect(tableMembers(['name'])).not.toContain('os_version');
    expect(guessTableTargets(['hostname', 'os_version', 'rack'], [])).toEqual([
      'name',
      'variables.os_version',
      'cell',
    ]);
  });

  it('become members of any kind if it says the kind', () => {
    expect(tableMembers(['name', 'kind'])).toContain('os_version');
    expect(guessTableTargets(['Kind', 'name', 'OS version'], ['os_version'])).toEqual([
      'kind',
      'name',
      'os_version',
    ]);
  });
});
