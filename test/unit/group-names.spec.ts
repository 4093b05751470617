import fc from '../support/property-testing';
import {
  groupKey,
  assignGroupNames,
  type InventoryGroup,
  type InventoryGroupKind,
} from '../../src/integrations/ansible/inventory-groups';

const KINDS: readonly InventoryGroupKind[] = ['region', 'cell', 'label'];

/** Few letters, so that names collide, and names that equal the generated names of other groups. */
const name = fc.oneof(
  fc.stringMatching(/^[ab_\-1ä]{1,4}$/u),
  fc.constantFrom(
    'all',
    'ungrouped',
    '_meta',
    'a_region',
    'a_b_label',
    'a_region_1',
    'a_region_1_',
    'a_label_2',
  ),
);

const groups = fc
  .uniqueArray(
    fc.record({ kind: fc.constantFrom(...KINDS), id: fc.integer({ min: 1, max: 4 }), name, region: name }),
    {
      selector: ({ kind, id }) => groupKey(kind, id),
      maxLength: 12,
    },
  )
  .map((drawn) =>
    drawn.map(({ kind, id, name: own, region }): InventoryGroup => ({
      kind,
      id,
      names: kind === 'cell' ? [region, own] : [own],
    })),
  );

describe('assignGroupNames', () => {
  const named = (of: readonly InventoryGroup[], hosts: readonly string[]) =>
    assignGroupNames(of, (names) => Promise.resolve(names.filter((one) => hosts.includes(one))));

  it('returns unique names that Ansible accepts', async () => {
    await fc.assert(
      fc.asyncProperty(groups, fc.array(name, { maxLength: 6 }), async (of, hosts) => {
        const names = [...(await named(of, hosts)).values()];
        expect(names).toHaveLength(of.length);
        expect(new Set(names).size).toBe(names.length);
        for (const one of names) {
          expect(one).toMatch(/^[A-Za-z_][A-Za-z0-9_]*$/);
          expect([...hosts, 'all', 'ungrouped', '_meta']).not.toContain(one);
        }
      }),
    );
  });

  it('does not depend on the order of the groups', async () => {
    await fc.assert(
      fc.asyncProperty(groups, async (of) => {
        expect(new Map(await named(of, []))).toEqual(new Map(await named(of.toReversed(), [])));
      }),
    );
  });

  it('does not give the name of one group to another when a group is added', async () => {
    await fc.assert(
      fc.asyncProperty(groups, async (of) => {
        const before = await named(of.slice(1), []);
        const after = await named(of, []);
        const meant = new Map([...before].map(([key, one]) => [one, key]));
        const added = of[0] && groupKey(of[0].kind, of[0].id);
        for (const [key, one] of after) if (key !== added && meant.has(one)) expect(meant.get(one)).toBe(key);
        const ofAdded = added === undefined ? undefined : after.get(added);
        if (ofAdded !== undefined) expect(meant.get(ofAdded)).toBeUndefined();
      }),
    );
  });
});
