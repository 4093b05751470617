import { useQuery } from '@tanstack/react-query';
import { type Audit, auditQuery } from '../../api/audits';
import { deviceKind } from '../../api/kinds';
import { present } from '../../app/search-params';
import { useProjectId } from '../../app/use-project';
import { filtersOf, type ListSearch } from '../list-search';
import { ResourceLink } from '../resource-link';
import { EmptyState, ErrorState, LoadingState } from '../states';
import { variableColumn } from '../variable-column';
import { isCountable, joinedFilters } from './audit-filters';
import {
  type Category,
  countsQuery,
  type FleetMapProps,
  LIST_COLUMNS,
  listIn,
  placeOf,
  regionFilter,
  tilesOf,
} from './fleet-map-queries';
import { FleetMapView } from './fleet-map-view';

const VERDICTS: readonly Category[] = [
  { id: 'pass', mark: '✓', colour: '0', name: 'pass' },
  { id: 'fail', mark: '✗', colour: '5', name: 'fail' },
];

/** The fleet by the verdict of an audit. */
export function FleetAuditMap({ audit: id, ...props }: FleetMapProps & { readonly audit: number }) {
  const { data, error, refetch } = useQuery(auditQuery(id));
  if (error && !data) return <ErrorState error={error} what="the audit" onRetry={() => void refetch()} />;
  if (!data) return <LoadingState what="the audit" />;
  if (!isCountable(data))
    return (
      <EmptyState title="This audit has no map">
        {data.expectation.schema === undefined
          ? 'It has more filters than one request for the map.'
          : 'It expects a JSON Schema, which only a run checks.'}{' '}
        Open <ResourceLink kind="audit" id={data.id} name={data.name} /> to see where devices fail.
      </EmptyState>
    );
  return <VerdictMap {...props} audit={data} />;
}

interface VerdictProps extends FleetMapProps {
  readonly audit: Audit;
}

/** What passes is counted by the filters of the expectation. */
function VerdictMap({ search, audit, isTable = false, isByRegion = false }: VerdictProps) {
  const project_id = useProjectId();
  const { kind, expectation } = audit;
  const counts = (filters: ListSearch) =>
    countsQuery(
      project_id,
      {
        ...present({ kind: kind ?? undefined }),
        ...filtersOf({ ...filters, ...regionFilter(search) }),
      },
      isByRegion,
    );
  const all = useQuery(counts(joinedFilters(audit)));
  const passing = useQuery(counts(joinedFilters(audit, expectation)));
  const error = all.error ?? passing.error;
  if (error && !(all.data && passing.data)) {
    const retry = () => void Promise.all([all.refetch(), passing.refetch()]);
    return <ErrorState error={error} what="the map" onRetry={retry} />;
  }
  if (!all.data || !passing.data) return <LoadingState what="the map" />;
  const passed = new Map(tilesOf(passing.data).map((tile) => [placeOf(tile), tile.devices]));
  const tiles = tilesOf(all.data).map((tile) => {
    // Devices may change between both counts.
    const pass = Math.min(tile.devices, passed.get(placeOf(tile)) ?? 0);
    return { ...tile, parts: [pass, tile.devices - pass] };
  });
  if (tiles.length === 0)
    return <EmptyState title="No devices are audited">Change the filters of the audit.</EmptyState>;
  const collection = kind === null ? undefined : deviceKind(kind)?.collection;
  const columns = [...LIST_COLUMNS, ...audit.keys.map(variableColumn)];
  return (
    <FleetMapView
      categories={VERDICTS}
      {...{ tiles, isTable, isByRegion, collection }}
      listOf={listIn(collection, joinedFilters(audit), columns)}
    />
  );
}
