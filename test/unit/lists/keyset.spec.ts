import {
  constantLimit,
  keyColumns,
  keysOfColumns,
  orderBy,
  orderByKeys,
  rowsAfter,
} from '../../../src/lists/keyset';
import { inlined, orders } from './a-list';

const backwards = { ...orders.size, descending: true };

describe('the rows after a marker', () => {
  it.each([
    ['one comparison of ids', orders.id, ['7'], ['(t.id) > ("7"::bigint)']],
    ['one comparison backwards', orders['id, backwards'], ['7'], ['(t.id) < ("7"::bigint)']],
    ['one comparison of rows', orders.name, ['a', '7'], ['(t.name, t.id) > ("a"::text,"7"::bigint)']],
    [
      'three runs of a nullable key, with the nulls last',
      orders.size,
      ['4', '7'],
      ['t.size = "4"::integer AND t.id > "7"::bigint', 't.size > "4"::integer', 't.size IS NULL'],
    ],
    ['one run after null', orders.size, [null, '7'], ['t.size IS NULL AND t.id > "7"::bigint']],
    [
      'two runs backwards, with the nulls first',
      backwards,
      ['4', '7'],
      ['t.size = "4"::integer AND t.id < "7"::bigint', 't.size < "4"::integer'],
    ],
    [
      'two runs backwards after null',
      backwards,
      [null, '7'],
      ['t.size IS NULL AND t.id < "7"::bigint', 't.size IS NOT NULL'],
    ],
  ])('are %s', (_, order, marker, expected) => {
    expect(rowsAfter(order, marker).map(inlined)).toEqual(expected);
  });
});

describe('the keys of a row', () => {
  it('are columns that can be read back', () => {
    expect(inlined(keyColumns(orders.size, 'text'))).toBe('t.size::text AS k0, t.id::text AS k1');
    expect(inlined(keyColumns(orders.size, 'value'))).toBe('t.size AS k0, t.id AS k1');
    expect(keysOfColumns(orders.size, { k0: null, k1: '7' })).toEqual([null, '7']);
  });

  it('are texts of times whatever the time zone is', () => {
    const keys = [{ column: 't.at', type: 'timestamptz', nullable: false } as const];
    expect(inlined(keyColumns({ keys, descending: false }, 'text'))).toBe(
      `to_char(t.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') || 'Z' AS k0`,
    );
  });

  it('give the order of a table and of a subquery', () => {
    expect(inlined(orderBy(backwards))).toBe('ORDER BY t.size DESC, t.id DESC');
    expect(inlined(orderByKeys(orders.size, 'u'))).toBe('ORDER BY u.k0, u.k1');
  });
});

describe('the constant limit', () => {
  it.each([
    [1, 1],
    [2, 2],
    [31, 32],
    [1001, 1024],
  ])('of %d is %d', (limit, power) => {
    expect(inlined(constantLimit(limit))).toBe(`LIMIT ${String(power)}`);
  });
});
