import type { MemberDescription, ResourceDescription } from '../../api/resource-description';
import { resources } from '../../api/resources';

/** The member for the kind, in lists of several kinds. In the API, each kind has a list of its own. */
export const KIND_MEMBER = 'kind';

const deviceKinds = resources.filter(({ isDevice }) => isDevice);

/** The pseudo kind `device`. It has the members of all kinds of devices, and the filters that they have in common. */
export const allDevices: ResourceDescription = {
  kind: 'device',
  collection: 'devices',
  nameMember: 'name',
  isDevice: true,
  carriesVariables: true,
  inherits: true,
  isProposable: true,
  create: unionOf(({ create }) => create).map(requiredIfByAll(({ create }) => create)),
  update: unionOf(({ update }) => update),
  filters: intersectionOf(({ filters }) => filters),
  fields: [KIND_MEMBER, ...new Set(deviceKinds.flatMap(({ fields }) => fields))],
  sortKeys: intersectionOf(({ sortKeys }) => sortKeys.map((name) => ({ name }))).map(({ name }) => name),
};

function unionOf<T extends { readonly name: string }>(
  members: (kind: ResourceDescription) => readonly T[],
): T[] {
  return [...new Map(deviceKinds.flatMap(members).map((member) => [member.name, member])).values()];
}

function intersectionOf<T extends { readonly name: string }>(
  members: (kind: ResourceDescription) => readonly T[],
): T[] {
  const [first = [], ...others] = deviceKinds.map(members);
  return first.filter(({ name }) => others.every((other) => other.some((member) => member.name === name)));
}

/** A member is required if every kind requires it. */
function requiredIfByAll(members: (kind: ResourceDescription) => readonly MemberDescription[]) {
  return ({ required, ...member }: MemberDescription): MemberDescription => {
    const isRequired = deviceKinds.every((kind) =>
      members(kind).some((one) => one.name === member.name && one.required),
    );
    return required && isRequired ? { ...member, required } : member;
  };
}
