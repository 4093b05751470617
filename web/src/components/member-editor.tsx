import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Pencil1Icon } from '@radix-ui/react-icons';
import { jsonText } from '../api/exact-json';
import { send, type PlainRequest } from '../api/request';
import { membersSide } from './conflict';
import { lazyDialog, preloading } from './lazy-component';
import { isEditable, isName, type MemberDescription, type Values } from './member-description';
import { flagsOf } from './member-flags';
import type { PlannedWrite } from './planned-write';
import { useMissingRight } from './rights';
import type { VariableOwner } from './variable-write';

/** What is read of the resource: its version, and the members. */
interface Versioned {
  readonly version: number;
}

interface Props {
  readonly owner: VariableOwner;
  readonly members: readonly MemberDescription[];
  readonly resource: Versioned;
}

const MemberDialog = lazyDialog(() =>
  import('./member-form').then(({ MemberDialog: component }) => component),
);

const isShown = (member: MemberDescription): boolean => isEditable(member) && member.type !== 'json';

/** The name first, then as in the API. */
const byImportance = (a: MemberDescription, b: MemberDescription): number =>
  Number(isName(b.name)) - Number(isName(a.name));

/** A button that opens a form with the members of a resource. What was changed is previewed. */
export function MemberEditor({ owner, members, resource }: Props) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const missing = useMissingRight({ collection: owner.collection });
  return (
    <>
      <Button
        {...preloading(MemberDialog)}
        variant="default"
        leftSection={<Pencil1Icon aria-hidden />}
        onClick={open}
      >
        {missing ? 'Propose an edit' : 'Edit'}
      </Button>
      {isOpen && (
        <MemberDialog
          owner={owner}
          members={members.filter(isShown).toSorted(byImportance)}
          values={{ ...resource }}
          onClose={close}
          plan={(changed) => planUpdate(owner, resource, changed)}
        />
      )}
    </>
  );
}

/** The plan to change members, if the resource is still as it was read. */
function planUpdate(owner: VariableOwner, resource: Versioned, changed: Values): PlannedWrite {
  const path = `/v1/${owner.collection}/${owner.id}`;
  const request = (version: number): PlainRequest => ({
    method: 'PUT',
    path,
    headers: { 'If-Match': `"${version}"` },
    body: jsonText(changed),
  });
  return {
    title: `Change ${owner.name}`,
    request: request(resource.version),
    command: ['muster', owner.kind, 'update', owner.name, ...Object.entries(changed).flatMap(flagsOf)],
    conflict: {
      base: membersSide(pick({ ...resource }, changed)),
      mine: membersSide(changed),
      read: async (signal) => {
        const { body } = await send({ method: 'GET', path }, signal);
        const current = isVersioned(body) ? body : resource;
        return { theirs: membersSide(pick({ ...current }, changed)), request: request(current.version) };
      },
    },
  };
}

const isVersioned = (body: unknown): body is Versioned =>
  typeof body === 'object' && body !== null && 'version' in body && typeof body.version === 'number';

/** The members of a resource that are also in another object. */
const pick = (resource: Values, names: Values): Values =>
  Object.fromEntries(Object.keys(names).map((name) => [name, resource[name]]));
