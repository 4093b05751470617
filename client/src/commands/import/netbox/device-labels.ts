import type { NetBoxDevice } from './devices';
import type { NetBoxInventory } from './inventory';
import type { LabelKind, Mapping } from './mapping';
import type { Reference } from './members';
import type { Tree } from './tree';

/** The labels of a device, by the prefixes of the mapping. */
export function deviceLabels(
  { roles, platforms }: Pick<NetBoxInventory, 'roles' | 'platforms'>,
  { labels: { prefixes, ancestors } }: Mapping,
): (device: NetBoxDevice) => string[] {
  const slugsIn = (tree: Tree, item: Reference | undefined): string[] => [
    ...slugs(item),
    ...(item && ancestors ? tree.pathOf(item.id).map(({ slug }) => slug) : []),
  ];
  const namesOf: Record<LabelKind, (device: NetBoxDevice) => readonly string[]> = {
    role: ({ role }) => slugsIn(roles, role),
    platform: ({ platform }) => slugsIn(platforms, platform),
    tenant: ({ tenant }) => slugs(tenant),
    tag: ({ tags }) => tags,
    cluster: ({ cluster }) => slugs(cluster),
    site: ({ site }) => slugs(site),
  };
  return (device) => {
    const labels = [...prefixes].flatMap(([kind, prefix]) =>
      namesOf[kind](device).map((name) => labelName(`${prefix}${name}`)),
    );
    return [...new Set(labels)].sort();
  };
}

/** Clusters have no slug. */
const slugs = (item: Reference | undefined): string[] => {
  const name = item?.slug === '' ? item.name : item?.slug;
  return name === undefined || name === '' ? [] : [name];
};

/** Labels of Muster contain neither commas nor control characters. */
const labelName = (name: string): string => name.replaceAll(/[,\p{Cc}]/gu, '_');
