import { queryOptions, useQuery } from '@tanstack/react-query';
import { useProjectId } from '../app/use-project';
import { api, unwrap } from './client';

/** Of more clouds, regions or cells than this, the others are shown by their ids. */
const MAX_LOCATIONS = 10_000;

const cloudsQuery = (project_id: string) =>
  queryOptions({
    queryKey: ['clouds', project_id, 'names'],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/v1/clouds', {
          params: {
            query: { project_id, fields: ['id', 'name'], sort_keys: ['name:natural'], limit: MAX_LOCATIONS },
          },
          signal,
        }),
      ),
    staleTime: 300_000,
  });

const regionsQuery = (project_id: string) =>
  queryOptions({
    queryKey: ['regions', project_id, 'names'],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/v1/regions', {
          params: {
            query: { project_id, fields: ['id', 'name'], sort_keys: ['name:natural'], limit: MAX_LOCATIONS },
          },
          signal,
        }),
      ),
    staleTime: 300_000,
  });

const cellsQuery = (project_id: string) =>
  queryOptions({
    queryKey: ['cells', project_id, 'names'],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/v1/cells', {
          params: {
            query: {
              project_id,
              fields: ['id', 'name', 'region_id'],
              sort_keys: ['name:natural'],
              limit: MAX_LOCATIONS,
            },
          },
          signal,
        }),
      ),
    staleTime: 300_000,
  });

interface NamedItem {
  readonly id: number;
  readonly name: string;
}

interface Cell extends NamedItem {
  readonly region_id: number;
}

/** The regions and cells of the project, by name, and the names of their ids. */
export interface Locations {
  /** Whether names are still being read. */
  readonly isPending: boolean;
  readonly regions: readonly NamedItem[];
  readonly cells: readonly Cell[];
  readonly regionName: (id: number) => string;
  /** The name of a cell, where text names its region: cells of several regions have the same name. */
  readonly cellName: (id: number) => string;
  /**
   * `north/rack-1`: the name of a cell with its region. It identifies the cell.
   * @param name the name, if it is known: a deleted cell is not among the locations
   */
  readonly cellTitle: (id: number, name?: string) => string;
}

/** Shown while a name is read. */
export const UNREAD_NAME = '…';

/** What is shown for a resource that was deleted, or is too new. */
export const unknownName = (id: number): string => `#${id}`;

const nameIn = (
  locations: readonly NamedItem[] | undefined,
  isPending: boolean,
): ((id: number) => string) => {
  const names = new Map(locations?.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? (isPending ? UNREAD_NAME : unknownName(id));
};

/** The regions and cells of the project. The names of those that are deleted or new are ids. */
export function useLocations(): Locations {
  const project = useProjectId();
  const regions = useQuery({
    ...regionsQuery(project),
    select: (items) => items.map(({ id = 0, name = '' }) => ({ id, name })),
  });
  const cells = useQuery({
    ...cellsQuery(project),
    select: (items) => items.map(({ id = 0, name = '', region_id = 0 }) => ({ id, name, region_id })),
  });
  const regionName = nameIn(regions.data, regions.isPending);
  const cellName = nameIn(cells.data, cells.isPending);
  const regionOf = new Map(cells.data?.map(({ id, region_id }) => [id, region_id]));
  return {
    isPending: regions.isPending || cells.isPending,
    regions: regions.data ?? [],
    cells: cells.data ?? [],
    regionName,
    cellName,
    cellTitle: (id, name) => {
      const region = regionOf.get(id);
      return region === undefined ? (name ?? cellName(id)) : `${regionName(region)}/${cellName(id)}`;
    },
  };
}

/** The clouds of the project, by name, and the names of their ids. */
export function useClouds(): {
  readonly clouds: readonly NamedItem[];
  readonly cloudName: (id: number) => string;
} {
  const { data, isPending } = useQuery({
    ...cloudsQuery(useProjectId()),
    select: (items) => items.map(({ id = 0, name = '' }) => ({ id, name })),
  });
  return { clouds: data ?? [], cloudName: nameIn(data, isPending) };
}
