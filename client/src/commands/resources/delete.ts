import { Command } from 'commander';
import { ApiError } from '@muster/api-types';
import { asObject } from '../../api/exact-json';
import type { ResourceDescription } from '../../api/resource-description';
import { requireConfirmation, type ConfirmationOptions } from '../confirmed-write';
import { printWritten, writeOf, type WrittenRequest } from '../report-write';
import { assertAllowed } from '../impact-preview';
import {
  failureText,
  printFailedItems,
  resultOrApiError,
  throwIfFailed,
  type FailedItem,
} from './failed-items';
import { addScopeOptions, lookupScope, type ScopeOptions } from './filter-flags';
import { printPreviews } from './print-previews';
import { addWriteOptions, type ProposableWrite, proposeInstead } from '../propose';
import { openSession, type Session } from '../session';
import { countResources, displayKind, displayName, type FoundResource } from '../../lookup/resource-finder';
import { printStatus } from '../../output/console';
import { printList } from '../../output/formats';
import type { Row } from '../../output/rows';

interface DeleteOptions extends ScopeOptions, ConfirmationOptions {}

/** `muster host delete web-8 web-9` */
export function deleteCommand(resource: ResourceDescription): Command {
  const { kind, collection } = resource;
  const command = new Command('delete')
    .description(`Deletes ${displayKind(collection)}.`)
    .argument(`<${kind}...>`, 'UUIDs, ids or names')
    .option('-y, --yes', 'delete without asking, however many are given')
    .option('--dry-run', 'show what would change, without writing');
  return addScopeOptions(addWriteOptions(command, resource), resource).action(
    async (identifiers: string[], options: DeleteOptions, running: Command) => {
      const session = openSession(running);
      const { finder } = session;
      const scope = await lookupScope(resource, options, finder);
      // Nothing is deleted if one of them is not found.
      const found = await finder.findAll(kind, identifiers, scope);
      if (await proposeInstead(session, found.map(deletionOf))) return;
      if (options.dryRun) {
        const previews: Row[] = [];
        for (const one of found) previews.push(await previewDelete(session, one));
        return printPreviews(session, previews);
      }
      // The deletion of one resource does not affect others: a resource in use cannot be deleted.
      if (found.length > 1 && !options.yes) await confirmDeletion(session, resource, found);
      await deleteAll(session, resource, found);
    },
  );
}

const deletionOf = ({ resource: { collection }, id }: FoundResource): ProposableWrite => ({
  method: 'delete',
  path: `/v1/${collection}/{id}`,
  options: { path: { id } },
});

const previewDelete = async (session: Session, one: FoundResource): Promise<Row> =>
  asObject((await sendDelete(session, one, { dry_run: true })).body);

/**
 * Shows the resources and asks for confirmation. A deletion that is rejected now is no error: it may succeed after the
 * others, as that of a device after that of its child.
 * @throws CliError if the user declines, there is no terminal to ask at, every deletion is rejected, or one needs approval
 */
async function confirmDeletion(
  session: Session,
  resource: ResourceDescription,
  found: readonly FoundResource[],
): Promise<void> {
  const rejected = new Map<FoundResource, FailedItem>();
  for (const item of found) {
    const preview = await resultOrApiError(() => previewDelete(session, item));
    // One that someone else has deleted counts as deleted.
    if (!(preview instanceof ApiError)) assertAllowed(preview);
    else if (preview.status !== 404) rejected.set(item, { item, error: preview });
  }
  // The first deletion would be rejected, and therefore the others, too.
  if (rejected.size === found.length) throwIfFailed([...rejected.values()], found.length, 'deleted');
  const count = countResources(found.length, resource);
  await requireConfirmation(`This would delete ${count}.`, `delete ${count}`, () => {
    const lines = found.map((item) => {
      const failed = rejected.get(item);
      return failed ? failureText(failed) : `  ${displayName(item)}`;
    });
    const omitted = lines.length - MAX_SHOWN_RESOURCES;
    printStatus(
      ...lines.slice(0, MAX_SHOWN_RESOURCES),
      ...(omitted > 0 ? [`… and ${String(omitted)} more.`] : []),
    );
    return Promise.resolve();
  });
}

/** How many of the resources a question names. */
const MAX_SHOWN_RESOURCES = 30;

const sendDelete = ({ muster }: Session, found: FoundResource, query: { dry_run?: true } = {}) => {
  const { method, path, options } = deletionOf(found);
  // The precondition makes the request idempotent.
  return muster.request(method, path, { path: options.path, query, ifMatch: found.version });
};

/** Deletes resources one by one. A failure does not stop the others. */
async function deleteAll(
  session: Session,
  resource: ResourceDescription,
  found: readonly FoundResource[],
): Promise<void> {
  const failedItems: FailedItem[] = [];
  const writes: WrittenRequest[] = [];
  try {
    for (const item of found) {
      const result = await deleteOne(session, item);
      if (result instanceof ApiError) {
        failedItems.push({ item, error: result });
        continue;
      }
      writes.push(result);
      if (found.length > 1) printStatus(`Deleted ${displayName(item)}.`);
      else await printWritten(session, `Deleted ${displayName(item)}`, [result]);
      await printName(session, item);
    }
  } catch (error) {
    printFailedItems(failedItems, 'deleted');
    throw error;
  }
  if (found.length > 1 && writes.length > 0)
    await printWritten(session, `Deleted ${countResources(writes.length, resource)}`, writes);
  throwIfFailed(failedItems, found.length, 'deleted');
}

async function deleteOne(session: Session, item: FoundResource): Promise<ApiError | WrittenRequest> {
  const result = await resultOrApiError(() => sendDelete(session, item));
  if (!(result instanceof ApiError)) return writeOf(result);
  // Deleted by an earlier attempt whose response was lost, or by another user.
  return result.status === 404 ? { requestId: undefined } : result;
}

async function printName({ format }: Session, { name }: FoundResource): Promise<void> {
  if (format === 'name') await printList(format, [{ name }], { names: ['name'], name: 'name' });
}
