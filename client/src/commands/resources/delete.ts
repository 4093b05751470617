import { Command } from 'commander';
import { ApiError } from '../../api/errors';
import { asObject } from '../../api/exact-json';
import type { ResourceDescription } from '../../api/resource-description';
import { printFailedItems, throwIfFailed, type FailedItem } from './failed-items';
import { addScopeOptions, lookupScope, type ScopeOptions } from './filter-flags';
import { printPreviews } from './print-previews';
import { openSession, type Session } from '../session';
import { displayName, type FoundResource } from '../../lookup/resource-finder';
import { printStatus } from '../../output/console';
import { printList, type Row } from '../../output/formats';

interface DeleteOptions extends ScopeOptions {
  readonly dryRun?: true;
}

/** `muster host delete web-8 web-9` */
export function deleteCommand(resource: ResourceDescription): Command {
  const { kind, collection } = resource;
  const command = new Command('delete')
    .description(`Deletes ${collection.replaceAll('-', ' ')}.`)
    .argument(`<${kind}...>`, 'UUIDs, ids or names')
    .option('--dry-run', 'show what would change, without writing');
  return addScopeOptions(command, resource).action(
    async (identifiers: string[], options: DeleteOptions, running: Command) => {
      const session = openSession(running);
      const { finder } = session;
      const scope = await lookupScope(resource, options, finder);
      // Nothing is deleted if one of them is not found.
      const found = await finder.findAll(kind, identifiers, scope);
      if (!options.dryRun) return deleteAll(session, found);
      const previews: Row[] = [];
      for (const one of found)
        previews.push(asObject((await sendDelete(session, one, { dry_run: true })).body));
      await printPreviews(session, previews);
    },
  );
}

const sendDelete = (
  { muster }: Session,
  { resource, id, version }: FoundResource,
  query: { dry_run?: true } = {},
) =>
  // The precondition makes the request idempotent.
  muster.request('delete', `/v1/${resource.collection}/{id}`, { path: { id }, query, ifMatch: version });

/** Deletes resources one by one. A failure does not stop the others. */
async function deleteAll(session: Session, found: readonly FoundResource[]): Promise<void> {
  const failedItems: FailedItem[] = [];
  try {
    for (const item of found) {
      const apiError = await deleteOne(session, item);
      if (apiError) failedItems.push({ item, error: apiError });
      else await printDeleted(session, item);
    }
  } catch (error) {
    printFailedItems(failedItems, 'deleted');
    throw error;
  }
  throwIfFailed(failedItems, found.length, 'deleted');
}

async function deleteOne(session: Session, item: FoundResource): Promise<ApiError | undefined> {
  try {
    await sendDelete(session, item);
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // Deleted by an earlier attempt whose response was lost, or by another user.
    if (error.status === 404) return undefined;
    return error;
  }
}

async function printDeleted({ format }: Session, item: FoundResource): Promise<void> {
  printStatus(`Deleted ${displayName(item)}.`);
  if (format === 'name') await printList(format, [{ name: item.name }], { names: ['name'], name: 'name' });
}
