import { Autocomplete, Button, Group, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { changeKinds, deviceKinds } from '@muster/api-types';
import { useKeyCompletions } from '../../api/variable-keys';
import { CollapsibleFilters } from '../../components/collapsible-filters';
import { FilterChips, type FilterChip } from '../../components/filter-chips';
import { MomentInput } from '../../components/moment-input';
import { dateOf } from '../../components/date-of';
import { localTime } from '../../components/time-stamp';
import type { ChangeFilters } from './changes-search';

/** What a change can have done with the rules for approvals. */
const OVERRIDDEN = 'overridden';

/** Devices first: they change most. */
const KINDS = [...new Set([...deviceKinds.map(({ kind }) => kind), ...changeKinds])];

interface Props {
  readonly filters: ChangeFilters;
  readonly onChange: (changed: ChangeFilters) => void;
}

/** The filters of the list of changes. */
export function ChangesFilterBar({ filters, onChange }: Props) {
  const [draft, setDraft] = useState(filters);
  const [range, setRange] = useState(filters);
  const { since, until } = filters;
  if (since !== range.since || until !== range.until) {
    setRange(filters);
    setDraft({ ...draft, since, until });
  }
  const keys = useKeyCompletions(draft.key ?? '');
  const edit = (changed: ChangeFilters) => {
    setDraft({ ...draft, ...changed });
  };
  const chips = chipsOf(filters, onChange);
  return (
    <CollapsibleFilters count={chips.length}>
      <form
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          onChange(draft);
        }}
      >
        <Group gap="xs" align="flex-end">
          <TextInput
            label="Who"
            w={110}
            value={draft.actor ?? ''}
            onChange={(event) => {
              edit({ actor: event.currentTarget.value || undefined });
            }}
          />
          <TextInput
            label="Reason contains"
            w={125}
            value={draft.reason ?? ''}
            onChange={(event) => {
              edit({ reason: event.currentTarget.value || undefined });
            }}
          />
          <Autocomplete
            label="Variable"
            w={125}
            data={keys}
            value={draft.key ?? ''}
            onChange={(key) => {
              edit({ key: key || undefined });
            }}
          />
          <Select
            label="Kind"
            w={125}
            clearable
            data={KINDS}
            value={draft.kind ?? null}
            onChange={(kind) => {
              edit({ kind: changeKinds.find((known) => known === kind) });
            }}
          />
          <MomentInput
            label="Since"
            value={draft.since}
            onChange={(since) => {
              edit({ since });
            }}
          />
          <MomentInput
            label="Until"
            value={draft.until}
            onChange={(until) => {
              edit({ until });
            }}
          />
          <Select
            label="Approval rules"
            w={110}
            clearable
            data={[OVERRIDDEN]}
            value={draft.override === true ? OVERRIDDEN : null}
            onChange={(value) => {
              edit({ override: value === OVERRIDDEN || undefined });
            }}
          />
          <Button type="submit" variant="default">
            Filter
          </Button>
        </Group>
      </form>
      <FilterChips chips={chips} />
    </CollapsibleFilters>
  );
}

const time = (text: string) => localTime.format(dateOf(text));

/** How each filter reads in its chip. */
const TEXTS: Readonly<Record<keyof ChangeFilters, (value: string) => string>> = {
  actor: (name) => `By ${name}`,
  kind: (kind) => `Kind ${kind}`,
  key: (key) => `Variable ${key}`,
  reason: (text) => `Reason contains ${text}`,
  since: (text) => `Since ${time(text)}`,
  until: (text) => `Until ${time(text)}`,
  resource: (resource) => `Resource ${resource}`,
  override: (value) => (value === 'true' ? 'Overrides of rules' : 'Without overrides'),
};

function chipsOf(filters: ChangeFilters, onChange: Props['onChange']): FilterChip[] {
  const names = ['actor', 'kind', 'key', 'reason', 'since', 'until', 'resource', 'override'] as const;
  return names.flatMap((name) => {
    const value = filters[name];
    if (value === undefined) return [];
    const onRemove = () => {
      onChange({ [name]: undefined });
    };
    return [{ name, text: TEXTS[name](String(value)), onRemove }];
  });
}
