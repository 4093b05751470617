import { useQuery } from '@tanstack/react-query';
import type { components } from '@muster/api-types';
import { jsonText } from '../../api/exact-json';
import { NO_ID } from '../../app/search-params';
import { useProjectId } from '../../app/use-project';
import { beginningOf } from '../beginning-of';
import { filtersOf } from '../list-search';
import { EmptyState, ErrorState, LoadingState } from '../states';
import { devicesWith, devicesWithout, valuesQuery } from '../value-distribution';
import { variableColumn } from '../variable-column';
import { VariableValue } from '../variable-value';
import {
  type Category,
  collectionOf,
  countsQuery,
  type FleetMapProps,
  kindOf,
  LIST_COLUMNS,
  listIn,
  regionFilter,
  STALE_TIME,
  tilesOf,
} from './fleet-map-queries';
import { FleetMapView } from './fleet-map-view';
import { type CountedValues, type FleetTile, partsByAgreement, partsByValue } from './fleet-tiles';

type Distribution = components['schemas']['GroupDistribution'];

/** The most frequent values have a colour each. */
const MAX_VALUES = 6;
/** Groups that are read, as many as the API counts. */
const MAX_GROUPS = 1_000;
const FIRST_LETTER = 'A'.codePointAt(0) ?? 0;
/** Of a value in the description of a tile. */
const MAX_NAME_LENGTH = 60;

const AGREEMENT: readonly Category[] = [
  { id: 'same', mark: '=', colour: '0', name: 'like most of their tile' },
  { id: 'different', mark: '≠', colour: '5', name: 'different' },
];

const OTHERS: Category = { id: 'others', mark: '*', colour: 'other', name: 'other values', isOptional: true };
const NOT_SET: Category = { id: 'none', mark: '–', colour: 'none', name: 'not set', isOptional: true };

interface Props extends FleetMapProps {
  readonly name: string;
}

/** The fleet by the values of a variable, or by where devices of one tile have different values. */
export function FleetVariableMap({ search, name, isTable = false, isByRegion = false }: Props) {
  const project_id = useProjectId();
  const counted = { collection: search.collection, ...regionFilter(search) };
  const inTiles = useQuery(
    countsQuery(project_id, { kind: kindOf(search), ...filtersOf(regionFilter(search)) }, isByRegion),
  );
  const groups = { group_limit: MAX_GROUPS };
  const byCell = useQuery({
    ...valuesQuery(project_id, name, counted, MAX_VALUES, { group_by: 'cell', ...groups }),
    staleTime: STALE_TIME,
    enabled: !isByRegion,
  });
  // Among the groups by cell, that of no cell has devices of all regions.
  const inRegions = isByRegion ? counted : { ...counted, cell_id: [NO_ID] as (number | typeof NO_ID)[] };
  const byRegion = useQuery({
    ...valuesQuery(project_id, name, inRegions, MAX_VALUES, { group_by: 'region', ...groups }),
    staleTime: STALE_TIME,
  });
  const whole = isByRegion ? byRegion : byCell;
  const reads = [inTiles, byRegion, whole];
  const error = reads.map((read) => read.error).find((one) => one !== null);
  if (error && reads.some(({ data }) => !data)) {
    const retry = () => void Promise.all(reads.map((read) => read.refetch()));
    return <ErrorState error={error} what="the map" onRetry={retry} />;
  }
  if (!inTiles.data || !byRegion.data || !whole.data) return <LoadingState what="the map" />;
  const { data } = whole;
  const { devices, without, values } = data;
  if (devices === 0)
    return <EmptyState title="No devices">Choose another kind of device, or another region.</EmptyState>;
  const legend = values.map(({ value }) => jsonText(value));
  const isByAgreement = search.show === 'disagreement';
  const ofCells = new Map(byCell.data?.groups?.map((group) => [group.cell?.id, group]));
  const ofRegions = new Map(byRegion.data.groups?.map((group) => [group.region?.id, group]));
  const all = tilesOf(inTiles.data);
  const tiles = all.flatMap((tile): FleetTile[] => {
    const group = tile.cell ? ofCells.get(tile.cell.id) : ofRegions.get(tile.region.id);
    if (!group) return [];
    const groupValues = countedValues(group);
    const parts = isByAgreement ? partsByAgreement(groupValues) : partsByValue(groupValues, legend);
    return [{ ...tile, devices: group.devices, parts }];
  });
  const valueCategories = values.map(({ value }, i): Category => ({
    id: legend[i] ?? '',
    mark: String.fromCodePoint(FIRST_LETTER + i),
    colour: String(i),
    name: beginningOf(legend[i] ?? '', MAX_NAME_LENGTH),
    title: <VariableValue value={value} isBrief />,
    link: devicesWith(name, value, data, counted),
  }));
  const notSet = { ...NOT_SET, link: devicesWithout(name, counted) };
  // The legend leads to lists of all devices, also those of tiles that are not shown.
  const counts = isByAgreement
    ? undefined
    : { devices, parts: partsByValue(countedValues({ devices, without, values }), legend) };
  return (
    <FleetMapView
      categories={isByAgreement ? AGREEMENT : [...valueCategories, OTHERS, notSet]}
      tiles={tiles}
      counts={counts}
      tileCount={all.length}
      isTable={isTable}
      isByRegion={isByRegion}
      collection={collectionOf(search)}
      listOf={listIn(search.collection, {}, [...LIST_COLUMNS, variableColumn(name)])}
    />
  );
}

const countedValues = ({
  devices,
  without,
  values,
}: Pick<Distribution, 'devices' | 'without' | 'values'>): CountedValues => ({
  devices,
  without,
  values: values.map(({ value, devices: number }) => ({ text: jsonText(value), devices: number })),
});
