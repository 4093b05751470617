import { Anchor } from '@mantine/core';
import { createLink, linkOptions } from '@tanstack/react-router';
import { deviceKinds, inventoryKinds } from '../api/resources';

/** Mantine's anchor as a link of the router. */
export const RouteLink = createLink(Anchor<'a'>);

export type DeviceCollection = (typeof deviceKinds)[number]['collection'];

export const deviceCollections = deviceKinds.map(({ collection }) => collection);

/** The collections that devices belong to: `regions`. */
export type InventoryCollection = (typeof inventoryKinds)[number]['collection'];

/** The name of a collection for people: `network-devices` → `Network devices`. */
export const collectionTitle = (collection: string): string =>
  collection.charAt(0).toUpperCase() + collection.slice(1).replaceAll('-', ' ');

/** A resource as hits, records and explanations name it. */
export interface ResourceReference {
  readonly kind: string;
  readonly id: number | string | null;
  readonly name: string | null;
}

/**
 * The page of a resource, or of what belongs to it; undefined if there is none. A new page is one more case, and all
 * lists, records and hits lead to it.
 */
export function pageOf({ kind, id, name }: ResourceReference) {
  const device = deviceKinds.find((known) => known.kind === kind);
  if (device)
    return linkOptions({
      to: '/devices/$collection/$id',
      params: { collection: device.collection, id: String(id) },
    });
  const owner = inventoryKinds.find((known) => known.kind === kind);
  if (owner)
    return linkOptions({
      to: '/inventory/$collection/$id',
      params: { collection: owner.collection, id: String(id) },
    });
  switch (kind) {
    case 'variable-key':
    case 'variable-definition':
      // The definition of a prefix of keys has no page.
      return name === null || name.endsWith('*')
        ? undefined
        : linkOptions({ to: '/variables/$key', params: { key: name } });
    case 'audit':
      return linkOptions({ to: '/audits/$id', params: { id: String(id) } });
    case 'user':
      return linkOptions({ to: '/admin', search: { section: 'users', id: Number(id) } });
    default:
      return undefined;
  }
}

interface LinkProps extends ResourceReference {
  /** In a table that is one tab stop. */
  readonly isInTable?: boolean;
}

/** The name of a resource, with a link to its page if it has one. */
export function ResourceLink({ isInTable = false, ...resource }: LinkProps) {
  const text = resource.name ?? `#${String(resource.id)}`;
  const page = pageOf(resource);
  if (!page) return <>{text}</>;
  return (
    <RouteLink {...page} size="sm" {...(isInTable ? { tabIndex: -1, fw: 500 } : {})}>
      {text}
    </RouteLink>
  );
}
