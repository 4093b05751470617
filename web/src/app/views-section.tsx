import { ActionIcon, Button, Checkbox, Group, Modal, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import { BookmarkIcon, Cross2Icon, PlusIcon } from '@radix-ui/react-icons';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import * as v from 'valibot';
import { defaultKind, deviceCollections } from '../api/kinds';
import { isStatus } from '../api/errors';
import {
  type CountedList,
  isListAddress,
  MAX_COUNTED,
  MAX_VIEWS,
  ownViewsQuery,
  replaceOwnViews,
  type SavedView,
  sharedViewsQuery,
  viewCountQuery,
} from '../api/views';
import { filtersOf } from '../components/list-search';
import { type PlannedWrite, PreviewedWrite } from '../components/previewed-write';
import { planCreate, planDelete } from '../components/resource-write';
import { RightsHint, useMissingRight } from '../components/rights';
import { SUBMIT_SHORTCUT } from '../components/submit-shortcut';
import { useUnsaved } from '../components/unsaved';
import { deviceListSearch } from '../pages/devices/device-list-search';
import { inventoryListSearch } from '../pages/inventory/inventory-search';
import { parseSearch } from './search-params';
import classes from './shell.module.css';
import { useProjectId } from './use-project';

const count = new Intl.NumberFormat();
/** How often a change of one's own views is repeated if another tab has saved some meanwhile. */
const MAX_RETRIES = 3;
const NO_VIEWS: readonly SavedView[] = [];
/** Of a name, in characters. */
const MAX_NAME_LENGTH = 255;

interface Props {
  /** Called when a view is opened. */
  readonly onOpen: () => void;
}

/** The saved views in the navigation: one's own, and those that the users of the project share. */
export function ViewsSection({ onOpen }: Props) {
  const project = useProjectId();
  const { data: shared = [] } = useQuery(sharedViewsQuery(project));
  const { own, replace } = useOwnViews(project);
  const address = useLocation({ select: ({ href }) => href });
  const missing = useMissingRight({ collection: 'views' });
  const [isSaving, setSaving] = useState(false);
  const [plan, setPlan] = useState<PlannedWrite>();
  const canSave = isListAddress(address);
  if (own.length + shared.length === 0 && !canSave && !plan) return null;
  const entry = (view: SavedView, onDelete: (() => void) | undefined) => (
    <ViewEntry
      key={view.name}
      view={view}
      isActive={view.address === address}
      onOpen={onOpen}
      onDelete={onDelete}
    />
  );
  return (
    <section aria-label="Views" className={classes.views}>
      {own.map((view) =>
        entry(view, () => {
          replace.mutate((former) => former.filter(({ name }) => name !== view.name));
        }),
      )}
      {shared.map(({ id, version, ...view }) =>
        entry(
          view,
          missing
            ? undefined
            : () => {
                setPlan(planDelete({ title: `Delete the view ${view.name}` }, `/v1/views/${id}`, version));
              },
        ),
      )}
      {replace.error && (
        <Text size="xs" c="var(--removed)" px="sm" role="alert">
          {replace.error.message}
        </Text>
      )}
      {shared.length === MAX_VIEWS && (
        <Text size="xs" c="dimmed" px="sm">
          Only the first {MAX_VIEWS} shared views, by name, are shown. Delete some to see others.
        </Text>
      )}
      {canSave && (
        <Button
          variant="subtle"
          size="compact-sm"
          justify="flex-start"
          leftSection={<PlusIcon aria-hidden />}
          onClick={() => {
            setSaving(true);
          }}
        >
          Save this view…
        </Button>
      )}
      {isSaving && (
        <SaveForm
          taken={own.map(({ name }) => name)}
          onClose={() => {
            setSaving(false);
          }}
          onSave={(name, isShared) => {
            setSaving(false);
            if (isShared)
              setPlan(planCreate({ title: `Save the view ${name}` }, '/v1/views', { name, address }));
            else replace.mutate((former) => [...former, { name, address }].toSorted(byName));
          }}
        />
      )}
      {plan && (
        <PreviewedWrite
          write={plan}
          onClose={() => {
            setPlan(undefined);
          }}
        />
      )}
    </section>
  );
}

const byName = (a: SavedView, b: SavedView): number => a.name.localeCompare(b.name);

/** One's own views. A change is made to those that the service has at that moment: another tab can have saved some. */
function useOwnViews(project: string) {
  const queryClient = useQueryClient();
  const query = ownViewsQuery(project);
  const { data } = useQuery(query);
  const replace = useMutation({
    mutationFn: async (change: (former: readonly SavedView[]) => readonly SavedView[]) => {
      const { views, etag } = await queryClient.query({ ...query, staleTime: 0 });
      return replaceOwnViews(etag, change(views));
    },
    retry: (failures, error) => failures < MAX_RETRIES && isStatus(error, 412),
    retryDelay: 0,
    onSuccess: (saved) => {
      queryClient.setQueryData(query.queryKey, saved);
    },
  });
  return { own: data?.views ?? NO_VIEWS, replace };
}

interface EntryProps {
  readonly view: SavedView;
  readonly isActive: boolean;
  readonly onOpen: () => void;
  /** Undefined if the user may not delete it. */
  readonly onDelete: (() => void) | undefined;
}

function ViewEntry({ view: { name, address }, isActive, onOpen, onDelete }: EntryProps) {
  const [path, query] = splitAt(address, '?');
  const list = countedList(path, query);
  return (
    <Group gap={0} wrap="nowrap">
      <Link
        to={path}
        search={parseSearch(query)}
        className={classes.link}
        style={{ flex: 1, minWidth: 0 }}
        activeProps={{ 'data-status': undefined }}
        {...(isActive ? { 'data-status': 'active', 'aria-current': 'page' } : {})}
        title={name}
        onClick={onOpen}
      >
        <BookmarkIcon aria-hidden style={{ flexShrink: 0 }} />
        <span className={classes.viewName}>{name}</span>
        {list && <ViewCount list={list} />}
      </Link>
      {onDelete && (
        <Tooltip label="Delete">
          <ActionIcon size={24} aria-label={`Delete the view ${name}`} onClick={onDelete}>
            <Cross2Icon aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    </Group>
  );
}

function ViewCount({ list }: { readonly list: CountedList }) {
  const { data } = useQuery(viewCountQuery(useProjectId(), list));
  if (data === undefined) return null;
  const isCut = data >= MAX_COUNTED && !deviceCollections.some((known) => known === list.collection);
  return (
    <span className={classes.count}>{isCut ? `${count.format(MAX_COUNTED)}+` : count.format(data)}</span>
  );
}

/** Both parts of a text; the second is empty if it does not contain the separator. */
function splitAt(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** What a list of the inventory shows; undefined for one that is not counted, or whose address cannot be read: the list says so. */
function countedList(path: string, query: string): CountedList | undefined {
  const [, page, collection] = path.split('/');
  const search = parseSearch(query);
  if (page === 'devices') {
    const { success, output } = v.safeParse(deviceListSearch, search);
    return success
      ? { collection: output.collection ?? defaultKind.collection, filters: filtersOf(output) }
      : undefined;
  }
  if (page !== 'inventory' || collection === undefined) return undefined;
  const { success, output } = v.safeParse(inventoryListSearch, search);
  return success ? { collection, filters: filtersOf(output) } : undefined;
}

interface FormProps {
  readonly taken: readonly string[];
  readonly onSave: (name: string, isShared: boolean) => void;
  readonly onClose: () => void;
}

function SaveForm({ taken, onSave, onClose }: FormProps) {
  const [name, setName] = useState('');
  const [isShared, setShared] = useState(false);
  const [isChecked, setChecked] = useState(false);
  const unsaved = useUnsaved();
  const text = name.trim();
  const problem =
    text === ''
      ? 'Enter a name.'
      : !isShared && taken.includes(text)
        ? 'You have a view with this name.'
        : undefined;
  return (
    <Modal
      opened
      onClose={() => {
        if (unsaved.mayDiscard()) onClose();
      }}
      title="Save this view"
      centered
    >
      <form
        {...unsaved.entering}
        onSubmit={(event) => {
          event.preventDefault();
          setChecked(true);
          if (problem === undefined) onSave(text, isShared);
        }}
      >
        <Stack gap="sm">
          <TextInput
            label="Name"
            description="For the page with its filters, columns and order."
            required
            data-autofocus
            maxLength={MAX_NAME_LENGTH}
            value={name}
            error={isChecked && problem}
            onChange={(event) => {
              setName(event.currentTarget.value);
            }}
          />
          <Checkbox
            label="Share it in the project"
            description="Otherwise only you see it."
            checked={isShared}
            onChange={(event) => {
              setShared(event.currentTarget.checked);
            }}
          />
          {isShared && <RightsHint collection="views" />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" {...SUBMIT_SHORTCUT}>
              {isShared ? 'Preview…' : 'Save'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
