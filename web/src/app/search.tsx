import { Combobox, Modal, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { FileIcon, MagnifyingGlassIcon } from '@radix-ui/react-icons';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api, unwrap } from '../api/client';
import type { components } from '../api/schema';
import { hasLevel, LevelMark, levelOf } from '../components/level-mark';
import { pageOf } from '../components/resource-link';
import classes from './search.module.css';
import { useNavigation } from './use-navigation';
import { useProjectId } from './use-project';

type Hit = components['schemas']['SearchHitView'];

const MAX_HITS = 12;
const TYPING_DELAY = 120;

interface Action {
  readonly id: string;
  readonly hit?: Hit;
  readonly title: string;
  readonly description: string;
  readonly open: () => void;
}

/** The dialog of Ctrl-K: everything that the API finds, and the pages. The first hit is selected. */
export function Search({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [query] = useDebouncedValue(text.trim(), TYPING_DELAY);
  const { actions, message } = useActions(text.trim(), query);
  const combobox = useCombobox({ opened: true });
  const { selectFirstOption } = combobox;
  const first = actions[0]?.id;
  useEffect(() => {
    selectFirstOption();
  }, [first, selectFirstOption]);
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      padding={0}
      size="lg"
      yOffset="12vh"
      // The dialog has no title.
      attributes={{ content: { 'aria-label': 'Search' } }}
    >
      <Combobox
        store={combobox}
        withinPortal={false}
        onOptionSubmit={(id) => {
          actions.find((action) => action.id === id)?.open();
          onClose();
        }}
      >
        <Combobox.EventsTarget>
          <TextInput
            data-autofocus
            aria-label="Search"
            placeholder="Name, label, address, variable or value"
            classNames={{ input: classes.input }}
            leftSection={<MagnifyingGlassIcon aria-hidden />}
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value);
            }}
          />
        </Combobox.EventsTarget>
        <Combobox.Options className={classes.options} aria-label="Found">
          {actions.map(({ id, hit, title, description }) => (
            <Combobox.Option key={id} value={id} className={classes.option}>
              {hit && hasLevel(hit.kind) ? <LevelMark level={levelOf(hit.kind)} /> : <FileIcon aria-hidden />}
              <span className={classes.title}>{title}</span>
              <span className={classes.description}>{description}</span>
            </Combobox.Option>
          ))}
          {actions.length === 0 && <Combobox.Empty>{message}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox>
    </Modal>
  );
}

/** What can be opened. @param query the text, once nothing is typed any more */
function useActions(
  text: string,
  query: string,
): { readonly actions: readonly Action[]; readonly message: string } {
  const navigate = useNavigate();
  const project_id = useProjectId();
  const entries = useNavigation();
  const { data, error, isFetching } = useQuery({
    queryKey: ['search', project_id, query],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/v1/search', { params: { query: { project_id, q: query, limit: MAX_HITS } }, signal })),
    enabled: query !== '',
    placeholderData: keepPreviousData,
  });
  const hits = text === '' ? [] : (data?.hits ?? []);
  const found = hits.flatMap((hit) => {
    const page = pageOf(hit);
    const id = `${hit.kind}/${String(hit.id)}/${hit.name}/${hit.key ?? ''}`;
    return page
      ? [{ id, hit, title: hit.name, description: describe(hit), open: () => void navigate(page) }]
      : [];
  });
  const pages = entries
    .filter(({ title }) => title.toLowerCase().includes(text.toLowerCase()))
    .map((page) => ({
      id: `page/${page.title}`,
      title: page.title,
      description: 'page',
      open: () => void navigate(page),
    }));
  const isSearching = isFetching || query !== text;
  return {
    actions: [...found, ...pages],
    message: isSearching
      ? 'Searching…'
      : (error?.message ?? 'Nothing found. Try a name, a label, an address, a key or a value.'),
  };
}

/** What a hit is, where it is, and the variable whose value was found. */
function describe({ kind, region, cell, key }: Hit): string {
  const place = [region, cell].flatMap((known) => known?.name ?? []).join(' › ');
  return [kind, place, key === null ? '' : `variable ${key}`].filter((part) => part !== '').join(' · ');
}
