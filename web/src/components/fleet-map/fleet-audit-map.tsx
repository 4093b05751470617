import { Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { linkOptions } from '@tanstack/react-router';
import { type Audit, type AuditedPart, auditQuery, failuresQuery } from '../../api/audits';
import { deviceKind } from '../../api/kinds';
import { useLocations } from '../../api/locations';
import { present } from '../../app/search-params';
import { useProjectId } from '../../app/use-project';
import { counted } from '../counted';
import { filtersOf, type ListSearch } from '../list-search';
import { EmptyState, ErrorState, LoadingState } from '../states';
import { TimeStamp } from '../time-stamp';
import { variableColumn } from '../variable-column';
import { isCountable, joinedFilters } from './audit-filters';
import {
  type Category,
  countsQuery,
  type FleetMapProps,
  LIST_COLUMNS,
  listIn,
  locationLink,
  tileKey,
  regionFilter,
  tilesOf,
} from './fleet-map-queries';
import { FleetMapView } from './fleet-map-view';
import { countsOf, type DeviceCounts, type FleetTile, tilesOfRun } from './fleet-tiles';

/**
 * Which devices fail is on the page of the audit.
 * @param passing the lists of the devices that pass; undefined: filters cannot select them
 */
function verdictsOf(
  audit: number,
  region: number | undefined,
  passing: Category['listOf'],
): readonly Category[] {
  const failing = (search: AuditedPart) =>
    linkOptions({ to: '/audits/$id', params: { id: String(audit) }, search });
  return [
    { ...{ id: 'pass', mark: '✓', colour: '0', name: 'pass' }, ...(passing && { listOf: passing }) },
    {
      ...{ id: 'fail', mark: '✗', colour: '5', name: 'fail' },
      link: failing({ region_id: region }),
      listOf: (of, cell) => failing({ region_id: of, cell_id: cell }),
    },
  ];
}

/** The fleet by the verdict of an audit. */
export function FleetAuditMap({ audit: id, ...props }: FleetMapProps & { readonly audit: number }) {
  const { data, error, refetch } = useQuery(auditQuery(id));
  if (error && !data) return <ErrorState error={error} what="the audit" onRetry={() => void refetch()} />;
  if (!data) return <LoadingState what="the audit" />;
  return isCountable(data) ? <CountedMap {...props} audit={data} /> : <RunMap {...props} audit={data} />;
}

interface VerdictProps extends Omit<FleetMapProps, 'isByRegion'> {
  readonly audit: Audit;
}

/** What passes is counted by the filters of the expectation. */
function CountedMap(props: VerdictProps) {
  const { search, audit } = props;
  const project_id = useProjectId();
  const { kind, expectation } = audit;
  const counts = (filters: ListSearch) =>
    countsQuery(project_id, {
      ...present({ kind: kind ?? undefined }),
      ...filtersOf({ ...filters, ...regionFilter(search) }),
    });
  const all = useQuery(counts(joinedFilters(audit)));
  const passing = useQuery(counts(joinedFilters(audit, expectation)));
  const error = all.error ?? passing.error;
  if (error && !(all.data && passing.data)) {
    const retry = () => void Promise.all([all.refetch(), passing.refetch()]);
    return <ErrorState error={error} what="the map" onRetry={retry} />;
  }
  if (!all.data || !passing.data) return <LoadingState what="the map" />;
  const passed = new Map(tilesOf(passing.data).map((tile) => [tileKey(tile), tile.devices]));
  const tiles = tilesOf(all.data).map((tile) => {
    // Devices may change between both counts.
    const pass = Math.min(tile.devices, passed.get(tileKey(tile)) ?? 0);
    return { ...tile, parts: [pass, tile.devices - pass] };
  });
  return <VerdictMap {...props} tiles={tiles} />;
}

/** Only a run checks some expectations. It is not stored, because a map is only looked at. */
function RunMap(props: VerdictProps) {
  const { search, audit } = props;
  const names = useLocations();
  const { data, dataUpdatedAt, error, refetch } = useInfiniteQuery({
    ...failuresQuery(audit.id, { region_id: search.region }),
    staleTime: Infinity,
  });
  if (error && !data)
    return <ErrorState error={error} what="the result of the audit" onRetry={() => void refetch()} />;
  if (!data) return <LoadingState what="the result of the audit" />;
  const [run] = data.pages;
  if (!run) return null;
  const { tiles, counts } = tilesOfRun(run, names);
  const isCut = countsOf(tiles, 0).devices < counts.devices;
  return (
    <>
      <Text size="sm" c="dimmed">
        Counted <TimeStamp time={new Date(dataUpdatedAt).toISOString()} />
        {isCut &&
          `. The ${counted(tiles.length, 'cell')} with the most failing devices are shown: choose a region for its others.`}
      </Text>
      <VerdictMap {...props} tiles={tiles} counts={counts} />
    </>
  );
}

interface VerdictMapProps extends VerdictProps {
  /** Their parts are what passes and what fails. */
  readonly tiles: readonly FleetTile[];
  readonly counts?: DeviceCounts;
}

function VerdictMap({ search, audit, tiles, counts, isTable = false }: VerdictMapProps) {
  const { kind } = audit;
  if (tiles.length === 0)
    return <EmptyState title="No devices are audited">Change the filters of the audit.</EmptyState>;
  const columns = [...LIST_COLUMNS, ...audit.keys.map(variableColumn)];
  const collection = kind === null ? undefined : deviceKind(kind)?.collection;
  const passing =
    collection !== undefined && isCountable(audit)
      ? listIn(collection, joinedFilters(audit, audit.expectation), columns)
      : undefined;
  return (
    <FleetMapView
      categories={verdictsOf(audit.id, search.region, passing)}
      {...{ tiles, counts, isTable, collection }}
      listOf={collection === undefined ? locationLink : listIn(collection, joinedFilters(audit), columns)}
    />
  );
}
