import type { ListRow } from '../../../components/member-columns';
import { readAfter, type DeviceList } from '../device-rows';

/** The ids that are read at once: the largest page of the API. */
const MAX_IDS = 10_000;

/**
 * The position of a device in the list, from 0: as many as there are before it.
 * @throws ApiError, NetworkError, DOMException if it is aborted
 */
export async function rowPosition(list: DeviceList, id: number, signal: AbortSignal): Promise<number> {
  const ids = { ...list, fields: ['id'], keys: [] };
  let position = 0;
  for (let marker: number | undefined = id; marker !== undefined;) {
    const before: readonly ListRow[] = await readAfter(ids, marker, MAX_IDS, true, signal);
    position += before.length;
    marker = before.length < MAX_IDS ? undefined : before.at(-1)?.id;
  }
  return position;
}
