import type { paths } from '@muster/api-types';
import { collectionsByKind, deviceKinds, inventoryKinds } from '@muster/api-types';

/** A kind of device, as the API describes it. */
export type DeviceKind = (typeof deviceKinds)[number];
export type DeviceCollection = DeviceKind['collection'];

/** A kind of resource that devices belong to, such as regions. */
export type InventoryKind = (typeof inventoryKinds)[number];
export type InventoryCollection = InventoryKind['collection'];

/**
 * The first kind of the API description: lists show it unless another one is chosen. Files of CSV and Ansible inventories
 * contain this kind only.
 */
export const defaultKind = deviceKinds[0];

/** The order of kinds in hierarchies: the default kind, whose devices depend on others, is the last. */
export const kindsInHierarchy = [...deviceKinds].reverse();

export const deviceCollections = deviceKinds.map(({ collection }) => collection);

/** The kind of device with a name; undefined if it is not a kind of device. */
export const deviceKind = (name: string): DeviceKind | undefined =>
  deviceKinds.find(({ kind }) => kind === name);

const COLLECTIONS: ReadonlyMap<string, string> = new Map(Object.entries(collectionsByKind));
const KINDS: ReadonlyMap<string, string> = new Map(
  [...COLLECTIONS].map(([kind, collection]) => [collection, kind]),
);

/** The collection of a kind in change records, as paths and roles name it. */
export const collectionOfKind = (kind: string): string => COLLECTIONS.get(kind) ?? kind;

/** The kind of the resources of a collection; undefined if change records have none. */
export const kindOfCollection = (collection: string): string | undefined => KINDS.get(collection);

/** Whether resources of a kind carry variables. */
export const hasVariables = ({ fields }: DeviceKind | InventoryKind): boolean =>
  fields.some((field) => field === 'variables');

type DevicesByCollection =
  paths['/v1/devices']['get']['responses'][200]['content']['application/json']['devices'];

/** The devices of a list of all kinds, each with its kind. */
export const devicesOf = (devices: DevicesByCollection) =>
  kindsInHierarchy.flatMap(({ kind, collection }) =>
    devices[collection].map((device) => ({ ...device, kind })),
  );

/** A kind or a collection in words: `access-secrets` → `access secrets`. */
export const kindWords = (name: string): string => name.replaceAll('-', ' ');

/** The same as a title: `access-secrets` → `Access secrets`. */
export const kindTitle = (name: string): string => name.charAt(0).toUpperCase() + kindWords(name.slice(1));
