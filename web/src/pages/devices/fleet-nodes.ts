import { useQueries, useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import type { DeviceKind } from '../../api/kinds';
import { useLocations } from '../../api/locations';
import { useProject } from '../../app/use-project';
import type { ListFilters } from '../../components/list-search';

/** The largest number of regions, or of cells in a region, whose devices are counted. */
const MAX_GROUPS = 10_000;

/** A node of the tree: the project, a region or a cell. */
export interface FleetNode {
  readonly level: 1 | 2 | 3;
  readonly name: string;
  /** What it selects in the list. */
  readonly region_id: number | undefined;
  readonly cell_id: number | undefined;
  /** Undefined until the devices are counted. */
  readonly devices: number | undefined;
  /** Undefined if nothing is below it. */
  readonly isOpen: boolean | undefined;
  readonly position: number;
  /** The number of nodes beside it, with itself. */
  readonly siblings: number;
}

/** The parameters that the counts of all nodes have in common. */
interface Counted {
  readonly kind: DeviceKind['kind'];
  readonly filters: Omit<ListFilters, 'region_id' | 'cell_id'>;
}

/**
 * The visible nodes in order, each with the number of devices that match the filters. Cells are counted once their region is
 * open.
 */
export function useFleetNodes({ kind, filters }: Counted, open: ReadonlySet<number>): readonly FleetNode[] {
  const project = useProject();
  const { regions, cells } = useLocations();
  const counts = (region: number | undefined) => ({
    queryKey: ['device-counts', project.id, 'tree', kind, filters, region ?? null],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      unwrap(
        api.GET('/v1/devices/counts', {
          params: {
            query: {
              ...filters,
              ...(region === undefined ? {} : { region_id: region }),
              project_id: project.id,
              kind,
              group_by: [region === undefined ? ('region' as const) : ('cell' as const)],
              limit: MAX_GROUPS,
            },
          },
          signal,
        }),
      ),
    // The list reports what is wrong with a filter.
    retry: false,
  });
  const byRegion = useQuery(counts(undefined)).data;
  const opened = [...open];
  const byCell = useQueries({ queries: opened.map(counts) });
  const inRegion = new Map(byRegion?.groups.map((group) => [group.region?.id, group.devices]));
  const root: FleetNode = {
    level: 1,
    name: project.name,
    region_id: undefined,
    cell_id: undefined,
    devices: byRegion?.devices,
    isOpen: true,
    position: 1,
    siblings: 1,
  };
  const below = regions.flatMap(({ id, name }, i): FleetNode[] => {
    const cellsHere = cells.filter(({ region_id }) => region_id === id);
    const isOpen = open.has(id);
    const node: FleetNode = {
      level: 2,
      name,
      region_id: id,
      cell_id: undefined,
      devices: byRegion && (inRegion.get(id) ?? 0),
      isOpen: cellsHere.length === 0 ? undefined : isOpen,
      position: i + 1,
      siblings: regions.length,
    };
    if (!isOpen) return [node];
    const counted = byCell[opened.indexOf(id)]?.data;
    const inCell = new Map(counted?.groups.map((group) => [group.cell?.id, group.devices]));
    const children = cellsHere.map((cell, n): FleetNode => ({
      level: 3,
      name: cell.name,
      region_id: id,
      cell_id: cell.id,
      devices: counted && (inCell.get(cell.id) ?? 0),
      isOpen: undefined,
      position: n + 1,
      siblings: cellsHere.length,
    }));
    return [node, ...children];
  });
  return [root, ...below];
}
