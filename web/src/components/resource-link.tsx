import { Anchor } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import { deviceKinds } from '../api/resources';

/** Mantine's anchor as a link of the router. */
export const RouteLink = createLink(Anchor<'a'>);

export type DeviceCollection = (typeof deviceKinds)[number]['collection'];

export const deviceCollections = deviceKinds.map(({ collection }) => collection);

/** The name of a collection for people: `network-devices` → `Network devices`. */
export const collectionTitle = (collection: string): string =>
  collection.charAt(0).toUpperCase() + collection.slice(1).replaceAll('-', ' ');

interface Props {
  readonly kind: string;
  readonly id: number;
  readonly name: string | null;
}

/** The name of a resource, with a link to its page if it has one. */
export function LevelLink({ kind, id, name }: Props) {
  const text = name ?? `#${id}`;
  const device = deviceKinds.find((known) => known.kind === kind);
  if (!device) return <>{text}</>;
  return (
    <RouteLink
      to="/devices/$collection/$id"
      params={{ collection: device.collection, id: String(id) }}
      size="sm"
    >
      {text}
    </RouteLink>
  );
}
