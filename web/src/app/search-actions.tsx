import { FileIcon, Pencil2Icon } from '@radix-ui/react-icons';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { components } from '@muster/api-types';
import { deviceKind, kindWords } from '../api/kinds';
import { useSearchHits } from '../api/search-hits';
import { missingRight } from '../api/rights';
import { sessionQuery } from '../api/session';
import { hasLevel, LevelMark, levelOf } from '../components/level-mark';
import { usePointInTime } from '../components/point-in-time';
import { pageOf } from '../components/resource-link';
import { usePaletteActions, type Action } from './palette-actions';
import { parseSearchText, VARIABLE_OWNERS } from './search-text';
import { useNavigation } from './use-navigation';

type Hit = components['schemas']['SearchHit'];

const MAX_HITS = 12;
/** For a text that does not begin with words for an action, how many actions follow the hits and pages. */
const MAX_ACTIONS = 3;

/**
 * What can be opened. `isOutdated`: the hits are not those of the text yet.
 * @param debouncedText the text that is searched: as it was when the user last stopped typing
 */
export function useActions(
  text: string,
  debouncedText: string,
  showShortcuts: () => void,
): { readonly actions: readonly Action[]; readonly message: string; readonly isOutdated: boolean } {
  const navigate = useNavigate();
  const entries = useNavigation();
  const setVariableAction = useSetVariableAction();
  const paletteActions = usePaletteActions(text, showShortcuts);
  const { isCommand, query, kind } = parseSearchText(debouncedText);
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
      ? [...settable, ...found, ...pages, ...paletteActions]
      : [...found, ...pages, ...paletteActions, ...settable.slice(0, MAX_ACTIONS)],
    message: isSearching
      ? 'Searching…'
      : (literal.error?.message ??
        named.error?.message ??
        'Nothing found. Try a name, an address, a key, a value, or the number of a change.'),
  };
}

const isOfKind = ({ kind }: Hit, wanted: string): boolean =>
  kind === wanted || (wanted === 'device' && deviceKind(kind) !== undefined);

const idOf = ({ kind, id, name, key }: Hit): string => `${kind}/${String(id)}/${name}/${key ?? ''}`;

/** Leads to the page of a hit, with the form for a new variable. Without a role for it, the variable can only be proposed. */
function useSetVariableAction(): (hit: Hit) => Action[] {
  const navigate = useNavigate();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const at = usePointInTime();
  return (hit) => {
    const page = pageOf(hit);
    const owner = VARIABLE_OWNERS.find(({ kind }) => kind === hit.kind);
    if (!page || !owner) return [];
    // The key is not known: any role for variables may do.
    const missing = missingRight(session.user, { collection: owner.collection, keys: [] });
    const verb = missing ? 'Propose' : 'Set';
    return [
      {
        id: `set/${idOf(hit)}`,
        icon: <Pencil2Icon aria-hidden />,
        title: `${verb} a variable on ${kindWords(hit.kind)} ${hit.name}…`,
        // The past cannot be changed.
        description: at === undefined ? describe(hit) : `${describe(hit)} · back to now`,
        open: () => void navigate({ ...page, search: { add: true, at: undefined } }),
      },
    ];
  };
}

/** What a hit is, where it is, and what matches, unless it is the name that is shown. */
function describe({ kind, id, region, cell, member, key, matched }: Hit): string {
  const location = [region, cell].flatMap((known) => known?.name ?? []).join(' › ');
  const what = key ?? (member === 'ip_address' ? 'address' : member);
  const title = kind === 'change' ? `change #${String(id)}` : kind;
  return [title, location, matched === null ? '' : `${what}: ${matched}`]
    .filter((part) => part !== '')
    .join(' · ');
}
