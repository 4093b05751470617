import { resources } from '../../api/resources';
import type {
  FilterDescription,
  MemberDescription,
  ResourceDescription,
} from '../../api/resource-description';

/** The member that tells devices of several kinds apart; the API has them in lists of their own. */
export const KIND = 'kind';

const kinds = resources.filter(({ isDevice }) => isDevice);

/** Devices of whatever kind, as one: they can be set what any kind can, and are listed by what all have. */
export const allDevices: ResourceDescription = {
  kind: 'device',
  collection: 'devices',
  nameMember: 'name',
  isDevice: true,
  carriesVariables: true,
  inherits: true,
  create: anyOf(({ create }) => create).map(requiredByAll(({ create }) => create)),
  update: anyOf(({ update }) => update),
  filters: ofAll<FilterDescription>(
    ({ filters }) => filters,
    ({ name }) => name,
  ),
  fields: [KIND, ...anyOf(({ fields }) => fields.map((name) => ({ name }))).map(({ name }) => name)],
  sortKeys: ofAll<string>(
    ({ sortKeys }) => sortKeys,
    (name) => name,
  ),
};

function anyOf<T extends { readonly name: string }>(
  members: (kind: ResourceDescription) => readonly T[],
): T[] {
  return [...new Map(kinds.flatMap(members).map((member) => [member.name, member])).values()];
}

function ofAll<T>(parts: (kind: ResourceDescription) => readonly T[], nameOf: (part: T) => string): T[] {
  const [first, ...others] = kinds.map(parts);
  return (first ?? []).filter((part) =>
    others.every((other) => other.some((one) => nameOf(one) === nameOf(part))),
  );
}

/** What only some kinds ask for cannot be asked of all. */
function requiredByAll(members: (kind: ResourceDescription) => readonly MemberDescription[]) {
  return ({ required, ...member }: MemberDescription): MemberDescription => {
    const always = kinds.every((kind) =>
      members(kind).some((one) => one.name === member.name && one.required),
    );
    return required && always ? { ...member, required } : member;
  };
}
