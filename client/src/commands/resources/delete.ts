import { Command } from 'commander';
import { Refusal } from '../../api/errors';
import type { ResourceDescription } from '../../api/resource-description';
import { calledName, Finder, type Found } from '../../lookup/resource-finder';
import { asObject } from '../../api/exact-json';
import { printList, type Row } from '../../output/formats';
import { say } from '../../output/console';
import { openSession, type Session } from '../session';
import { addNarrowing, narrowed, type PlaceOptions } from './filter-flags';
import { printPreviews } from './print-previews';
import { sayRefused, throwRefused, type Refused } from './failed-items';

interface DeleteOptions extends PlaceOptions {
  readonly dryRun?: true;
}

/** `muster host delete web-8 web-9` */
export function deleteCommand(resource: ResourceDescription): Command {
  const { kind, collection } = resource;
  const command = new Command('delete')
    .description(`Deletes ${collection.replaceAll('-', ' ')}.`)
    .argument(`<${kind}...>`, 'by their UUIDs, their ids or their names')
    .option('--dry-run', 'show what would be done, and do nothing');
  return addNarrowing(command, resource).action(
    async (given: string[], options: DeleteOptions, running: Command) => {
      const session = openSession(running);
      const { muster, project } = session;
      const finder = new Finder(muster, project);
      const place = await narrowed(resource, options, finder);
      // Before one is deleted, all are found.
      const found = new Map<string, Found>();
      for (const name of given) {
        const one = await finder.find(kind, name, place);
        found.set(one.uuid, one);
      }
      if (!options.dryRun) return deleteAll(session, [...found.values()]);
      const previews: Row[] = [];
      for (const one of found.values())
        previews.push(asObject((await send(session, one, { dry_run: true })).body));
      await printPreviews(session, previews);
    },
  );
}

const send = ({ muster }: Session, { resource, id, version }: Found, query: { dry_run?: true } = {}) =>
  // With a condition, it can be sent again: what is not at this version any more is not deleted.
  muster.request('delete', `/v1/${resource.collection}/{id}`, { path: { id }, query, ifMatch: version });

/** One after the other; what is refused is told, and the others are deleted all the same. */
async function deleteAll(session: Session, found: readonly Found[]): Promise<void> {
  const refused: Refused[] = [];
  try {
    for (const one of found) {
      const refusal = await deleteOne(session, one);
      if (refusal) refused.push({ one, refusal });
      else await tellDeleted(session, one);
    }
  } catch (error) {
    sayRefused(refused, 'deleted');
    throw error;
  }
  throwRefused(refused, found.length, 'deleted');
}

async function deleteOne(session: Session, one: Found): Promise<Refusal | undefined> {
  try {
    await send(session, one);
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // It was there a moment ago: a request before this one has done it whose answer was lost, or somebody else has.
    if (error.status === 404) return undefined;
    return error;
  }
}

async function tellDeleted({ format }: Session, one: Found): Promise<void> {
  say(`Deleted ${calledName(one)}.`);
  if (format === 'name') await printList(format, only({ name: one.name }), { names: ['name'], name: 'name' });
}

async function* only(row: Row): AsyncGenerator<Row> {
  yield await Promise.resolve(row);
}
