import { Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { MagnifyingGlassIcon } from '@radix-ui/react-icons';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, unwrap } from '../api/client';
import { deviceKinds } from '../api/resources';
import { useProjectId } from './use-project';
import { LevelMark } from '../components/level-mark';
import { navigation } from './navigation';
import classes from './search.module.css';

const MAX_HITS = 10;
const TYPING_DELAY = 150;

/** The dialog of Ctrl-K: pages, and devices by the beginning of their names. */
export function Search() {
  const navigate = useNavigate();
  const project_id = useProjectId();
  const [text, setText] = useState('');
  const [query] = useDebouncedValue(text.trim(), TYPING_DELAY);
  const hits = useQuery({
    queryKey: ['search', project_id, query],
    queryFn: async ({ signal }) => {
      const found = await Promise.all(
        deviceKinds.map(async ({ kind, collection }) => {
          const items = await unwrap(
            api.GET(`/v1/${collection}`, {
              params: { query: { project_id, name_prefix: query, fields: ['id', 'name'], limit: MAX_HITS, sort_keys: ['name'] } },
              signal,
            }),
          );
          return items.map(({ id = 0, name = '' }) => ({ kind, collection, id, name }));
        }),
      );
      return found.flat().slice(0, MAX_HITS);
    },
    enabled: query !== '',
    placeholderData: keepPreviousData,
  });
  const pages = navigation
    .filter(({ title }) => title.toLowerCase().includes(text.toLowerCase()))
    .map(({ to, title, icon: Icon }): SpotlightActionData => ({
      id: to,
      label: title,
      leftSection: <Icon aria-hidden />,
      onClick: () => void navigate({ to }),
    }));
  const devices = (query === '' ? [] : (hits.data ?? [])).map(
    ({ kind, collection, id, name }): SpotlightActionData => ({
      id: `${collection}/${id}`,
      label: name,
      description: kind,
      leftSection: <LevelMark level="device" />,
      onClick: () => void navigate({ to: '/devices/$collection/$id', params: { collection, id: String(id) } }),
    }),
  );
  return (
    <Spotlight
      shortcut={['mod + K', '/']}
      query={text}
      onQueryChange={setText}
      // The service has searched already.
      filter={(_query, actions) => actions}
      actions={[...devices, ...pages]}
      nothingFound={hits.isFetching ? 'Searching…' : 'Nothing found. Type the beginning of a name.'}
      // The dialog has no title.
      attributes={{ content: { 'aria-label': 'Search' } }}
      classNames={{ actionDescription: classes.description }}
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <MagnifyingGlassIcon aria-hidden />,
        placeholder: 'Search devices and pages',
        'aria-label': 'Search',
      }}
    />
  );
}
