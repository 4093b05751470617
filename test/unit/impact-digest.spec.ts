import { Visibility } from '../../src/core/context/variable-keys';
import { effectDifference, storedEffects } from '../../src/proposals/effect-difference';
import { type Effects, impactDigest, visibleEffects } from '../../src/proposals/impact-digest';

const SECRET = Buffer.alloc(32, 1);

const effects = (groups: readonly [string, string | undefined, string | undefined, number[]][]): Effects => ({
  groups: groups.map(([key, before, after, devices]) => ({
    key: JSON.stringify(key),
    before,
    after,
    devices,
  })),
  resources: [
    { kind: 'region', id: 1, name: 'n', field: 'variables.a', key: 'a', before: '1', after: '2' },
    { kind: 'region', id: 1, name: 'n', field: 'name', before: '"n"', after: '"m"' },
  ],
});
const some = effects([
  ['a', '1', '2', [1, 2, 3]],
  ['b', undefined, 'null', [2]],
]);

describe('the digest of effects', () => {
  const digest = impactDigest(SECRET, some);

  it('does not depend on the order of groups and resources', () => {
    const reversed = { groups: some.groups.toReversed(), resources: some.resources.toReversed() };
    expect(impactDigest(SECRET, reversed)).toBe(digest);
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each<[string, Effects]>([
    [
      'a device',
      effects([
        ['a', '1', '2', [1, 2]],
        ['b', undefined, 'null', [2]],
      ]),
    ],
    [
      'a value',
      effects([
        ['a', '1', '3', [1, 2, 3]],
        ['b', undefined, 'null', [2]],
      ]),
    ],
    [
      'null and an absent value',
      effects([
        ['a', '1', '2', [1, 2, 3]],
        ['b', undefined, undefined, [2]],
      ]),
    ],
    ['a resource', { ...some, resources: some.resources.slice(1) }],
  ])('depends on %s', (_, other) => {
    expect(impactDigest(SECRET, other)).not.toBe(digest);
  });

  it('depends on the secret', () => {
    expect(impactDigest(Buffer.alloc(32, 2), some)).not.toBe(digest);
  });

  it('of what somebody sees does not depend on hidden variables', () => {
    const visibility = new Visibility(['b'], []);
    const other = effects([
      ['a', '1', '2', [1, 2, 3]],
      ['b', '7', '8', [1, 2, 3]],
    ]);
    const [one, another] = [some, other].map((all) => impactDigest(SECRET, visibleEffects(all, visibility)));
    expect(one).toBe(another);
    expect(one).not.toBe(digest);
  });
});

describe('the difference of effects', () => {
  it('counts devices that came, went, and have another effect', () => {
    const now = effects([
      ['a', '1', '2', [2, 3, 4]],
      ['b', undefined, '1', [2]],
    ]);
    const { came, went, other, devices, resources } = effectDifference(some, now);
    expect({ came, went, other }).toEqual({ came: 1, went: 1, other: 1 });
    expect(devices.map(({ id, approved, now: present }) => [id, approved.length, present.length])).toEqual([
      [1, 1, 0],
      [2, 2, 2],
      [4, 0, 1],
    ]);
    expect(resources).toEqual([]);
  });

  it('is nothing for the same effects, as they are stored', () => {
    const stored = JSON.parse(storedEffects(some) ?? '') as Effects;
    expect(effectDifference(stored, some)).toEqual({
      came: 0,
      went: 0,
      other: 0,
      devices: [],
      resources: [],
    });
  });
});
