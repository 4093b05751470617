import { DatabaseError } from 'pg';
import {
  isDatabaseUnavailable,
  isUnsupportedWhenDistributed,
} from '../../src/database/errors/postgres-error';

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

describe('isUnsupportedWhenDistributed', () => {
  const notSupported = (message: string) =>
    Object.assign(new DatabaseError(message, 9, 'error'), { code: '0A000' });

  it('does not include prepared statements whose table was altered', () => {
    expect(isUnsupportedWhenDistributed(notSupported('cannot push down this subquery'))).toBe(true);
    expect(isUnsupportedWhenDistributed(notSupported('cached plan must not change result type'))).toBe(false);
  });
});
