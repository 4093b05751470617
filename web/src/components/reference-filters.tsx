import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '../api/client';
import { useSearchHits } from '../api/search-hits';
import { useProjectId } from '../app/use-project';
import type { FilterProps } from './filter-props';
import { withIdReplaced } from './id-filters';
import { DeviceField } from './member-field';
import { TagsField } from './tags-field';

const TYPING_DELAY = 200;
/** Limit for hits of all kinds. */
const MAX_HITS = 30;
/** Of more access secrets than this, the others are not offered. */
const MAX_SECRETS = 1_000;

type FieldProps = Pick<FilterProps, 'search' | 'onChange'>;

interface ReferenceProps extends FieldProps {
  /** What is replaced; undefined: what is chosen is added. */
  readonly id: number | undefined;
}

/** Whose children are shown: a device, which is searched by its name. */
export function ParentFilter({ id, search, onChange }: ReferenceProps) {
  // What was chosen is no longer the filter that was opened.
  const [chosen, setChosen] = useState(id);
  return (
    <DeviceField
      field={{ name: 'parent_id', error: undefined, 'data-autofocus': true }}
      label="Parent"
      value={chosen}
      nullable
      onChange={(next) => {
        setChosen(next ?? undefined);
        onChange(withIdReplaced(search, 'parent_id', chosen, next ?? undefined));
      }}
    />
  );
}

/** An access secret, which has an id and no name. Only admins may read which there are. */
export function SecretFilter({ id, search, onChange }: ReferenceProps) {
  const [chosen, setChosen] = useState(id);
  const { data = [], error } = useQuery(secretsQuery(useProjectId()));
  const ids = new Set([...(chosen === undefined ? [] : [chosen]), ...data.map((secret) => secret.id ?? 0)]);
  return (
    <Select
      label="Access secret"
      data-autofocus
      searchable
      clearable
      limit={MAX_HITS}
      error={error?.message}
      data={[...ids].map((one) => ({ value: String(one), label: `#${one}` }))}
      value={chosen === undefined ? null : String(chosen)}
      onChange={(option) => {
        const next = option === null ? undefined : Number(option);
        setChosen(next);
        onChange(withIdReplaced(search, 'access_secret_id', chosen, next));
      }}
      comboboxProps={{ withinPortal: false }}
    />
  );
}

const secretsQuery = (project_id: string) =>
  queryOptions({
    queryKey: ['access-secrets', project_id, 'ids'],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/v1/access-secrets', {
          params: { query: { project_id, fields: ['id'], limit: MAX_SECRETS } },
          signal,
        }),
      ),
    retry: false,
  });

/** The labels that devices have; without one, any label. */
export function LabelsFilter({ search, onChange }: FieldProps) {
  const [text, setText] = useState('');
  const [settled] = useDebouncedValue(text.trim(), TYPING_DELAY);
  const { hits } = useSearchHits(settled, MAX_HITS);
  return (
    <TagsField
      label="Labels"
      description="All of them; without one, any label"
      data-autofocus
      data={hits.flatMap(({ kind, name }) => (kind === 'label' ? [name] : []))}
      value={[...(search.label ?? [])]}
      searchValue={text}
      onSearchChange={setText}
      onChange={(labels) => {
        const isAny = labels.length === 0;
        onChange({ label: isAny ? undefined : labels, has_labels: isAny ? true : undefined });
      }}
    />
  );
}
