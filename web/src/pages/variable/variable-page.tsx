import { Button, Group, Tabs } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { isAdmin, sessionQuery } from '../../api/session';
import { definitionsQuery, describesKey } from '../../api/variable-definitions';
import { useProjectId } from '../../app/use-project';
import { lazyComponent } from '../../components/lazy-component';
import { PageTitle } from '../../components/page-title';
import { RouteLink } from '../../components/resource-link';
import { LoadingState } from '../../components/states';
import { CountedDevices } from './counted-devices';
import { Values } from './values';
import classes from './variable-page.module.css';
import { VARIABLE_TABS, type VariableSearch } from './variable-search';

// Only the first tab is needed at once.
const ValueGroups = lazyComponent(
  () => import('./value-groups').then(({ ValueGroups: component }) => component),
  {
    fallback: <LoadingState what="the tab" />,
  },
);
const Assignments = lazyComponent(
  () => import('./assignments').then(({ Assignments: component }) => component),
  {
    fallback: <LoadingState what="the tab" />,
  },
);
const Definitions = lazyComponent(
  () => import('./definitions').then(({ Definitions: component }) => component),
  {
    fallback: <LoadingState what="the tab" />,
  },
);

const route = getRouteApi('/signed-in/variables/$key');

const TITLES: Readonly<Record<(typeof VARIABLE_TABS)[number], string>> = {
  values: 'Values',
  groups: 'Groups',
  assignments: 'Set by',
  definition: 'Definition',
};

/** One variable: its resolved values, who sets it, and what is valid. */
export function VariablePage() {
  const { key } = route.useParams();
  const search = route.useSearch();
  const { tab = 'values' } = search;
  const navigate = route.useNavigate();
  const change = (changed: VariableSearch, replace = false) => {
    void navigate({ search: (former) => ({ ...former, ...changed }), replace });
  };
  const isUndefined = useIsUndefined(key);
  const filters = <CountedDevices search={search} onChange={change} />;
  return (
    <>
      <Group justify="space-between" gap="xs">
        <PageTitle title={`Variable ${key}`} ff="monospace">
          {key}
        </PageTitle>
        <Group gap="sm">
          <RouteLink to="/map" search={{ key, collection: search.collection }} size="sm">
            Fleet map
          </RouteLink>
          {isUndefined && (
            <Button
              variant="default"
              onClick={() => {
                // The tab lists what violates the definition then.
                change({ tab: 'definition', define: true });
              }}
            >
              Define…
            </Button>
          )}
        </Group>
      </Group>
      <Tabs
        className={classes.tabs}
        value={tab}
        keepMounted={false}
        onChange={(value) => {
          const chosen = VARIABLE_TABS.find((known) => known === value);
          change({ tab: chosen === 'values' ? undefined : chosen, define: undefined });
        }}
      >
        <Tabs.List>
          {VARIABLE_TABS.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {TITLES[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="values" pt="sm">
          {filters}
          <Values name={key} search={search} />
        </Tabs.Panel>
        <Tabs.Panel value="groups" pt="sm">
          {filters}
          <ValueGroups name={key} search={search} onChange={change} />
        </Tabs.Panel>
        <Tabs.Panel value="assignments" pt="sm" className={classes.fill}>
          <Assignments name={key} />
        </Tabs.Panel>
        <Tabs.Panel value="definition" pt="sm">
          <Definitions
            name={key}
            isDefining={search.define === true}
            onDefine={(isDefining) => {
              // Back opens no form that was closed.
              change({ define: isDefining || undefined }, !isDefining);
            }}
          />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

/** Whether no definition describes a key, and the user may create one. */
function useIsUndefined(key: string): boolean {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { data } = useQuery({ ...definitionsQuery(useProjectId()), enabled: isAdmin(session) });
  return data !== undefined && !data.some(({ key: pattern = '' }) => describesKey(pattern, key));
}
