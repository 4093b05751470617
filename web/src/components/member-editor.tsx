import { Button, Checkbox, Group, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Pencil1Icon } from '@radix-ui/react-icons';
import { useState } from 'react';
import { jsonText } from '../api/exact-json';
import { useClouds, usePlaces } from '../api/places';
import { send, type PlainRequest } from '../api/request';
import { PreviewedWrite, type PlannedWrite } from './previewed-write';
import type { VariableOwner } from './variable-write';

/** A member that can be updated, as the API describes it. */
export interface MemberDescription {
  readonly name: string;
  readonly type: string;
  readonly nullable?: boolean;
  readonly refersTo?: string;
}

/** What is read of the resource: its version, and the members. */
interface Versioned {
  readonly version: number;
}

interface Props {
  readonly owner: VariableOwner;
  readonly members: readonly MemberDescription[];
  readonly resource: Versioned;
}

type Values = Readonly<Record<string, unknown>>;

/** References whose names the application knows. */
const PLACES = new Set(['region', 'cell', 'cloud']);

const isShown = ({ type, refersTo }: MemberDescription): boolean =>
  ['string', 'labels', 'boolean'].includes(type) || (refersTo !== undefined && PLACES.has(refersTo));

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

interface FormProps {
  readonly members: readonly MemberDescription[];
  readonly values: Values;
  /** Called with the members that were changed; there is at least one. */
  readonly onSave: (changed: Values) => void;
  readonly onCancel: () => void;
}

function MemberForm({ members, values, onSave, onCancel }: FormProps) {
  const [changed, setChanged] = useState<Values>({});
  const current = { ...values, ...changed };
  const isChanged = Object.entries(changed).some(([name, value]) => value !== values[name]);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged)
          onSave(
            Object.fromEntries(Object.entries(changed).filter(([name, value]) => value !== values[name])),
          );
      }}
    >
      <Stack gap="xs">
        {members.map((member, i) => (
          <MemberField
            key={member.name}
            member={member}
            value={current[member.name]}
            region={current['region_id']}
            isFirst={i === 0}
            onChange={(value) => {
              setChanged({ ...changed, [member.name]: value });
            }}
          />
        ))}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" disabled={!isChanged}>
            Preview…
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface FieldProps {
  readonly member: MemberDescription;
  readonly value: unknown;
  /** The region of a device, which limits its cells. */
  readonly region: unknown;
  readonly isFirst: boolean;
  readonly onChange: (value: unknown) => void;
}

function MemberField({ member, value, region, isFirst, onChange }: FieldProps) {
  const { name, type, nullable = false, refersTo } = member;
  const label = titleOf(name);
  if (type === 'boolean')
    return (
      <Checkbox
        label={label}
        checked={value === true}
        onChange={(event) => {
          onChange(event.currentTarget.checked);
        }}
      />
    );
  if (refersTo !== undefined)
    return <ReferenceField label={label} refersTo={refersTo} {...{ value, region, nullable, onChange }} />;
  return (
    <TextInput
      label={label}
      data-autofocus={isFirst || undefined}
      {...(type === 'labels' ? { description: 'Names, separated by commas' } : {})}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => {
        const text = event.currentTarget.value;
        onChange(text === '' && nullable ? null : text);
      }}
    />
  );
}

interface ReferenceProps {
  readonly label: string;
  readonly refersTo: string;
  readonly value: unknown;
  readonly region: unknown;
  readonly nullable: boolean;
  readonly onChange: (id: number | null) => void;
}

function ReferenceField({ label, refersTo, value, region, nullable, onChange }: ReferenceProps) {
  const { regions, cells } = usePlaces();
  const { clouds } = useClouds();
  const options =
    refersTo === 'region'
      ? regions
      : refersTo === 'cloud'
        ? clouds
        : cells.filter(({ region_id }) => region_id === region);
  return (
    <Select
      label={label}
      searchable
      clearable={nullable}
      limit={100}
      data={options.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={typeof value === 'number' ? String(value) : null}
      onChange={(id) => {
        onChange(id === null ? null : Number(id));
      }}
      comboboxProps={{ withinPortal: false }}
    />
  );
}

/** `device_type` → `Device type`, `cloud_id` → `Cloud`. */
const titleOf = (member: string): string => {
  const words = member.replace(/_id$/, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

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
