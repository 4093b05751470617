import type { Caller, Resource } from './caller';
import type { Fleet, FleetDevice, VariablesOf } from './fleet';
import { byCodePoint, canonical, resolve } from './naive-resolver';
import type { Here } from './random-changes';

const DEVICES = ['hosts', 'network-devices'] as const;
/** All collections except users, because the caller is one. */
const COLLECTIONS = ['clouds', 'regions', 'cells', 'labels', ...DEVICES];

interface Device {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
  readonly region: unknown;
  readonly resolved: VariablesOf;
}

/** All resources of a project, and each device with variables resolved by naive rules. */
export interface State {
  readonly here: Here;
  readonly devices: readonly Device[];
}

/** The expected impact, without links. */
export interface ExpectedImpact {
  readonly devices: number;
  readonly keys: readonly string[];
  readonly items: readonly Readonly<Record<string, unknown>>[];
}

/** Devices with the same change of a value, as responses have them. */
export interface ImpactGroup {
  readonly id: string;
  readonly devices: number;
  readonly overriding: number;
  readonly regions: readonly { readonly id: number; readonly devices: number }[];
  readonly regions_total: number;
}

/** Reads a project, each resource with its own variables only. */
export async function readState(caller: Caller): Promise<State> {
  const lists = await Promise.all(
    COLLECTIONS.map(async (collection) => {
      const own = collection === 'clouds' ? '' : '&resolved-values=false';
      const { body } = await caller.get(`/v1/${collection}?limit=10000${own}`).expect(200);
      return [collection, body as Resource[]] as const;
    }),
  );
  const here = new Map(lists);
  const of = (collection: string): readonly Resource[] => here.get(collection) ?? [];
  const name = (collection: string, id: unknown): string =>
    of(collection).find((one) => one.id === id)?.name ?? '';
  const fleet: Fleet = {
    regions: of('regions'),
    cells: of('cells').map((cell) => ({ ...cell, region: name('regions', cell['region_id']) })),
    labels: of('labels').map((label) => ({ ...label, label: String(label['label']) })),
    hosts: [],
  };
  const devices = DEVICES.flatMap((collection) =>
    of(collection).map((device) => {
      const placed: FleetDevice = {
        ...device,
        region: name('regions', device['region_id']),
        cell: device['cell_id'] === null ? null : name('cells', device['cell_id']),
        labels: String(device['labels']).split(',').filter(Boolean),
      };
      return {
        kind: collection.slice(0, -1),
        id: device.id,
        name: device.name,
        region: device['region_id'],
        resolved: resolve(fleet, placed),
      };
    }),
  );
  return { here, devices };
}

/** Compares the devices before and after a change. @param sees the keys to compare */
export function impactOf(
  before: State,
  after: State,
  sees: (key: string) => boolean = () => true,
): ExpectedImpact {
  const ids = [...new Set([...before.devices, ...after.devices].map(({ id }) => id))].sort((a, b) => a - b);
  const items = ids.flatMap((id) => {
    const [was, is] = [before, after].map(({ devices }) => devices.find((device) => device.id === id));
    const changes = differences(was?.resolved ?? {}, is?.resolved ?? {}).filter(([key]) => sees(key));
    const { kind, name } = (is ?? was)!;
    return changes.length === 0 ? [] : [{ kind, id, name, changes: Object.fromEntries(changes) }];
  });
  const keys = new Set(items.flatMap(({ changes }) => Object.keys(changes)));
  return { devices: items.length, keys: [...keys].sort(byCodePoint), items };
}

/** Devices by changes of values, as canonical texts. @param affected those of `impactOf` */
export function groupsOf(before: State, after: State, { items }: Pick<ExpectedImpact, 'items'>): string[] {
  const regions = new Map([...before.devices, ...after.devices].map(({ id, region }) => [id, region]));
  const groups = new Map<string, { group: object; regions: Map<unknown, number> }>();
  for (const { id, changes } of items)
    for (const [key, sides] of Object.entries(changes as object)) {
      const group = { key, ...(sides as object) };
      const found = groups.get(canonical(group)) ?? { group, regions: new Map<unknown, number>() };
      groups.set(canonical(group), found);
      const region = regions.get(Number(id));
      found.regions.set(region, (found.regions.get(region) ?? 0) + 1);
    }
  return [...groups.values()]
    .map(({ group, regions: counts }) =>
      groupText({ ...group, regions: [...counts].map(([id, devices]) => ({ id, devices })) }),
    )
    .sort();
}

/** The groups of a response, as canonical texts. */
export const groupTexts = (groups: readonly ImpactGroup[] = []): string[] =>
  groups
    .map(({ id, devices, overriding, regions_total, regions, ...group }) => {
      const sum = regions.reduce((total, region) => total + region.devices, 0);
      if (devices !== sum || overriding < 0 || regions_total !== regions.length || !/^[\w-]{16}$/.test(id))
        throw new Error(
          `a group does not add up: ${canonical({ id, devices, overriding, regions_total, regions })}`,
        );
      return groupText({ ...group, regions });
    })
    .sort();

const groupText = ({
  regions,
  ...group
}: {
  readonly regions: readonly { readonly id: unknown }[];
}): string => canonical({ ...group, regions: [...regions].sort((a, b) => Number(a.id) - Number(b.id)) });

function differences(before: VariablesOf, after: VariablesOf): (readonly [string, object])[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) => {
    const [was, is] = [before, after].map((of) => (Object.hasOwn(of, key) ? [of[key]] : []));
    if (canonical(was) === canonical(is)) return [];
    const sides = [...was!.map((value) => ['before', value]), ...is!.map((value) => ['after', value])];
    return [[key, Object.fromEntries(sides) as object] as const];
  });
}
