import { linkOptions, type LinkOptions } from '@tanstack/react-router';
import type { components, paths } from '@muster/api-types';
import { deviceKinds } from '@muster/api-types';
import type { ReactNode } from 'react';
import { api, unwrap } from '../../api/client';
import { defaultKind, type DeviceCollection } from '../../api/kinds';
import { NO_ID } from '../../app/search-params';
import type { ListSearch } from '../list-search';
import type { FleetTile } from './fleet-tiles';

/** What a fleet map shows. */
export interface FleetMapSearch {
  readonly collection?: DeviceCollection | undefined;
  /** Only this region. */
  readonly region?: number | undefined;
  /** The variable that gives tiles their colours. */
  readonly key?: string | undefined;
  readonly show?: 'disagreement' | undefined;
  /** The audit whose verdict gives tiles their colours. */
  readonly audit?: number | undefined;
}

export interface FleetMapProps {
  readonly search: FleetMapSearch;
  readonly isTable?: boolean;
  /** Whether each region is one tile; otherwise each cell is. The tiles of an audit are cells. */
  readonly isByRegion?: boolean;
}

/** What devices are counted by: a value, a state or a verdict. */
export interface Category {
  readonly id: string;
  /** One character in tiles and in the legend: colours are not the only difference. */
  readonly mark: string;
  /** The name of its colour in fleet-map.module.css. */
  readonly colour: string;
  /** For the descriptions of tiles. */
  readonly name: string;
  /** In the legend; by default its name. */
  readonly title?: ReactNode;
  /** The list of its devices. */
  readonly link?: LinkOptions | undefined;
  /** The list of its devices in a region, or in one of its cells; `NO_ID`: in none. */
  readonly listOf?: FleetMapData['listOf'];
  /** Whether the legend omits it if it has no devices. */
  readonly isOptional?: boolean;
}

export interface FleetMapData {
  readonly categories: readonly Category[];
  readonly tiles: readonly FleetTile[];
  /** Where a region, or one of its cells, leads to: the list of its devices, if they have one kind; `NO_ID`: of those in no cell. */
  readonly listOf: (region: number, cell?: number | typeof NO_ID) => LinkOptions;
}

/** Groups that are read, as many as the API counts. */
const MAX_GROUPS = 10_000;
/** Counting takes time in large fleets (ms). */
export const STALE_TIME = 60_000;
export const LIST_COLUMNS: readonly string[] = ['name', 'region_id', 'cell_id', 'labels'];

/** The filter by region. */
export const regionFilter = ({ region }: FleetMapSearch): ListSearch =>
  region === undefined ? {} : { region_id: [region] };

export const collectionOf = ({ collection }: FleetMapSearch) => collection ?? defaultKind.collection;

export const kindOf = (search: FleetMapSearch) =>
  (deviceKinds.find(({ collection }) => collection === search.collection) ?? defaultKind).kind;

/** Leads to the devices of a region, or of a cell of it; `NO_ID`: to those in no cell. */
export const listIn =
  (collection: DeviceCollection | undefined, filters: ListSearch, columns?: readonly string[]) =>
  (region: number, cell?: number | typeof NO_ID): LinkOptions =>
    linkOptions({
      to: '/devices',
      search: {
        collection,
        ...filters,
        region_id: [region],
        ...(cell !== undefined && { cell_id: [cell] }),
        ...(columns && { columns: [...columns] }),
      },
    });

/** Leads to the page of a cell, or else of the region: no list has the devices of all kinds. */
export const locationLink = (region: number, cell?: number | typeof NO_ID): LinkOptions =>
  linkOptions({
    to: '/inventory/$collection/$id',
    params:
      typeof cell === 'number'
        ? { collection: 'cells', id: String(cell) }
        : { collection: 'regions', id: String(region) },
    search: {},
  });

type CountsQuery = NonNullable<paths['/v1/devices/counts']['get']['parameters']['query']>;
type Counts = components['schemas']['DeviceCounts'];

/** The numbers of devices in the regions and their cells, by state. */
export const countsQuery = (
  project_id: string,
  filters: Omit<CountsQuery, 'project_id'>,
  isByRegion = false,
) => {
  const query: CountsQuery = {
    ...{ project_id, group_by: isByRegion ? ['region', 'active'] : ['region', 'cell', 'active'] },
    ...{ limit: MAX_GROUPS, ...filters },
  };
  return {
    queryKey: ['device-counts', project_id, 'map', query],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      unwrap(api.GET('/v1/devices/counts', { params: { query }, signal })),
    staleTime: STALE_TIME,
  };
};

/** The tiles of counts. Their parts are the active and the inactive devices. */
export function tilesOf({ groups }: Counts): readonly FleetTile[] {
  const tiles = new Map<string, FleetTile>();
  for (const { region, cell = null, devices, active } of groups) {
    if (!region) continue;
    const key = tileKey({ region, cell });
    const [on = 0, off = 0] = tiles.get(key)?.parts ?? [];
    const parts = active === true ? [on + devices, off] : [on, off + devices];
    tiles.set(key, { region, cell, devices: on + off + devices, parts });
  }
  return [...tiles.values()];
}

/** Identifies a tile. */
export const tileKey = ({ region, cell }: Pick<FleetTile, 'region' | 'cell'>): string =>
  `${region.id}/${cell?.id ?? ''}`;
