import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Pencil1Icon } from '@radix-ui/react-icons';
import { useState } from 'react';
import { jsonText } from '../api/exact-json';
import { send, type PlainRequest } from '../api/request';
import { lazyComponent } from './lazy-component';
import type { MemberDescription, Values } from './member-description';
import { PreviewedWrite, type PlannedWrite } from './previewed-write';
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

const MemberForm = lazyComponent(() =>
  import('./member-form').then(({ MemberForm: component }) => component),
);

/** References that are chosen by name. */
const CHOSEN = new Set(['region', 'cell', 'cloud', 'device']);

const isShown = ({ type, refersTo }: MemberDescription): boolean =>
  refersTo === undefined ? ['string', 'labels', 'boolean', 'integer'].includes(type) : CHOSEN.has(refersTo);

/** The name of a label is its member `label`. */
const isName = (name: string): boolean => name === 'name' || name === 'label';

/** The name first, then as in the API. */
const byImportance = (a: MemberDescription, b: MemberDescription): number =>
  Number(isName(b.name)) - Number(isName(a.name));

/** A button that opens a form with the members of a resource. What was changed is previewed. */
export function MemberEditor({ owner, members, resource }: Props) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const [plan, setPlan] = useState<PlannedWrite>();
  return (
    <>
      <Button variant="default" leftSection={<Pencil1Icon aria-hidden />} onClick={open}>
        Edit
      </Button>
      {isOpen && (
        <Modal opened onClose={close} title={`Edit ${owner.name}`} centered>
          <MemberForm
            members={members.filter(isShown).toSorted(byImportance)}
            values={{ ...resource }}
            onCancel={close}
            onSave={(changed) => {
              setPlan(planUpdate(owner, resource, changed));
              close();
            }}
          />
        </Modal>
      )}
      {plan && (
        <PreviewedWrite
          write={plan}
          onClose={() => {
            setPlan(undefined);
          }}
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
      base: { value: pick({ ...resource }, changed) },
      mine: { value: changed },
      read: async (signal) => {
        const { body } = await send({ method: 'GET', path }, signal);
        const current = isVersioned(body) ? body : resource;
        return { theirs: { value: pick({ ...current }, changed) }, request: request(current.version) };
      },
    },
  };
}

const isVersioned = (body: unknown): body is Versioned =>
  typeof body === 'object' && body !== null && 'version' in body && typeof body.version === 'number';

/** The members of a resource that are also in another object. */
const pick = (resource: Values, names: Values): Values =>
  Object.fromEntries(Object.keys(names).map((name) => [name, resource[name]]));

/** The options of `muster … update` that set a member. */
function flagsOf([name, value]: [string, unknown]): string[] {
  const option = isName(name) ? 'name' : name.replace(/_id$/, '').replaceAll('_', '-');
  if (value === null) return ['--clear', option];
  if (typeof value === 'boolean') return [value ? `--${option}` : `--no-${option}`];
  return [`--${option}`, typeof value === 'string' ? value : jsonText(value)];
}
