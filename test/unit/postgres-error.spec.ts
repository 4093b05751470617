import { DatabaseError } from 'pg';
import { isDatabaseUnavailable, violatedColumns } from '../../src/database/errors/postgres-error';

describe('isDatabaseUnavailable', () => {
  const serverError = (code: string) => Object.assign(new DatabaseError('something', 9, 'error'), { code });

  it.each(['ECONNREFUSED', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL'])(
    'returns true for the connection error %s',
    (code) => {
      expect(isDatabaseUnavailable(Object.assign(new Error(`connect ${code}`), { code }))).toBe(true);
    },
  );

  it.each(['08006', '57P01', '57P03', '53300', '25006', '28000', '28P01', '3D000'])(
    'returns true for SQLSTATE %s',
    (code) => {
      expect(isDatabaseUnavailable(serverError(code))).toBe(true);
    },
  );

  it.each(['23505', '40001', '42501', '57014', 'XX000'])('returns false for SQLSTATE %s', (code) => {
    expect(isDatabaseUnavailable(serverError(code))).toBe(false);
  });
});

describe('violatedColumns', () => {
  it.each([
    'Key (project_id, "name")=(4a1c, a (b)) already exists.',
    'Schlüssel »(project_id, "name")=(4a1c, a (b))« existiert bereits.',
    'La clé « (project_id, "name")=(4a1c, a (b)) » existe déjà.',
  ])('reads the key from the detail in every language: %s', (detail) => {
    const error = Object.assign(new DatabaseError('duplicate', 9, 'error'), { code: '23505', detail });
    expect(violatedColumns(error)).toEqual([{ column: 'name', value: 'a (b)' }]);
  });

  it('reads a name with a comma and a line break', () => {
    const detail = 'Key (project_id, region_id, "name")=(4a1c, 3, a, b\nc) already exists.';
    const error = Object.assign(new DatabaseError('duplicate', 9, 'error'), { code: '23505', detail });
    expect(violatedColumns(error)).toEqual([
      { column: 'region_id', value: '3' },
      { column: 'name', value: 'a, b\nc' },
    ]);
  });
});
