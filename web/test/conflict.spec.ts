import { membersSide, situationOf, type Side } from '../src/components/conflict';

describe('what another user has done meanwhile', () => {
  const request = { method: 'PUT', path: '/v1/hosts/1' } as const;
  const value = (one: unknown): Side => ({ value: one });
  it.each<[string, Side, Side, Side | 'unread']>([
    ['changed', value(1), value(2), value(3)],
    ['changed', value(1), value(2), undefined],
    ['changed', value(1), value(2), 'unread'],
    ['changed', membersSide({ note: 'a' }), membersSide({ note: 'b' }), membersSide({ note: 'c' })],
    ['set', undefined, value(2), value(3)],
    ['same', undefined, value({ a: 1, b: [2] }), value({ b: [2], a: 1 })],
    ['same', value(1), value(2), value(2)],
    ['same', value(1), undefined, undefined],
    ['changed', value(1), value([1, 2]), value([2, 1])],
    [
      'same',
      membersSide({ note: 'a', labels: '' }),
      membersSide({ note: 'b', labels: 'web' }),
      membersSide({ labels: 'web', note: 'b' }),
    ],
    ['untouched', membersSide({ note: 'a' }), membersSide({ note: 'b' }), membersSide({ note: 'a' })],
    ['changed', value(null), value(2), undefined],
  ])('is: %s', (situation, base, mine, theirs) => {
    expect(situationOf(base, mine, theirs === 'unread' ? undefined : { theirs, request })).toBe(situation);
  });
});
