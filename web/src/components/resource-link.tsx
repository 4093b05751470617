import { Anchor } from '@mantine/core';
import { createLink, linkOptions } from '@tanstack/react-router';
import { deviceKinds } from '../api/resources';

/** Mantine's anchor as a link of the router. */
export const RouteLink = createLink(Anchor<'a'>);

export type DeviceCollection = (typeof deviceKinds)[number]['collection'];

export const deviceCollections = deviceKinds.map(({ collection }) => collection);

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
  switch (kind) {
    case 'region':
      return linkOptions({ to: '/devices', search: { region_id: Number(id) } });
    case 'cell':
      return linkOptions({ to: '/devices', search: { cell_id: Number(id) } });
    case 'label':
      return name === null ? undefined : linkOptions({ to: '/devices', search: { label: name } });
    case 'variable-key':
      return name === null
        ? undefined
        : linkOptions({ to: '/devices', search: { columns: columnsWith(name) } });
    case 'audit':
      return linkOptions({ to: '/audits/$id', params: { id: String(id) } });
    case 'user':
      return linkOptions({ to: '/admin', search: { section: 'users', id: Number(id) } });
    default:
      return undefined;
  }
}

/** Not a constant: the columns of a link are a mutable array. */
const columnsWith = (key: string): string[] => ['name', 'region_id', 'cell_id', 'labels', `var:${key}`];

/** The name of a resource, with a link to its page if it has one. */
export function ResourceLink(resource: ResourceReference) {
  const text = resource.name ?? `#${String(resource.id)}`;
  const page = pageOf(resource);
  if (!page) return <>{text}</>;
  return (
    <RouteLink {...page} size="sm">
      {text}
    </RouteLink>
  );
}
