import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { linkOptions } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useProjectId } from '../../app/use-project';
import { WaysIn } from '../lazy-ways-in';
import { filtersOf } from '../list-search';
import { ErrorState, LoadingState } from '../states';
import { FleetAuditMap } from './fleet-audit-map';
import {
  type Category,
  collectionOf,
  countsQuery,
  type FleetMapProps,
  kindOf,
  listIn,
  regionFilter,
  tilesOf,
} from './fleet-map-queries';
import { FleetMapView } from './fleet-map-view';
import { FleetVariableMap } from './fleet-variable-map';

/** The fleet by state, by a variable, or by the verdict of an audit. */
export function FleetMap(props: FleetMapProps) {
  const { key, audit } = props.search;
  if (audit !== undefined) return <FleetAuditMap {...props} audit={audit} />;
  if (key !== undefined) return <FleetVariableMap {...props} name={key} />;
  return <StateMap {...props} />;
}

const STATES: readonly Category[] = [
  { id: 'active', mark: 'A', colour: '0', name: 'active' },
  { id: 'inactive', mark: 'I', colour: '1', name: 'inactive' },
];

function StateMap({ search, isTable = false, isByRegion = false }: FleetMapProps) {
  const query = { kind: kindOf(search), ...filtersOf(regionFilter(search)) };
  const { data, error, refetch } = useQuery(countsQuery(useProjectId(), query, isByRegion));
  const tiles = useMemo(() => data && tilesOf(data), [data]);
  if (error && !data) return <ErrorState error={error} what="the map" onRetry={() => void refetch()} />;
  if (!tiles) return <LoadingState what="the map" />;
  if (tiles.length === 0)
    return isByRegion ? (
      <Text size="sm" c="dimmed">
        Regions with devices appear here.
      </Text>
    ) : (
      <WaysIn />
    );
  const collection = collectionOf(search);
  const categories = STATES.map((state, i) => ({
    ...state,
    link: linkOptions({ to: '/devices', search: { collection, ...regionFilter(search), active: i === 0 } }),
  }));
  return (
    <FleetMapView
      {...{ categories, tiles, isTable, isByRegion, collection }}
      listOf={listIn(search.collection, {})}
    />
  );
}
