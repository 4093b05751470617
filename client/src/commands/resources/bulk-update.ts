import { ApiError } from '@muster/api-types';
import { asObject } from '../../api/exact-json';
import type { ApiResponse, RequestOptions } from '../../api/muster';
import type { ResourceDescription } from '../../api/resource-description';
import { confirmImpact } from '../confirmed-write';
import { printWritten, writeOf, type WrittenRequest } from '../report-write';
import { assertAllowed, MAX_SHOWN_DEVICES, type Preview, readPreview } from '../impact-preview';
import { KIND_MEMBER } from './all-devices';
import { listColumns, renderRows } from './columns';
import { printFailedItems, resultOrApiError, throwIfFailed, type FailedItem } from './failed-items';
import type { RequestBody } from './request-body';
import type { ProposableWrite } from '../propose';
import type { Session } from '../session';
import { countResources, type FoundResource } from '../../lookup/resource-finder';
import { printStatus } from '../../output/console';
import { printList } from '../../output/formats';
import type { Row } from '../../output/rows';

/** An update of one resource that has not been sent yet. */
export interface PreparedUpdate {
  readonly found: FoundResource;
  readonly body: RequestBody;
  /** The update, without a version. */
  readonly request: ProposableWrite;
  /** The version on which the body is based; undefined if it is valid for every version. */
  readonly version: number | undefined;
  readonly put: (query: RequestOptions['query'], version?: number) => Promise<ApiResponse>;
}

/** The updated resource, and its write. */
export interface UpdateResult {
  readonly members: Row;
  /** The body that was sent. */
  readonly body: RequestBody;
  readonly write: WrittenRequest;
}

/** Sends an update without a preview. @param isCounted whether to determine the number of affected devices */
export async function writeUpdate(
  { body, put, version }: PreparedUpdate,
  isCounted = false,
): Promise<UpdateResult> {
  const response = await put({}, version);
  const devices = mayAffectDevices(body) ? 'unknown' : 0;
  return {
    members: asObject(response.body),
    body,
    write: writeOf(response, isCounted ? devices : undefined),
  };
}

/** Whether an update may change what the resource or other ones resolve. */
const mayAffectDevices = (body: RequestBody): boolean =>
  ['variables', 'labels', 'label', 'cells', 'region_id', 'cell_id'].some((member) => member in body);

/** How several updates are executed. */
interface BulkUpdate {
  readonly prepare: (found: FoundResource) => Promise<PreparedUpdate>;
  /** Repeats the preparation and the write if the resource was changed in between. */
  readonly retry: (
    found: FoundResource,
    write: (update: PreparedUpdate) => Promise<UpdateResult>,
  ) => Promise<UpdateResult>;
  /** Whether to write without previews and without asking. */
  readonly yes: true | undefined;
}

/**
 * Updates devices one by one and prints them as a list. A failure does not stop the others. Asks once for all of them.
 * @param commandKind the kind of the command, which may be `device`
 * @throws CliError if the user declines, there is no terminal to ask at, or an update fails
 */
export async function updateSeveral(
  session: Session,
  commandKind: ResourceDescription,
  found: readonly FoundResource[],
  { prepare, retry, yes }: BulkUpdate,
): Promise<void> {
  const { format } = session;
  const name = commandKind.nameMember ?? 'id';
  const columns = listColumns(commandKind, format, {});
  const failedItems: FailedItem[] = [];
  const changed: Row[] = [];
  const writes: WrittenRequest[] = [];
  const previews = yes ? undefined : await previewAll(prepare, found, failedItems);
  if (previews) await confirmAll(commandKind, found.length - failedItems.length, [...previews.values()]);
  try {
    for (const one of found) {
      if (failedItems.some(({ item }) => item === one)) continue;
      const result = await resultOrApiError(() => retry(one, (update) => writeUpdate(update, yes)));
      if (result instanceof ApiError) {
        failedItems.push({ item: one, error: result });
        continue;
      }
      const isOfKind = commandKind.kind === one.resource.kind;
      changed.push(isOfKind ? result.members : { [KIND_MEMBER]: one.resource.kind, ...result.members });
      const preview = previews?.get(one);
      writes.push(preview ? { ...result.write, devices: preview.devices } : result.write);
    }
  } catch (error) {
    if (changed.length > 0) printStatus(`Updated: ${changed.map((row) => String(row[name])).join(', ')}.`);
    printFailedItems(failedItems, 'changed');
    throw error;
  }
  await printList(format, renderRows(changed, columns, session), { names: columns.columns, name });
  if (changed.length > 0)
    await printWritten(session, `Updated ${countResources(changed.length, commandKind)}`, writes, true);
  throwIfFailed(failedItems, found.length, 'changed');
}

/** Previews the updates that may affect devices. @param failedItems is extended by those that the service rejects */
async function previewAll(
  prepare: BulkUpdate['prepare'],
  found: readonly FoundResource[],
  failedItems: FailedItem[],
): Promise<Map<FoundResource, Preview>> {
  const previews = new Map<FoundResource, Preview>();
  for (const item of found) {
    const { body, put } = await prepare(item);
    if (!mayAffectDevices(body)) continue;
    const response = await resultOrApiError(() => put({ dry_run: true, limit: MAX_SHOWN_DEVICES }));
    if (response instanceof ApiError) failedItems.push({ item, error: response });
    else previews.set(item, readPreview(response.body));
  }
  return previews;
}

/** An update of a device affects that device only, so the sum of the previews is the impact of all of them. */
async function confirmAll(
  commandKind: ResourceDescription,
  count: number,
  previews: readonly Preview[],
): Promise<void> {
  for (const { body } of previews) assertAllowed(body);
  const impact = {
    devices: previews.reduce((total, { devices }) => total + devices, 0),
    keys: [...new Set(previews.flatMap(({ keys }) => keys))],
    items: previews.flatMap(({ items }) => items).slice(0, MAX_SHOWN_DEVICES),
  };
  const typeChanges = previews.flatMap((preview) => preview.typeChanges);
  await confirmImpact(impact, `change ${countResources(count, commandKind)}`, typeChanges);
}
