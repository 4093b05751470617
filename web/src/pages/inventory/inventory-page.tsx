import { Group, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useLocations } from '../../api/locations';
import { kindTitle, type InventoryKind } from '../../api/kinds';
import { inventoryKinds } from '@muster/api-types';
import { lazyComponent } from '../../components/lazy-component';
import { LevelMark, levelOf } from '../../components/level-mark';
import { MemberEditor } from '../../components/member-editor';
import { PageTitle } from '../../components/page-title';
import { RawJson } from '../../components/raw-json';
import { ResourceActions } from '../../components/resource-actions';
import classes from '../../components/resource-page.module.css';
import { RouteLink } from '../../components/resource-link';
import { ResourceProject } from '../../components/resource-project';
import { ErrorState, LoadingState } from '../../components/states';
import { InventoryDevices } from './inventory-devices';
import { InventoryMembers } from './inventory-members';
import { inventoryQuery, nameOf, type InventoryItem } from './inventory-query';
import { INVENTORY_TABS } from './inventory-search';
import { InventoryVariables } from './inventory-variables';
import { NoSuchPage } from './no-such-page';

const route = getRouteApi('/signed-in/inventory/$collection/$id');

// Only the first tab is needed at once.
const History = lazyComponent(
  () => import('../../components/history').then(({ History: component }) => component),
  { fallback: <LoadingState what="the history" /> },
);
const InventoryEffect = lazyComponent(
  () => import('./inventory-effect').then(({ InventoryEffect: component }) => component),
  { fallback: <LoadingState what="the effect" /> },
);

const TITLES: Readonly<Record<(typeof INVENTORY_TABS)[number], string>> = {
  variables: 'Variables',
  effect: 'Effect',
  history: 'History',
  raw: 'JSON',
};

/** A region, cell, label or cloud: its members, its variables and what they affect, and its history. */
export function InventoryPage() {
  const params = route.useParams();
  const kind = inventoryKinds.find(({ collection }) => collection === params.collection);
  const id = Number(params.id);
  if (!kind || !Number.isSafeInteger(id)) return <NoSuchPage />;
  return <Loaded key={`${kind.collection}/${id}`} kind={kind} id={id} />;
}

function Loaded({ kind, id }: { readonly kind: InventoryKind; readonly id: number }) {
  const { at } = route.useSearch();
  const { data, error, refetch } = useQuery(inventoryQuery(kind.collection, id, at));
  const what = `the ${kind.kind}`;
  if (error && !data) return <ErrorState isPage error={error} what={what} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState what={what} />;
  return (
    <ResourceProject id={data.project_id}>
      <Item kind={kind} item={data} at={at} />
    </ResourceProject>
  );
}

interface Props {
  readonly kind: InventoryKind;
  readonly item: InventoryItem;
  readonly at: string | undefined;
}

function Item({ kind: description, item, at }: Props) {
  const { kind, collection, update } = description;
  const { tab } = route.useSearch();
  const navigate = route.useNavigate();
  const locations = useLocations();
  const hasVariables = 'variables' in item;
  const tabs = INVENTORY_TABS.filter(
    (name) => hasVariables || (name !== 'variables' && name !== 'effect'),
  ).filter((name) => name !== 'effect' || at === undefined);
  const shown = tabs.find((name) => name === tab) ?? tabs[0];
  // Names of cells are unique in their region.
  const name = 'region_id' in item ? `${locations.regionName(item.region_id)}/${item.name}` : nameOf(item);
  const owner = { kind, collection, id: item.id, name };
  return (
    <>
      <Group justify="space-between" gap="sm">
        <Group align="baseline" gap="sm">
          <PageTitle title={`${kindTitle(kind)} ${name}`}>
            {kind === 'cloud' ? name : <LevelMark level={levelOf(kind)}>{nameOf(item)}</LevelMark>}
          </PageTitle>
          <InventoryDevices kind={kind} item={item} isPast={at !== undefined} />
        </Group>
        <Group gap="xs">
          {hasVariables && (
            <RouteLink
              to="/compare"
              search={{
                collection,
                left: item.id,
                left_at: at,
                right: at === undefined ? undefined : item.id,
              }}
              size="sm"
            >
              Compare
            </RouteLink>
          )}
          {at === undefined && (
            <>
              <MemberEditor
                owner={owner}
                // A cell is moved by its regions.
                members={update.filter((member) => member.name !== 'region_id')}
                resource={item}
              />
              <ResourceActions kind={description} name={name} resource={item} />
            </>
          )}
        </Group>
      </Group>
      <div className={classes.columns}>
        <Tabs
          className={classes.main}
          value={shown ?? null}
          keepMounted={false}
          onChange={(value) => {
            const chosen = tabs.find((known) => known === value);
            void navigate({
              search: (former) => ({ ...former, tab: chosen === tabs[0] ? undefined : chosen }),
            });
          }}
        >
          <Tabs.List>
            {tabs.map((one) => (
              <Tabs.Tab key={one} value={one}>
                {TITLES[one]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value="variables" pt="sm">
            {hasVariables && <InventoryVariables owner={owner} variables={item.variables} at={at} />}
          </Tabs.Panel>
          <Tabs.Panel value="effect" pt="sm">
            {hasVariables && <InventoryEffect kind={kind} item={item} variables={item.variables} />}
          </Tabs.Panel>
          <Tabs.Panel value="history" pt="sm">
            <History kind={kind} collection={collection} id={item.id} />
          </Tabs.Panel>
          <Tabs.Panel value="raw" pt="sm">
            <RawJson resource={item} />
          </Tabs.Panel>
        </Tabs>
        <InventoryMembers kind={kind} item={item} />
      </div>
    </>
  );
}
