import { Anchor } from '@mantine/core';
import { createLink, linkOptions } from '@tanstack/react-router';
import { useContext, type ComponentProps } from 'react';
import { deviceKind } from '../api/kinds';
import { inventoryKinds } from '@muster/api-types';
import { LinkStops } from './link-stops';

function LinkAnchor(props: ComponentProps<typeof Anchor<'a'>>) {
  const isStop = useContext(LinkStops);
  return <Anchor {...(isStop ? {} : { tabIndex: -1 })} {...props} />;
}

/** Mantine's anchor as a link of the router. */
export const RouteLink = createLink(LinkAnchor);

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
  const device = deviceKind(kind);
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
    case 'change':
      return linkOptions({ to: '/changes/$id', params: { id: String(id) } });
    case 'proposal':
      return linkOptions({ to: '/proposals/$id', params: { id: String(id) } });
    case 'user':
      return linkOptions({ to: '/admin', search: { section: 'users', id: Number(id) } });
    default:
      return undefined;
  }
}

interface LinkProps extends ResourceReference {
  /** In a list, where names stand out. */
  readonly isInTable?: boolean;
  /** Among other words, from which its colour alone does not tell it apart. */
  readonly isInText?: boolean;
}

/** Names of more characters may be cut: the tooltip shows them whole. */
const LONG = 20;

/** The name of a resource, with a link to its page if it has one. */
export function ResourceLink({ isInTable = false, isInText = false, ...resource }: LinkProps) {
  const text = resource.name ?? `#${String(resource.id)}`;
  const page = pageOf(resource);
  if (!page) return <>{text}</>;
  return (
    <RouteLink
      {...page}
      dir="auto"
      size="sm"
      title={text.length > LONG ? text : undefined}
      {...(isInTable ? { fw: 500 } : {})}
      {...(isInText ? { underline: 'always' } : {})}
    >
      {text}
    </RouteLink>
  );
}
