import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from './client';
import { devicesOf } from './kinds';

/** A device of any kind, as its references need it. */
interface FoundDevice {
  readonly kind: string;
  readonly name: string;
}

/**
 * The device with an id, of whatever kind: references name the id only.
 * @param id undefined for no device
 * @returns its `device` is null if there is none, and undefined until it is read
 */
export function useDeviceOfId(id: number | undefined): {
  readonly device: FoundDevice | null | undefined;
  readonly isPending: boolean;
} {
  const { data, isPending } = useQuery({
    queryKey: ['devices', 'of-id', id ?? null],
    queryFn: async ({ signal }): Promise<FoundDevice | null> => {
      const query = id === undefined ? {} : { id };
      const { devices } = await unwrap(api.GET('/v1/devices', { params: { query }, signal }));
      return devicesOf(devices)[0] ?? null;
    },
    enabled: id !== undefined,
  });
  return { device: data, isPending };
}
