import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { components } from '@muster/api-types';
import { api, unwrap } from '../../api/client';
import { deviceCollections } from '../../api/kinds';
import { useProjectId } from '../../app/use-project';
import { counted } from '../../components/counted';
import { DistributionBars } from '../../components/distribution-bars';
import { RouteLink } from '../../components/resource-link';
import { EmptyState, ErrorState, LoadingState } from '../../components/states';
import { valuesQuery } from '../../components/value-distribution';

/** Keys that are shown: each is one count over all devices of the default kind. */
const MAX_KEYS = 4;
const MAX_VALUES = 5;
/** Keys that are compared. */
const MAX_READ = 1_000;
/** Counting takes time in large fleets, and the picture changes slowly (ms). */
const STALE_TIME = 300_000;

/**
 * The number of levels that set a key for which a broader level sets a default; 0 for facts about single devices, such as
 * serial numbers, and for keys that one level sets for all.
 */
function settingsOf({
  regions = 0,
  cells = 0,
  labels = 0,
  ...key
}: components['schemas']['VariableKeyListItem']) {
  const broad = regions + cells + labels;
  const all = deviceCollections.reduce((sum, collection) => sum + (key[collection] ?? 0), broad);
  return broad === 0 || all === 1 ? 0 : all;
}

/** The keys that the most levels set differently, each with the values that devices of the default kind resolve. */
export function Disagreement() {
  const project_id = useProjectId();
  const { data, error, refetch } = useQuery({
    queryKey: ['variable-keys', project_id, 'disagreement'],
    queryFn: async ({ signal }) => {
      const query = { project_id, limit: MAX_READ };
      const keys = await unwrap(api.GET('/v1/variable-keys', { params: { query }, signal }));
      return keys
        .filter((key) => settingsOf(key) > 0)
        .toSorted((a, b) => settingsOf(b) - settingsOf(a))
        .slice(0, MAX_KEYS)
        .map(({ key = '' }) => key);
    },
    staleTime: STALE_TIME,
  });
  if (error && !data) return <ErrorState error={error} what="the variables" onRetry={() => void refetch()} />;
  if (!data) return <LoadingState what="the variables" />;
  if (data.length === 0)
    return (
      <EmptyState title="All agree">
        Variables that several regions, cells, labels or devices set appear here.
      </EmptyState>
    );
  return (
    <>
      {data.map((key) => (
        <KeyDistribution key={key} name={key} />
      ))}
      <RouteLink to="/variables" size="sm">
        All variables
      </RouteLink>
    </>
  );
}

function KeyDistribution({ name }: { readonly name: string }) {
  const query = valuesQuery(useProjectId(), name, {}, MAX_VALUES);
  const { data, error, refetch } = useQuery({ ...query, staleTime: STALE_TIME });
  return (
    <>
      <Title order={3}>
        <RouteLink to="/variables/$key" params={{ key: name }} ff="monospace" size="sm">
          {name}
        </RouteLink>
      </Title>
      {error && !data && <ErrorState error={error} what="the values" onRetry={() => void refetch()} />}
      {!data && !error && <LoadingState what="the values" />}
      {data && <DistributionBars name={name} search={{}} data={data} />}
      {data && data.distinct > data.values.length && (
        <RouteLink to="/variables/$key" params={{ key: name }} size="xs">
          {counted(data.distinct - data.values.length, 'more value')}
        </RouteLink>
      )}
    </>
  );
}
