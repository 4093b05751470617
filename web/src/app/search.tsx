import { Combobox, Modal, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { FileIcon, MagnifyingGlassIcon, Pencil2Icon } from '@radix-ui/react-icons';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { deviceKinds, inventoryKinds, type components } from '@muster/api-types';
import { deviceKind, hasVariables, kindWords } from '../api/kinds';
import { useSearchHits } from '../api/search-hits';
import { canSetVariables, sessionQuery } from '../api/session';
import { hasLevel, LevelMark, levelOf } from '../components/level-mark';
import { usePointInTime } from '../components/point-in-time';
import { pageOf } from '../components/resource-link';
import classes from './search.module.css';
import { useNavigation } from './use-navigation';

type Hit = components['schemas']['SearchHit'];

const MAX_HITS = 12;
/** For a text that does not begin with words for an action, how many actions follow the hits and pages. */
const MAX_ACTIONS = 3;
const TYPING_DELAY = 120;

interface Action {
  readonly id: string;
  readonly icon: ReactNode;
  readonly title: string;
  readonly description: string;
  readonly open: () => void;
}

/** The dialog of Ctrl-K: everything that the API finds, what can be done with it, and the pages. The first is selected. */
export function Search({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [debouncedText] = useDebouncedValue(text.trim(), TYPING_DELAY);
  const { actions, message, isOutdated } = useActions(text.trim(), debouncedText);
  const [submitted, setSubmitted] = useState<string>();
  // The list takes Escape before the dialog sees it.
  const combobox = useCombobox({ opened: true, onDropdownClose: onClose });
  const { selectFirstOption } = combobox;
  const [first] = actions;
  const firstId = first?.id;
  useEffect(() => {
    selectFirstOption();
  }, [firstId, selectFirstOption]);
  const isDue = submitted === text && !isOutdated && first !== undefined;
  useEffect(() => {
    if (!isDue) return;
    first.open();
    onClose();
  }, [isDue, first, onClose]);
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
            // Not later, as the dialog would do it: keys that follow Ctrl-K at once belong to the field.
            autoFocus
            data-autofocus
            aria-label="Search"
            placeholder="Name, label, address, variable or value"
            classNames={{ input: classes.input }}
            leftSection={<MagnifyingGlassIcon aria-hidden />}
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value);
              setSubmitted(undefined);
            }}
            onKeyDownCapture={(event) => {
              if (event.key !== 'Enter' || !isOutdated) return;
              // What is shown was found for an earlier text.
              event.preventDefault();
              event.stopPropagation();
              setSubmitted(text);
            }}
          />
        </Combobox.EventsTarget>
        <Combobox.Options className={classes.options} aria-label="Found">
          {actions.map(({ id, icon, title, description }) => (
            <Combobox.Option key={id} value={id} className={classes.option}>
              {icon}
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

/**
 * What can be opened. `isOutdated`: the hits are not those of the text yet.
 * @param debouncedText the text that is searched: as it was when the user last stopped typing
 */
function useActions(
  text: string,
  debouncedText: string,
): { readonly actions: readonly Action[]; readonly message: string; readonly isOutdated: boolean } {
  const navigate = useNavigate();
  const entries = useNavigation();
  const setVariableAction = useSetVariableAction();
  const { isCommand, query, kind } = parseText(debouncedText);
  // The words may also be a part of a name.
  const literal = useSearchHits(debouncedText, MAX_HITS);
  const named = useSearchHits(query, MAX_HITS);
  const isSearching = literal.isFetching || named.isFetching || debouncedText !== text;
  const found = (text === '' ? [] : literal.hits).flatMap((hit): Action[] => {
    const page = pageOf(hit);
    if (!page) return [];
    const icon = hasLevel(hit.kind) ? <LevelMark level={levelOf(hit.kind)} /> : <FileIcon aria-hidden />;
    const open = () => void navigate(page);
    return [{ id: idOf(hit), icon, title: hit.name, description: describe(hit), open }];
  });
  const pages = entries
    .filter(({ title }) => title.toLowerCase().includes(text.toLowerCase()))
    .map((page) => ({
      id: `page/${page.title}`,
      icon: <FileIcon aria-hidden />,
      title: page.title,
      description: 'page',
      open: () => void navigate(page),
    }));
  // Enter must not choose an action for a text that was typed before.
  const settable =
    named.isOutdated || debouncedText !== text
      ? []
      : named.hits.filter((hit) => kind === undefined || isOfKind(hit, kind)).flatMap(setVariableAction);
  return {
    isOutdated: text !== debouncedText || literal.isOutdated || (isCommand && named.isOutdated),
    actions: isCommand
      ? [...settable, ...found, ...pages]
      : [...found, ...pages, ...settable.slice(0, MAX_ACTIONS)],
    message: isSearching
      ? 'Searching…'
      : (literal.error?.message ??
        named.error?.message ??
        'Nothing found. Try a name, a label, an address, a key or a value.'),
  };
}

/** The kinds of resources on which variables can be set from here. */
const OWNERS = [...inventoryKinds, ...deviceKinds].filter(hasVariables);
const KIND_WORDS = [...OWNERS.map(({ kind }) => kind.replaceAll('-', '[- ]')), 'device'].join('|');

/** `set dfw`, `set variable on dfw`, `set a variable on region dfw` */
const SET_VARIABLE = new RegExp(`^set (?:(?:an? )?variables? )?(?:on )?(?:(${KIND_WORDS}) )?(.+)$`, 'i');

/** What is searched, and whether it begins with words for an action. */
function parseText(text: string): {
  readonly isCommand: boolean;
  readonly query: string;
  readonly kind: string | undefined;
} {
  const [, kind, query] = SET_VARIABLE.exec(text.replace(/\s+/g, ' ')) ?? [];
  if (query === undefined) return { isCommand: false, query: text, kind: undefined };
  return { isCommand: true, query, kind: kind?.toLowerCase().replaceAll(' ', '-') };
}

const isOfKind = ({ kind }: Hit, wanted: string): boolean =>
  kind === wanted || (wanted === 'device' && deviceKind(kind) !== undefined);

const idOf = ({ kind, id, name, key }: Hit): string => `${kind}/${String(id)}/${name}/${key ?? ''}`;

/** Leads to the page of a hit, with the form for a new variable, if the user may set variables there. */
function useSetVariableAction(): (hit: Hit) => Action[] {
  const navigate = useNavigate();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const at = usePointInTime();
  return (hit) => {
    const page = pageOf(hit);
    const owner = OWNERS.find(({ kind }) => kind === hit.kind);
    if (!page || !owner || !canSetVariables(session, owner.collection)) return [];
    return [
      {
        id: `set/${idOf(hit)}`,
        icon: <Pencil2Icon aria-hidden />,
        title: `Set a variable on ${kindWords(hit.kind)} ${hit.name}…`,
        // The past cannot be changed.
        description: at === undefined ? describe(hit) : `${describe(hit)} · back to now`,
        open: () => void navigate({ ...page, search: { add: true, at: undefined } }),
      },
    ];
  };
}

/** What a hit is, where it is, and the variable whose value was found. */
function describe({ kind, region, cell, key }: Hit): string {
  const location = [region, cell].flatMap((known) => known?.name ?? []).join(' › ');
  return [kind, location, key === null ? '' : `variable ${key}`].filter((part) => part !== '').join(' · ');
}
