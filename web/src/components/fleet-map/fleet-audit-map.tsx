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
  tileKey,
  regionFilter,
  tilesOf,
} from './fleet-map-queries';
import { FleetMapView } from './fleet-map-view';
import type { FleetTile } from './fleet-tiles';

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

interface VerdictProps extends FleetMapProps {
  readonly audit: Audit;
}

/** What passes is counted by the filters of the expectation. */
function CountedMap(props: VerdictProps) {
  const { search, audit, isByRegion } = props;
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
  const passed = new Map(tilesOf(passing.data).map((tile) => [tileKey(tile), tile.devices]));
  const tiles = tilesOf(all.data).map((tile) => {
    // Devices may change between both counts.
    const pass = Math.min(tile.devices, passed.get(tileKey(tile)) ?? 0);
    return { ...tile, parts: [pass, tile.devices - pass] };
  });
  return <VerdictMap {...props} tiles={tiles} />;
}

/** The locations that a run counts at most. */
const MAX_LOCATIONS = 1_000;

/** Only a run checks some expectations. It is not stored, because a map is only looked at. */
function RunMap(props: VerdictProps) {
  const { search, audit, isByRegion = false } = props;
  const { regionName, cellName } = useLocations();
  const { data, dataUpdatedAt, error, refetch } = useInfiniteQuery({
    ...failuresQuery(audit.id, { region_id: search.region }),
    staleTime: Infinity,
  });
  if (error && !data)
    return <ErrorState error={error} what="the result of the audit" onRetry={() => void refetch()} />;
  if (!data) return <LoadingState what="the result of the audit" />;
  const tiles = new Map<string, FleetTile>();
  const { locations = [] } = data.pages[0] ?? {};
  for (const { region_id, cell_id, devices, failed } of locations) {
    const region = { id: region_id, name: regionName(region_id) };
    const cell = isByRegion || cell_id === null ? null : { id: cell_id, name: cellName(cell_id) };
    const key = tileKey({ region, cell });
    const {
      devices: others,
      parts: [pass = 0, fail = 0],
    } = tiles.get(key) ?? { devices: 0, parts: [] };
    const parts = [pass + devices - failed, fail + failed];
    tiles.set(key, { region, cell, devices: others + devices, parts });
  }
  return (
    <>
      <Text size="sm" c="dimmed">
        Counted <TimeStamp time={new Date(dataUpdatedAt).toISOString()} />
        {locations.length === MAX_LOCATIONS &&
          `. The ${counted(MAX_LOCATIONS, 'cell')} with the most failing devices are shown: choose a region for its others.`}
      </Text>
      <VerdictMap {...props} tiles={[...tiles.values()]} />
    </>
  );
}

interface VerdictMapProps extends VerdictProps {
  /** Their parts are what passes and what fails. */
  readonly tiles: readonly FleetTile[];
}

function VerdictMap({ search, audit, tiles, isTable = false, isByRegion = false }: VerdictMapProps) {
  const { kind } = audit;
  if (tiles.length === 0)
    return <EmptyState title="No devices are audited">Change the filters of the audit.</EmptyState>;
  const collection = kind === null ? undefined : deviceKind(kind)?.collection;
  const columns = [...LIST_COLUMNS, ...audit.keys.map(variableColumn)];
  const passing = isCountable(audit)
    ? listIn(collection, joinedFilters(audit, audit.expectation), columns)
    : undefined;
  return (
    <FleetMapView
      categories={verdictsOf(audit.id, search.region, passing)}
      {...{ tiles, isTable, isByRegion, collection }}
      listOf={listIn(collection, joinedFilters(audit), columns)}
    />
  );
}
