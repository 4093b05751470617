import { Checkbox, NumberInput, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useDeviceOfId } from '../api/device-of-id';
import { deviceKind } from '../api/kinds';
import { UNREAD_NAME, unknownName, useClouds, useLocations } from '../api/locations';
import { useSearchHits } from '../api/search-hits';
import type { MemberDescription } from './member-description';
import { useFormField } from './form-problems';
import { memberTitle } from './member-title';

const TYPING_DELAY = 200;
/** The hits of a search for a device, with those of other kinds. */
const MAX_HITS = 30;

interface FieldProps {
  readonly member: MemberDescription;
  readonly value: unknown;
  /** The region of a device, which limits its cells. */
  readonly region: unknown;
  readonly isFirst: boolean;
  readonly isRequired?: boolean;
  /** What the field says below its label. */
  readonly description?: string | undefined;
  readonly onChange: (value: unknown) => void;
}

/** The field of a form for one member of a resource: a text, a number, a choice of a reference … */
export function MemberField({
  member,
  value,
  region,
  isFirst,
  isRequired = false,
  description,
  onChange,
}: FieldProps) {
  const { name, type, nullable = false, refersTo } = member;
  const label = memberTitle(name);
  const field = useFormField(name, isFirst);
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
  if (refersTo === 'device') return <DeviceField {...{ field, label, value, nullable, onChange }} />;
  if (refersTo !== undefined)
    return <ReferenceField {...{ field, label, refersTo, value, region, nullable, isRequired, onChange }} />;
  if (type === 'integer')
    return (
      <NumberInput
        {...field}
        label={label}
        allowDecimal={false}
        value={typeof value === 'number' ? value : ''}
        onChange={(number) => {
          onChange(number === '' ? null : number);
        }}
      />
    );
  return (
    <TextInput
      {...field}
      label={label}
      autoFocus={isFirst}
      required={isRequired}
      description={type === 'labels' ? 'Names, separated by commas' : description}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => {
        const text = event.currentTarget.value;
        onChange(text === '' && nullable ? null : text);
      }}
    />
  );
}

interface ReferenceProps {
  readonly field: ReturnType<typeof useFormField>;
  readonly label: string;
  readonly refersTo: string;
  readonly value: unknown;
  readonly region: unknown;
  readonly nullable: boolean;
  readonly isRequired?: boolean;
  readonly onChange: (id: number | null) => void;
}

function ReferenceField({
  field,
  label,
  refersTo,
  value,
  region,
  nullable,
  isRequired = false,
  onChange,
}: ReferenceProps) {
  const { regions, cells } = useLocations();
  const { clouds } = useClouds();
  const options =
    refersTo === 'region'
      ? regions
      : refersTo === 'cloud'
        ? clouds
        : cells.filter(({ region_id }) => region_id === region);
  return (
    <Select
      {...field}
      label={label}
      required={isRequired}
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

/** A device, which is searched by its name. */
export function DeviceField({
  field,
  label,
  value,
  nullable,
  onChange,
}: Omit<ReferenceProps, 'refersTo' | 'region'>) {
  const [text, setText] = useState('');
  const [debouncedText] = useDebouncedValue(text.trim(), TYPING_DELAY);
  const id = typeof value === 'number' ? String(value) : '';
  // Not a search for the id: it also finds other things, and not always the device.
  const { device, isPending } = useDeviceOfId(typeof value === 'number' ? value : undefined);
  const { hits, error, isFetching } = useSearchHits(debouncedText, MAX_HITS);
  const found = hits.filter(({ kind }) => deviceKind(kind));
  const names = new Map(found.map((hit) => [String(hit.id), hit.name]));
  if (typeof value === 'number')
    names.set(id, device?.name ?? names.get(id) ?? (isPending ? UNREAD_NAME : unknownName(value)));
  return (
    <Select
      {...field}
      label={label}
      placeholder="Type a name"
      searchable
      clearable={nullable}
      // The API has searched already.
      filter={({ options }) => options}
      nothingFoundMessage={
        debouncedText === '' ? undefined : (error?.message ?? (isFetching ? 'Searching…' : 'No device found'))
      }
      data={[...names].map(([option, name]) => ({ value: option, label: name }))}
      value={id === '' ? null : id}
      onSearchChange={setText}
      onChange={(option) => {
        onChange(option === null ? null : Number(option));
      }}
      comboboxProps={{ withinPortal: false }}
    />
  );
}
