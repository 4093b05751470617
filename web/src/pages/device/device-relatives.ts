import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { kindsInHierarchy, type DeviceCollection } from '../../api/kinds';
import { deviceKinds } from '@muster/api-types';
import { MAX_CHILDREN, MAX_NODES, type Children, type GraphDevice } from './graph-layout';
import type { DeviceView } from './device-members';
import { deviceQuery } from './device-query';

/** The ancestors that the graph shows. */
const MAX_ANCESTORS = 20;

const FIELDS = ['id', 'parent_id', 'name', 'device_type', 'active'] as const;

interface Owner {
  readonly collection: DeviceCollection;
  readonly id: number;
}

/**
 * The ancestors of a device, the parent last. A device names only its parent, so each ancestor takes a request, the same as
 * that of its page.
 */
export const ancestorsQuery = (client: QueryClient, owner: Owner) =>
  queryOptions({
    queryKey: [owner.collection, owner.id, 'ancestors'],
    queryFn: async () => {
      const devices: GraphDevice[] = [];
      let parent = parentOf(await readDevice(client, owner));
      while (parent && devices.length < MAX_ANCESTORS) {
        const device = await readDevice(client, parent);
        const { name, device_type, active } = device;
        devices.unshift({ ...parent, name, device_type, active });
        parent = parentOf(device);
      }
      return { devices, isComplete: parent === undefined };
    },
  });

const readDevice = (client: QueryClient, { collection, id }: Owner) =>
  client.query(deviceQuery(collection, id, undefined));

function parentOf({ parent_id, links }: DeviceView): Owner | undefined {
  const up = links
    .find(({ rel }) => rel === 'up')
    ?.href.split('/')
    .at(-2);
  const kind = deviceKinds.find(({ collection }) => collection === up);
  return kind && parent_id !== null ? { collection: kind.collection, id: parent_id } : undefined;
}

/** The devices below a device: all descendants if they fit into the graph, else its first children. */
interface Descendants {
  readonly devices: readonly (GraphDevice & { readonly parent_id: number })[];
  /** The number of its children, if these are not all descendants. */
  readonly children?: number;
}

export const descendantsQuery = (id: number, project_id: string) =>
  queryOptions({
    queryKey: ['devices', id, 'descendants', project_id],
    queryFn: async ({ signal }): Promise<Descendants> => {
      const below = { project_id, parent_id: id };
      const all = await readDevices({ ...below, descendants: true, limit: MAX_NODES }, signal);
      if (all.length < MAX_NODES) return { devices: all };
      const [first, counts] = await Promise.all([
        readDevices({ ...below, limit: MAX_CHILDREN }, signal),
        unwrap(api.GET('/v1/devices/counts', { params: { query: below }, signal })),
      ]);
      return { devices: first, children: counts.devices };
    },
  });

interface DeviceQuery {
  readonly project_id: string;
  readonly parent_id: number;
  readonly descendants?: boolean;
  readonly limit: number;
}

/** The devices of all kinds that match, ordered by kind and name; at most `limit` of each kind. */
async function readDevices(query: DeviceQuery, signal: AbortSignal) {
  const kinds = await Promise.all(
    kindsInHierarchy.map(async ({ collection }) => {
      const params = { query: { ...query, fields: [...FIELDS], sort_keys: ['name:natural' as const] } };
      const items = await unwrap(api.GET(`/v1/${collection}`, { params, signal }));
      return items.map(({ id = 0, name = '', device_type = '', active = true, parent_id }) => ({
        ...{ collection, id, name, device_type, active },
        parent_id: parent_id ?? 0,
      }));
    }),
  );
  return kinds.flat();
}

/** The children of each device whose children were read. @param read the ids and what was read below them */
export function knownChildren(
  read: readonly (readonly [number, Descendants | undefined])[],
): ReadonlyMap<number, Children> {
  const known = new Map<number, Children>();
  for (const [id, descendants] of read) {
    if (!descendants) continue;
    const { devices, children } = descendants;
    const parents = children === undefined ? [id, ...devices.map((device) => device.id)] : [id];
    for (const parent of parents) {
      const own = devices.filter(({ parent_id }) => parent_id === parent);
      known.set(parent, { devices: own, total: children ?? own.length });
    }
  }
  return known;
}
