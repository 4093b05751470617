import { Command, Option } from 'commander';
import { Refusal } from '../../api/errors';
import type { PlainRequest } from '../../api/muster';
import type { MemberDescription, ResourceDescription } from '../../api/resource-description';
import { calledName, Finder, type Found, type Within, wordOf } from '../../lookup/resource-finder';
import { usage } from '../../cli-error';
import { asObject, plainNumber } from '../../api/exact-json';
import { printList, type Row } from '../../output/formats';
import { openSession, type Session } from '../session';
import { agreeTo } from '../confirmed-write';
import { previewOf, SHOWN_DEVICES } from '../dry-run';
import { labelsOf, memberOptions, repeatable, textsOf, type GivenOptions } from './member-flags';
import { addNarrowing, narrowed, type PlaceOptions } from './filter-flags';
import { printPreviews } from './print-previews';
import { printResource, shownInList, shownRows } from './columns';
import { clearing, clearMembers, requestBody, type RequestBody } from './request-body';
import { say } from '../../output/console';
import { KIND } from './all-devices';
import { sayRefused, throwRefused, type Refused } from './failed-items';

interface UpdateOptions extends GivenOptions, PlaceOptions {
  readonly dryRun?: true;
  readonly yes?: true;
}

/** `create` has it; here it could mean one more label, or the only one. */
const notLabel = (): Option =>
  new Option('--label <label>').hideHelp().argParser(() => {
    throw usage('Say --add-label for one label more, or --labels for the whole set.');
  });

/** So often labels are read again that somebody else is changing at the same time. */
const MOST_READS = 10;
const VERSION_MISMATCH = 412;

/** `muster host update web-9 --note …` */
export function updateCommand(resource: ResourceDescription): Command {
  const { kind, nameMember } = resource;
  const members = memberOptions(resource.update.filter(isChangeable(resource)), nameMember, 'update');
  const add = repeatable('--add-label <label>', 'a label to add to those that it has');
  const remove = repeatable('--remove-label <label>', 'a label to take away');
  const clear = clearing();
  const command = new Command('update')
    .description(`Changes a ${wordOf(kind)}, and shows it.`)
    // Only what touches nothing else is changed several at a time: there is nothing to agree to.
    .argument(
      resource.isDevice ? `<${kind}...>` : `<${kind}>`,
      resource.isDevice ? 'by their UUIDs, their ids or their names' : 'by its UUID, its id or its name',
    );
  for (const { options } of members) for (const option of options) command.addOption(option);
  if (resource.update.some(({ type }) => type === 'labels'))
    command.addOption(add).addOption(remove).addOption(notLabel());
  if (resource.update.some(({ nullable, type }) => nullable || type === 'labels' || type === 'strings'))
    command.addOption(clear);
  if (!resource.isDevice) addNarrowing(command, resource);
  if (!resource.isDevice && resource.carriesVariables)
    command.option('-y, --yes', 'do not ask, however many devices get other variables by it');
  return command
    .option('--dry-run', 'show what would be done, and do nothing')
    .action(async (named: string | string[], given: UpdateOptions, running: Command) => {
      const session = openSession(running);
      const { muster, project } = session;
      const finder = new Finder(muster, project);
      const place = resource.isDevice ? {} : await narrowed(resource, given, finder);
      const labels = { add: textsOf(given, add), remove: textsOf(given, remove) };
      const changesLabels = labels.add.length + labels.remove.length > 0;
      const write = async (found: Found): Promise<Written> => {
        const body = await requestBody(found.resource, members, given, finder, regionOf(found));
        clearMembers(found.resource, textsOf(given, clear), body);
        if (changesLabels) changeLabels(body, found, labels);
        if (Object.keys(body).length === 0)
          throw usage(`Nothing is to be changed: --help shows what a ${wordOf(kind)} can be set.`);
        const put = async (query: PlainRequest['query'], version?: number) => {
          const path = `/v1/${found.resource.collection}/{id}`;
          const condition = version === undefined ? {} : { ifMatch: version };
          return (await muster.request('put', path, { path: { id: found.id }, query, body, ...condition }))
            .body;
        };
        // The labels that it has were read: nobody else's are to be lost.
        let version = changesLabels ? found.version : undefined;
        if (handsDown(found.resource, body) && !given.dryRun && !given.yes) {
          const preview = previewOf(await put({ dry_run: true, limit: SHOWN_DEVICES }));
          await agreeTo(preview, `change ${calledName(found)}`);
          // What was shown is what is done.
          version ??= preview.version;
        }
        return { resource: found.resource, members: asObject(await put({ dry_run: given.dryRun }, version)) };
      };
      const found = await findAll(finder, kind, [named].flat(), place);
      const [only, another] = found;
      if (another && given['name'] !== undefined)
        throw usage('--name is for one alone: no two can have the same.');
      const update = (one: Found) => untilUndisturbed(finder, one, write);
      if (given.dryRun) {
        const previews: Row[] = [];
        for (const one of found) previews.push((await update(one)).members);
        await printPreviews(session, previews);
      } else if (another) await updateAll(session, resource, found, update);
      else if (only) {
        const { resource: itsKind, members: its } = await update(only);
        await printResource(session, itsKind, resource, its);
      }
    });
}

/** Before one is changed, all are found. */
async function findAll(
  finder: Finder,
  kind: string,
  names: readonly string[],
  place: Within,
): Promise<Found[]> {
  const found = new Map<string, Found>();
  for (const name of names) {
    const one = await finder.find(kind, name, place);
    found.set(one.uuid, one);
  }
  return [...found.values()];
}

/** Reads and writes again, where somebody else has written between the two. */
async function untilUndisturbed(
  finder: Finder,
  first: Found,
  write: (found: Found) => Promise<Written>,
): Promise<Written> {
  for (let [found, reads] = [first, 1]; ; reads++)
    try {
      return await write(found);
    } catch (error) {
      const isOutdated = error instanceof Refusal && error.status === VERSION_MISMATCH;
      if (!isOutdated || reads >= MOST_READS) throw error;
      // By what stays: an answer that was lost may have given it another name or place.
      found = await finder.find(found.resource.kind, found.uuid);
    }
}

/**
 * Whether several devices may resolve other variables by it. An update of a device touches that one alone; what a label
 * is called decides which of two labels wins.
 */
const handsDown = ({ isDevice, kind }: ResourceDescription, body: RequestBody): boolean =>
  !isDevice && ('variables' in body || 'cells' in body || (kind === 'label' && kind in body));

/** A cell stays in its region; to move it, the region is told. */
const isChangeable =
  ({ isDevice }: ResourceDescription) =>
  ({ name }: MemberDescription): boolean =>
    isDevice || name !== 'region_id';

function regionOf({ members }: Found): number | undefined {
  const region = members['region_id'];
  return region === undefined ? undefined : plainNumber(region);
}

/** The whole set, as it will be. */
function changeLabels(
  body: RequestBody,
  { members }: Found,
  { add, remove }: { readonly add: readonly string[]; readonly remove: readonly string[] },
): void {
  if ('labels' in body) throw usage('--labels is the whole set: it excludes --add-label and --remove-label.');
  const both = add.find((label) => remove.includes(label));
  if (both !== undefined) throw usage(`The label ${JSON.stringify(both)} is both added and taken away.`);
  const has = members['labels'];
  const labels = new Set([...(typeof has === 'string' ? labelsOf(has) : []), ...add]);
  for (const label of remove) labels.delete(label);
  body['labels'] = [...labels];
}

/** What was changed, or would be: then it is a preview. */
interface Written {
  readonly resource: ResourceDescription;
  readonly members: Row;
}

/**
 * Changes one after the other, and shows them as a list; what is refused is told, and the others are changed all the same.
 * @param asked the kind that the command is about: of devices of any kind, it is told which
 */
async function updateAll(
  session: Session,
  asked: ResourceDescription,
  found: readonly Found[],
  update: (one: Found) => Promise<Written>,
): Promise<void> {
  const { format } = session;
  const name = asked.nameMember ?? 'id';
  const shown = shownInList(asked, format, {});
  const refused: Refused[] = [];
  const changed: Row[] = [];
  try {
    for (const one of found) {
      const written = await updated(one);
      if (written instanceof Refusal) refused.push({ one, refusal: written });
      else changed.push(rowOf(written));
    }
  } catch (error) {
    if (changed.length > 0) say(`Changed: ${changed.map((row) => String(row[name])).join(', ')}.`);
    sayRefused(refused, 'changed');
    throw error;
  }
  await printList(format, shownRows(each(changed), shown, session), { names: shown.columns, name });
  throwRefused(refused, found.length, 'changed');

  async function updated(one: Found): Promise<Written | Refusal> {
    try {
      return await update(one);
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  }

  function rowOf({ resource, members }: Written): Row {
    return asked.kind === resource.kind ? members : { [KIND]: resource.kind, ...members };
  }
}

async function* each(rows: readonly Row[]): AsyncGenerator<Row> {
  for (const row of rows) yield await Promise.resolve(row);
}
