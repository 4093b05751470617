import { useQuery } from '@tanstack/react-query';
import { deviceKinds } from '../../api/resources';
import { LevelMark } from '../../components/level-mark';
import { RouteLink, type DeviceCollection } from '../../components/resource-link';
import { deviceQuery } from './device-query';

interface Props {
  /** The link `up`, which names the collection of the parent. */
  readonly href: string | undefined;
  readonly id: number;
}

/** The parent of a device, by its name. */
export function ParentLink({ href, id }: Props) {
  const name = href?.split('/').at(-2);
  const kind = deviceKinds.find(({ collection }) => collection === name);
  return (
    <LevelMark level="device">
      {kind ? <NamedLink collection={kind.collection} id={id} /> : `#${id}`}
    </LevelMark>
  );
}

function NamedLink({ collection, id }: { readonly collection: DeviceCollection; readonly id: number }) {
  const { data } = useQuery(deviceQuery(collection, id, undefined));
  return (
    <RouteLink to="/devices/$collection/$id" params={{ collection, id: String(id) }} size="sm">
      {data?.name ?? `#${id}`}
    </RouteLink>
  );
}
