import { GroupCounts } from '../../src/impact/group-counts';

/** As many groups are counted. */
const MAX_COUNTED = 10_000;

const change = (key: number, value = '1') => ({
  key: JSON.stringify(String(key)),
  before: undefined,
  after: value,
});
const overriding = { region: undefined, devices: 0, overriding: 1 };
const resultOf = (counts: GroupCounts): unknown => JSON.parse(`{${counts.members.join(',')}}`);

describe('the groups of an impact', () => {
  it.each([
    ['their number', MAX_COUNTED, '1'],
    ['the length of their values', 3, JSON.stringify('x'.repeat(5 * 1024 * 1024))],
  ])('do not compete with changes that no device gets for %s', (_, number, value) => {
    const counts = new GroupCounts();
    for (let key = 0; key < number; key++) counts.add(change(key, value), overriding);
    counts.add(change(number, value), { region: 1 });
    expect(resultOf(counts)).toMatchObject({
      groups: [{ key: String(number), devices: 1, overriding: 0 }],
      groups_total: 1,
    });
  });

  it('have the devices that override the value, whether these are counted first or last', () => {
    const counts = new GroupCounts();
    counts.add(change(1), overriding);
    counts.add(change(1), overriding);
    expect(resultOf(counts)).toEqual({ groups: [], groups_total: 0 });
    counts.add(change(1), { region: 7, overriding: 3 });
    counts.add(change(1), overriding);
    expect(resultOf(counts)).toMatchObject({
      groups: [{ devices: 1, overriding: 6, regions: [{ id: 7, devices: 1 }] }],
      groups_total: 1,
    });
  });
});
