import { deviceKinds, inventoryKinds } from '@muster/api-types';
import {
  Pencil2Icon,
  PlayIcon,
  PlusIcon,
  QuestionMarkCircledIcon,
  ThickArrowRightIcon,
  UploadIcon,
} from '@radix-ui/react-icons';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { linkOptions, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, unwrap } from '../api/client';
import { deviceKind, kindWords, type DeviceKind, type InventoryKind } from '../api/kinds';
import { sessionQuery } from '../api/session';
import { matchesWords } from './match-words';
import { useEnterProject } from './use-enter-project';
import { useProject } from './use-project';

/** An entry of the search. */
export interface Action {
  readonly id: string;
  readonly icon: ReactNode;
  readonly title: string;
  readonly description: string;
  /** What it does; or the text that the field gets, for the name that follows. */
  readonly open: (() => void) | string;
}

interface WordedAction extends Omit<Action, 'description'> {
  /** Other words by which it is found. */
  readonly words: string;
}

/** How many projects are offered, and how many audits. */
const MAX_PROJECTS = 5;
const MAX_AUDITS = 5;
/** Of so many audits, in the order of their names, the names are known. */
const MAX_KNOWN_AUDITS = 500;

/**
 * What can be done from every page. A new action is one more entry.
 * @param text what was typed: words of the title, or their beginnings, in any order
 */
export function usePaletteActions(text: string, showShortcuts: () => void): readonly Action[] {
  const navigate = useNavigate();
  const { projects } = useSuspenseQuery(sessionQuery).data;
  const shown = useProject();
  const enter = useEnterProject();
  const audits = useAudits(shown.id, RUN.test(text)).map(({ id, name }) => ({
    id: `audit/${String(id)}`,
    icon: <PlayIcon aria-hidden />,
    title: `Run audit ${name}`,
    words: 'check',
    // Its page runs it.
    open: () => void navigate({ to: '/audits/$id', params: { id: String(id) } }),
  }));
  const creations = [...deviceKinds, ...inventoryKinds].map((kind) => ({
    id: `new/${kind.kind}`,
    icon: <PlusIcon aria-hidden />,
    title: `New ${kindWords(kind.kind)}…`,
    words: 'create add',
    open: () => void navigate(creationPage(kind)),
  }));
  const actions: readonly WordedAction[] = [
    ...creations,
    {
      id: 'import',
      icon: <UploadIcon aria-hidden />,
      title: 'Import a file…',
      words: 'csv yaml ndjson json ansible table spreadsheet upload',
      open: () => void navigate({ to: '/import' }),
    },
    {
      id: 'audits',
      icon: <PlayIcon aria-hidden />,
      title: 'Run the audits…',
      words: 'check all',
      open: () => void navigate({ to: '/audits' }),
    },
    {
      id: 'propose',
      icon: <Pencil2Icon aria-hidden />,
      title: 'Propose a change…',
      words: 'proposal variable',
      open: 'propose ',
    },
    {
      id: 'shortcuts',
      icon: <QuestionMarkCircledIcon aria-hidden />,
      title: 'Keyboard shortcuts',
      words: 'help keys',
      open: showShortcuts,
    },
  ];
  const switches = projects.map(({ id, name }) => ({
    id: `project/${id}`,
    icon: <ThickArrowRightIcon aria-hidden />,
    title: `Switch to project ${name}`,
    words: 'enter',
    open: () => {
      enter.mutate({ id });
    },
  }));
  const isFound = ({ title, words }: WordedAction) => text !== '' && matchesWords(text, `${title} ${words}`);
  return [
    ...actions.filter(isFound),
    ...audits.filter(isFound).slice(0, MAX_AUDITS),
    ...switches.filter((one) => one.id !== `project/${shown.id}` && isFound(one)).slice(0, MAX_PROJECTS),
  ].map((one) => ({ ...one, description: 'action' }));
}

/** What begins with words for running an audit: only then, their names are read. */
const RUN = /^(run|check|audit)\b/i;

function useAudits(project_id: string, isWanted: boolean) {
  const { data = [] } = useQuery({
    queryKey: ['audits', project_id, 'names'],
    queryFn: async ({ signal }) => {
      const query = {
        ...{ project_id, fields: ['id' as const, 'name' as const] },
        ...{ sort_keys: ['name' as const], limit: MAX_KNOWN_AUDITS },
      };
      const found = await unwrap(api.GET('/v1/audits', { params: { query }, signal }));
      return found.map(({ id = 0, name = '' }) => ({ id, name }));
    },
    enabled: isWanted,
    staleTime: 60_000,
  });
  return isWanted ? data : [];
}

/** The list of a kind, with the form for a new one. */
function creationPage({ kind, collection }: DeviceKind | InventoryKind) {
  const device = deviceKind(kind);
  return device
    ? linkOptions({ to: '/devices', search: { collection: device.collection, create: true } })
    : linkOptions({ to: '/inventory/$collection', params: { collection }, search: { create: true } });
}
