import { ActionIcon, Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ChevronDownIcon, ChevronRightIcon } from '@radix-ui/react-icons';
import { useInfiniteQuery } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { devicesOf } from '../../api/kinds';
import { nextMarker } from '../../api/pages';
import { DeviceState } from '../../components/device-state';
import { LevelMark } from '../../components/level-mark';
import { ResourceLink } from '../../components/resource-link';
import { ErrorState, LoadingState } from '../../components/states';
import classes from './device-children.module.css';
import { NoChildren } from './no-children';

/** The largest page of this list. */
const PAGE = 100;

interface Props {
  readonly id: number;
  readonly name: string;
  /** Whether it is the list of the device's own children, which has a text if there are none. */
  readonly isRoot?: boolean;
}

/** The devices whose parent is a device. Each of them opens to its own. */
export function DeviceChildren({ id, name, isRoot = false }: Props) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['devices', 'children', id],
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET('/v1/devices', {
          params: {
            query: { parent_id: id, limit: PAGE, ...(pageParam === undefined ? {} : { marker: pageParam }) },
          },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: nextMarker,
  });
  if (error && !data) return <ErrorState error={error} what="the children" onRetry={() => void refetch()} />;
  if (!data) return <LoadingState what="the children" />;
  const children = data.pages.flatMap(({ devices }) => devicesOf(devices));
  if (children.length === 0)
    return isRoot ? (
      <NoChildren name={name} />
    ) : (
      <Text size="sm" c="dimmed">
        no children
      </Text>
    );
  return (
    <>
      <ul className={classes.children} aria-label={`Children of ${name}`}>
        {children.map((device) => (
          <Child key={device.id} device={device} />
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="subtle" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more children of {name}
        </Button>
      )}
    </>
  );
}

interface ChildProps {
  readonly device: {
    readonly kind: string;
    readonly id: number;
    readonly name: string;
    readonly device_type: string;
    readonly active: boolean;
  };
}

function Child({ device: { kind, id, name, device_type, active } }: ChildProps) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const Chevron = isOpen ? ChevronDownIcon : ChevronRightIcon;
  return (
    <li>
      <div className={classes.child}>
        <ActionIcon size="sm" aria-label={`Children of ${name}`} aria-expanded={isOpen} onClick={toggle}>
          <Chevron aria-hidden />
        </ActionIcon>
        <LevelMark level="device">
          <ResourceLink kind={kind} id={id} name={name} />
        </LevelMark>
        <span className={classes.type}>{device_type}</span>
        {!active && <DeviceState isActive={false} />}
      </div>
      {isOpen && <DeviceChildren id={id} name={name} />}
    </li>
  );
}
