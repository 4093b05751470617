import { importRightsText } from '../src/pages/import/import-rights-text';

const user = (...roles: string[]) => ({ is_admin: false, is_root: false, roles });

describe('what a user may not import', () => {
  it.each([
    [{ ...user(), is_admin: true }, undefined],
    [user('*:write'), undefined],
    [
      user('clouds:write', 'regions:write', 'cells:write', 'labels:write', 'network-devices:write'),
      'You do not have the role hosts:write. A file with hosts can only be proposed.',
    ],
    [
      user('clouds:write', 'labels:write', 'network-devices:write', 'hosts:write', 'ntp_*', 'dns'),
      'You do not have the roles regions:write and cells:write. A file with regions or cells can only be proposed, unless it only sets ntp_* or dns.',
    ],
  ])('is named before a file is chosen: %j', (caller, text) => {
    expect(importRightsText(caller)).toBe(text);
  });
});
