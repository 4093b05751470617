import {
  hashKey,
  queryOptions,
  useQuery,
  useQueryClient,
  type QueryClient,
  type QueryKey,
} from '@tanstack/react-query';
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

/** The ids for which names were read again. */
const refetchedIds = new Set<string>();

/**
 * Reads names again for an id that is greater than all of theirs: its resource was created after they were read. Once for each id,
 * because it may have been deleted since.
 */
function readNewNames(
  client: QueryClient,
  queryKey: QueryKey,
  { data, isFetching, isError }: ReadNames,
  id: number,
): void {
  const refetched = hashKey([...queryKey, id]);
  if (!data || data.length === MAX_LOCATIONS || refetchedIds.has(refetched)) return;
  if (data.some((one) => one.id >= id)) return;
  // A read that is under way may be older than the resource: what it returns is looked at first. The next page repeats one that failed.
  if (isFetching || isError) return;
  const updates = () => client.getQueryState(queryKey)?.dataUpdateCount ?? 0;
  const before = updates();
  const read = async () => {
    // One read is enough for all ids that are shown.
    await client.refetchQueries({ queryKey, exact: true }, { cancelRefetch: false });
    // Not if it has failed, or was cancelled because the page was left.
    if (updates() > before) refetchedIds.add(refetched);
  };
  // After the component that shows the name is rendered.
  queueMicrotask(() => void read());
}

interface ReadNames {
  readonly data: readonly NamedItem[] | undefined;
  readonly isPending: boolean;
  readonly isFetching: boolean;
  readonly isError: boolean;
}

const nameIn = (
  { data, isPending }: ReadNames,
  onUnknown: (id: number) => void,
): ((id: number) => string) => {
  const names = new Map(data?.map(({ id, name }) => [id, name]));
  return (id) => {
    const name = names.get(id);
    if (name === undefined) onUnknown(id);
    return name ?? (isPending ? UNREAD_NAME : unknownName(id));
  };
};

/** The regions and cells of the project. The names of those that are deleted, or being read, are ids. */
export function useLocations(): Locations {
  const project = useProjectId();
  const client = useQueryClient();
  const regions = useQuery({
    ...regionsQuery(project),
    select: (items) => items.map(({ id = 0, name = '' }) => ({ id, name })),
  });
  const cells = useQuery({
    ...cellsQuery(project),
    select: (items) => items.map(({ id = 0, name = '', region_id = 0 }) => ({ id, name, region_id })),
  });
  const regionName = nameIn(regions, (id) => {
    readNewNames(client, regionsQuery(project).queryKey, regions, id);
  });
  const onUnknownCell = (id: number) => {
    readNewNames(client, cellsQuery(project).queryKey, cells, id);
  };
  const cellName = nameIn(cells, onUnknownCell);
  const regionOf = new Map(cells.data?.map(({ id, region_id }) => [id, region_id]));
  return {
    isPending: regions.isPending || cells.isPending,
    regions: regions.data ?? [],
    cells: cells.data ?? [],
    regionName,
    cellName,
    cellTitle: (id, name) => {
      const region = regionOf.get(id);
      if (region !== undefined) return `${regionName(region)}/${cellName(id)}`;
      onUnknownCell(id);
      return name ?? cellName(id);
    },
  };
}

/** The clouds of the project, by name, and the names of their ids. */
export function useClouds(): {
  readonly clouds: readonly NamedItem[];
  readonly cloudName: (id: number) => string;
} {
  const query = cloudsQuery(useProjectId());
  const client = useQueryClient();
  const clouds = useQuery({
    ...query,
    select: (items) => items.map(({ id = 0, name = '' }) => ({ id, name })),
  });
  const cloudName = nameIn(clouds, (id) => {
    readNewNames(client, query.queryKey, clouds, id);
  });
  return { clouds: clouds.data ?? [], cloudName };
}
