import type { Caller, Resource } from './caller';
import { importLines } from './importing';
import { jsonbText, type Json } from './jsonb-text';

export type VariablesOf = Readonly<Record<string, unknown>>;

/** An inventory with references by name. */
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

/** The IDs of a fleet's regions by name, and of its cells by `region/cell`. */
export interface LoadedFleet {
  readonly regions: ReadonlyMap<string, number>;
  readonly cells: ReadonlyMap<string, number>;
}

/** The default members of a device. */
const DEFAULTS = { ip_address: '10.0.0.1', device_type: 'server' };

/**
 * Loads a fleet with one import, which is faster than single requests.
 * @param written a line of the import; by default, JavaScript's JSON
 */
export async function loadFleet(
  caller: Caller,
  fleet: Fleet,
  written: (line: object) => object | string = (line) => line,
): Promise<LoadedFleet> {
  const lines = [
    ...fleet.labels.map((label) => ({ kind: 'label', ...label })),
    ...fleet.regions.map((region) => ({ kind: 'region', ...region })),
    ...fleet.cells.map((cell) => ({ kind: 'cell', ...cell })),
    ...fleet.hosts.map((host) => ({ kind: 'host', ...DEFAULTS, ...host })),
    ...(fleet['network-devices'] ?? []).map((device) => ({ kind: 'network-device', ...DEFAULTS, ...device })),
  ];
  await importLines(caller, lines.map(written));
  const all = async (collection: string) =>
    (await caller.get(`/v1/${collection}?resolved-values=false&limit=10000`).expect(200)).body as Resource[];
  const regions = await all('regions');
  const names = new Map(regions.map(({ id, name }) => [id, name]));
  const place = ({ name, region_id }: Resource) => `${names.get(Number(region_id)) ?? ''}/${name}`;
  return {
    regions: new Map(regions.map(({ id, name }) => [name, id])),
    cells: new Map((await all('cells')).map((cell) => [place(cell), cell.id])),
  };
}

/** A line of an import whose variables have exact numbers: see `Json`. */
export const exactLine = (line: object): string =>
  jsonbText(
    new Map(
      Object.entries(line).map(([name, value]: [string, unknown]): [string, Json] => [
        name,
        name === 'variables' ? new Map(Object.entries(value as Record<string, Json>)) : (value as Json),
      ]),
    ),
  );

/** Creates a fleet with several changes, each of a few resources: for tests of change records. */
export async function createFleet(caller: Caller, fleet: Fleet): Promise<LoadedFleet> {
  const regions = new Map<string, number>();
  const cells = new Map<string, number>();
  const regionId = (name: string) => known(regions, name);
  const create = async (collection: string, bodies: readonly object[]): Promise<Resource[]> =>
    (await caller.post(`/v1/${collection}`, bodies).expect(201)).body as Resource[];
  for (const region of fleet.regions) regions.set(region.name, (await caller.region(region)).id);
  for (const few of chunks(fleet.cells)) {
    const bodies = few.map(({ region, ...cell }) => ({ ...cell, region_id: regionId(region) }));
    for (const [i, { id }] of (await create('cells', bodies)).entries())
      cells.set(`${few[i]?.region ?? ''}/${few[i]?.name ?? ''}`, id);
  }
  for (const few of chunks(fleet.labels)) await create('labels', few);
  const members = ({ region, cell, ...device }: FleetDevice) => ({
    ...DEFAULTS,
    ...device,
    region_id: regionId(region),
    cell_id: cell === null ? null : known(cells, `${region}/${cell}`),
  });
  for (const few of chunks(fleet.hosts)) await create('hosts', few.map(members));
  for (const few of chunks(fleet['network-devices'] ?? [])) await create('network-devices', few.map(members));
  return { regions, cells };
}

/** Splits a list into parts of one, two, three … items. */
function chunks<T>(items: readonly T[]): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < items.length; at += parts.length) parts.push(items.slice(at, at + parts.length + 1));
  return parts;
}

const known = (ids: ReadonlyMap<string, number>, name: string): number => {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`the fleet has no ${name}`);
  return id;
};

/** Runs the work for each item, with at most `width` concurrent calls. */
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
