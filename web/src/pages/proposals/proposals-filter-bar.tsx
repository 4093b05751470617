import { Autocomplete, Button, Group, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { PROPOSAL_STATES } from '../../api/proposal-states';
import { useKeyCompletions } from '../../api/variable-keys';
import { CollapsibleFilters } from '../../components/collapsible-filters';
import { FilterChips } from '../../components/filter-chips';
import type { ProposalFilters } from './proposals-search';

interface Props {
  readonly filters: ProposalFilters;
  readonly hasAuthor: boolean;
  readonly hasState: boolean;
  readonly onChange: (changed: ProposalFilters) => void;
}

/** The filters of the list of proposals. */
export function ProposalsFilterBar({ filters, hasAuthor, hasState, onChange }: Props) {
  const [draft, setDraft] = useState(filters);
  const keys = useKeyCompletions(draft.key ?? '');
  const edit = (changed: ProposalFilters) => {
    setDraft({ ...draft, ...changed });
  };
  const chips = NAMES.flatMap((name) => {
    const value = filters[name];
    if (value === undefined) return [];
    const onRemove = () => {
      onChange({ [name]: undefined });
    };
    return [{ name, text: `${TEXTS[name]} ${value}`, onRemove }];
  });
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
          {hasAuthor && (
            <TextInput
              label="Author"
              w={110}
              value={draft.author ?? ''}
              onChange={(event) => {
                edit({ author: event.currentTarget.value || undefined });
              }}
            />
          )}
          <Autocomplete
            label="Variable"
            w={150}
            data={keys}
            value={draft.key ?? ''}
            onChange={(key) => {
              edit({ key: key || undefined });
            }}
          />
          {hasState && (
            <Select
              label="State"
              w={120}
              clearable
              data={PROPOSAL_STATES}
              value={draft.state ?? null}
              onChange={(state) => {
                edit({ state: PROPOSAL_STATES.find((known) => known === state) });
              }}
            />
          )}
          <Button type="submit" variant="default">
            Filter
          </Button>
        </Group>
      </form>
      <FilterChips chips={chips} />
    </CollapsibleFilters>
  );
}

const NAMES = ['author', 'key', 'state', 'kind', 'resource'] as const;

/** How each filter begins in its chip. */
const TEXTS: Readonly<Record<(typeof NAMES)[number], string>> = {
  author: 'By',
  key: 'Variable',
  state: 'State',
  kind: 'Kind',
  resource: 'Resource',
};
