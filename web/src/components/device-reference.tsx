import { useDeviceOfId } from '../api/device-of-id';
import { UNREAD_NAME, unknownName } from '../api/locations';
import { LevelMark } from './level-mark';
import { ResourceLink } from './resource-link';

/** The name of a device that is known by its id only, with a link to its page. A deleted one is shown by its id. */
export function DeviceReference({ id }: { readonly id: number }) {
  const { device, isPending } = useDeviceOfId(id);
  return (
    <LevelMark level="device">
      {device ? (
        <ResourceLink kind={device.kind} id={id} name={device.name} />
      ) : isPending ? (
        UNREAD_NAME
      ) : (
        unknownName(id)
      )}
    </LevelMark>
  );
}
