import { Button, Group, Tabs } from '@mantine/core';
import { ResetIcon } from '@radix-ui/react-icons';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { components } from '@muster/api-types';
import { api, unwrap } from '../../api/client';
import { ChangeImpact } from '../../components/change-impact';
import { ChangedObjects } from '../../components/changed-objects';
import { PageTitle } from '../../components/page-title';
import { planRevert } from '../../components/plan-revert';
import { PreviewedWrite } from '../../components/previewed-write';
import { ResourceProject } from '../../components/resource-project';
import { useFirstMissingRight } from '../../components/rights';
import { rightsToRevert } from '../../components/rights-to-revert';
import { ErrorState, LoadingState } from '../../components/states';
import { useShowCreated } from '../../components/use-show-created';
import { ChangeMembers } from './change-members';
import classes from './change-page.module.css';
import { CHANGE_TABS } from './change-search';

const route = getRouteApi('/signed-in/changes/$id');
const count = new Intl.NumberFormat();

/** One change: what it altered, which devices it affected, and the way to revert it. */
export function ChangePage() {
  const id = Number(route.useParams().id);
  const { tab = 'resources' } = route.useSearch();
  const navigate = route.useNavigate();
  const [isReverting, setReverting] = useState(false);
  const showCreated = useShowCreated('change');
  const {
    data: change,
    error,
    refetch,
  } = useQuery({
    queryKey: ['changes', id],
    queryFn: ({ signal }) => unwrap(api.GET('/v1/changes/{id}', { params: { path: { id } }, signal })),
  });
  if (error && !change)
    return <ErrorState isPage error={error} what="the change" onRetry={() => void refetch()} />;
  if (!change) return <LoadingState what="the change" />;
  return (
    <ResourceProject id={change.project_id}>
      <Group justify="space-between" gap="xs">
        <PageTitle title={`Change ${id}`} />
        <RevertButton
          objects={change.objects}
          onClick={() => {
            setReverting(true);
          }}
        />
      </Group>
      <ChangeMembers change={change} />
      <Tabs
        className={classes.tabs}
        value={tab}
        keepMounted={false}
        onChange={(value) => {
          const chosen = CHANGE_TABS.find((known) => known === value);
          void navigate({ search: { tab: chosen === 'resources' ? undefined : chosen } });
        }}
      >
        <Tabs.List>
          <Tabs.Tab value="resources">What it changed ({count.format(change.objects_total)})</Tabs.Tab>
          <Tabs.Tab value="devices">
            Devices affected{change.impact && ` (${count.format(change.impact.devices)})`}
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="resources" pt="sm">
          <ChangedObjects id={id} />
        </Tabs.Panel>
        <Tabs.Panel value="devices" pt="sm">
          <ChangeImpact id={id} devices={change.impact?.devices ?? null} />
        </Tabs.Panel>
      </Tabs>
      {isReverting && (
        <PreviewedWrite
          write={planRevert(id, change.reason ?? 'a change without a reason')}
          onClose={() => {
            setReverting(false);
          }}
          onApplied={showCreated}
        />
      )}
    </ResourceProject>
  );
}

interface RevertProps {
  readonly objects: components['schemas']['ChangeRecord']['objects'];
  readonly onClick: () => void;
}

/** Says before anything is typed that the user may only propose the revert, or cannot do it. */
function RevertButton({ objects, onClick }: RevertProps) {
  const missing = useFirstMissingRight(rightsToRevert(objects));
  return (
    <Button
      variant="default"
      leftSection={<ResetIcon aria-hidden />}
      title={missing?.message}
      disabled={missing?.canPropose === false}
      onClick={onClick}
    >
      {missing?.canPropose === true ? 'Propose a revert…' : 'Revert…'}
    </Button>
  );
}
