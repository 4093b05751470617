import type { Caller } from './caller';

export type VariablesOf = Readonly<Record<string, unknown>>;

/** An inventory in plain words: what stands where, by name. */
export interface Fleet {
  readonly regions: readonly { readonly name: string; readonly variables: VariablesOf }[];
  readonly cells: readonly {
    readonly region: string;
    readonly name: string;
    readonly variables: VariablesOf;
  }[];
  readonly labels: readonly { readonly label: string; readonly variables: VariablesOf }[];
  readonly hosts: readonly FleetDevice[];
  readonly 'network-devices'?: readonly FleetDevice[];
}

export interface FleetDevice {
  readonly name: string;
  readonly region: string;
  readonly cell: string | null;
  readonly labels: readonly string[];
  readonly variables: VariablesOf;
  readonly ip_address?: string;
  readonly device_type?: string;
  readonly active?: boolean;
}

/** The ids that a fleet's regions and cells have got, by name; a cell's by `region/cell`. */
export interface LoadedFleet {
  readonly regions: ReadonlyMap<string, number>;
  readonly cells: ReadonlyMap<string, number>;
}

/** Makes a fleet over HTTP, a few requests at a time. */
export async function loadFleet(caller: Caller, fleet: Fleet): Promise<LoadedFleet> {
  const regions = new Map<string, number>();
  const cells = new Map<string, number>();
  const regionId = (name: string) => known(regions, name);
  await inParallel(fleet.regions, async (region) => {
    regions.set(region.name, (await caller.region(region)).id);
  });
  await Promise.all([
    inParallel(fleet.cells, async ({ region, name, variables }) => {
      const cell = await caller.cell({ name, variables, region_id: regionId(region) });
      cells.set(`${region}/${name}`, cell.id);
    }),
    inParallel(fleet.labels, (label) => caller.label(label)),
  ]);
  const members = ({ region, cell, ...device }: FleetDevice) => ({
    ...device,
    region_id: regionId(region),
    cell_id: cell === null ? null : known(cells, `${region}/${cell}`),
  });
  await inParallel(fleet.hosts, (host) => caller.host(members(host)));
  await inParallel(fleet['network-devices'] ?? [], (device) => caller.networkDevice(members(device)));
  return { regions, cells };
}

const known = (ids: ReadonlyMap<string, number>, name: string): number => {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`the fleet has no ${name}`);
  return id;
};

/** Does the work for each item, at most `width` at a time. */
export async function inParallel<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
  width = 6,
): Promise<void> {
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
