import { Command, Option } from 'commander';
import { ApiError } from '../../api/errors';
import { asObject, toNumber } from '../../api/exact-json';
import type { RequestOptions } from '../../api/muster';
import type { MemberDescription, ResourceDescription } from '../../api/resource-description';
import { usageError } from '../../cli-error';
import { confirmImpact, YES_HELP } from '../confirmed-write';
import { MAX_SHOWN_DEVICES, readPreview } from '../impact-preview';
import { KIND_MEMBER } from './all-devices';
import { listColumns, printResource, renderRows } from './columns';
import { printFailedItems, throwIfFailed, type FailedItem } from './failed-items';
import { addScopeOptions, lookupScope, type ScopeOptions } from './filter-flags';
import { memberOptions, parseLabels, repeatable, repeatedTexts, type OptionValues } from './member-flags';
import { printPreviews } from './print-previews';
import { buildRequestBody, clearMembers, clearOption, type RequestBody } from './request-body';
import { openSession, type Session } from '../session';
import { displayKind, displayName, ResourceFinder, type FoundResource } from '../../lookup/resource-finder';
import { printStatus } from '../../output/console';
import { printList, type Row } from '../../output/formats';

interface UpdateOptions extends OptionValues, ScopeOptions {
  readonly dryRun?: true;
  readonly yes?: true;
}

/** An option of `create` that would be ambiguous here. */
const rejectedLabelOption = (): Option =>
  new Option('--label <label>').hideHelp().argParser(() => {
    throw usageError('Use --add-label to add a label, or --labels to replace all labels.');
  });

/** How often an update is retried after concurrent changes. */
const MAX_ATTEMPTS = 10;
const VERSION_MISMATCH = 412;

/** `muster host update web-9 --note …` */
export function updateCommand(resource: ResourceDescription): Command {
  const { kind, nameMember } = resource;
  const members = memberOptions(resource.update.filter(isChangeable(resource)), nameMember, 'update');
  const add = repeatable('--add-label <label>', 'a label to add');
  const remove = repeatable('--remove-label <label>', 'a label to remove');
  const clear = clearOption();
  const command = new Command('update')
    .description(`Updates a ${displayKind(kind)} and shows it.`)
    .argument(
      resource.isDevice ? `<${kind}...>` : `<${kind}>`,
      resource.isDevice ? 'UUIDs, ids or names' : 'a UUID, id or name',
    );
  for (const { options } of members) for (const option of options) command.addOption(option);
  if (resource.update.some(({ type }) => type === 'labels'))
    command.addOption(add).addOption(remove).addOption(rejectedLabelOption());
  if (resource.update.some(({ nullable, type }) => nullable || type === 'labels' || type === 'strings'))
    command.addOption(clear);
  if (!resource.isDevice) addScopeOptions(command, resource);
  if (resource.carriesVariables) command.option('-y, --yes', YES_HELP);
  return command
    .option('--dry-run', 'show what would change, without writing')
    .action(async (identifiers: string | string[], options: UpdateOptions, running: Command) => {
      const session = openSession(running);
      const { muster, finder } = session;
      const scope = resource.isDevice ? {} : await lookupScope(resource, options, finder);
      const labels = { add: repeatedTexts(options, add), remove: repeatedTexts(options, remove) };
      const changesLabels = labels.add.length + labels.remove.length > 0;
      const write = async (found: FoundResource): Promise<UpdateResult> => {
        const body = await buildRequestBody(found.resource, members, options, finder, regionOf(found));
        clearMembers(found.resource, repeatedTexts(options, clear), body);
        if (changesLabels) changeLabels(body, found, labels);
        if (Object.keys(body).length === 0)
          throw usageError(`Nothing to update: see --help for the options of a ${displayKind(kind)}.`);
        const put = async (query: RequestOptions['query'], version?: number) => {
          const path = `/v1/${found.resource.collection}/{id}`;
          const condition = version === undefined ? {} : { ifMatch: version };
          return (await muster.request('put', path, { path: { id: found.id }, query, body, ...condition }))
            .body;
        };
        // The new labels are based on the labels that were read.
        let version = changesLabels ? found.version : undefined;
        const needsPreview = affectsOtherDevices(found.resource, body) || 'variables' in body;
        if (needsPreview && !options.dryRun && !options.yes) {
          const preview = readPreview(await put({ dry_run: true, limit: MAX_SHOWN_DEVICES }));
          await confirmImpact(preview, `change ${displayName(found)}`, preview.typeChanges);
          // The write must have the previewed effect.
          version ??= preview.version;
        }
        return {
          resource: found.resource,
          members: asObject(await put({ dry_run: options.dryRun }, version)),
        };
      };
      // Nothing is updated if one of them is not found.
      const found = await finder.findAll(kind, [identifiers].flat(), scope);
      const [only, another] = found;
      if (another && options['name'] !== undefined)
        throw usageError('--name is for a single device: names are unique.');
      const update = (one: FoundResource) => retryOnVersionMismatch(finder, one, write);
      if (options.dryRun) {
        const previews: Row[] = [];
        for (const one of found) previews.push((await update(one)).members);
        await printPreviews(session, previews);
      } else if (another) await updateSeveral(session, resource, found, update);
      else if (only) {
        const updated = await update(only);
        await printResource(session, updated.resource, resource, updated.members);
      }
    });
}

/** Repeats the read and the write if the resource was changed in between. */
async function retryOnVersionMismatch(
  finder: ResourceFinder,
  first: FoundResource,
  write: (found: FoundResource) => Promise<UpdateResult>,
): Promise<UpdateResult> {
  for (let [found, attempt] = [first, 1]; ; attempt++)
    try {
      return await write(found);
    } catch (error) {
      const isOutdated = error instanceof ApiError && error.status === VERSION_MISMATCH;
      if (!isOutdated || attempt >= MAX_ATTEMPTS) throw error;
      // By UUID: an earlier attempt whose response was lost may have renamed or moved it.
      found = await finder.find(found.resource.kind, found.uuid);
    }
}

/**
 * Whether an update may change the resolved variables of several devices. An update of a device affects that device only.
 * Renaming a label counts, because names determine the precedence of labels.
 */
const affectsOtherDevices = ({ isDevice, kind }: ResourceDescription, body: RequestBody): boolean =>
  !isDevice && ('variables' in body || 'cells' in body || (kind === 'label' && kind in body));

/** The region of a cell cannot be changed: it is moved by an update of a region. */
const isChangeable =
  ({ isDevice }: ResourceDescription) =>
  ({ name }: MemberDescription): boolean =>
    isDevice || name !== 'region_id';

function regionOf({ members }: FoundResource): number | undefined {
  const region = members['region_id'];
  return region === undefined ? undefined : toNumber(region);
}

/** Sets the complete list of labels after the update. */
function changeLabels(
  body: RequestBody,
  { members }: FoundResource,
  { add, remove }: { readonly add: readonly string[]; readonly remove: readonly string[] },
): void {
  if ('labels' in body) throw usageError('--labels cannot be combined with --add-label or --remove-label.');
  const both = add.find((label) => remove.includes(label));
  if (both !== undefined) throw usageError(`The label ${JSON.stringify(both)} is both added and removed.`);
  const current = members['labels'];
  const labels = new Set([...(typeof current === 'string' ? parseLabels(current) : []), ...add]);
  for (const label of remove) labels.delete(label);
  body['labels'] = [...labels];
}

/** The updated resource, or the preview of a dry run. */
interface UpdateResult {
  readonly resource: ResourceDescription;
  readonly members: Row;
}

/**
 * Updates resources one by one and prints them as a list. A failure does not stop the others.
 * @param commandKind the kind of the command, which may be `device`
 */
async function updateSeveral(
  session: Session,
  commandKind: ResourceDescription,
  found: readonly FoundResource[],
  update: (one: FoundResource) => Promise<UpdateResult>,
): Promise<void> {
  const { format } = session;
  const name = commandKind.nameMember ?? 'id';
  const columns = listColumns(commandKind, format, {});
  const failedItems: FailedItem[] = [];
  const changed: Row[] = [];
  try {
    for (const one of found) {
      const result = await tryUpdate(one);
      if (result instanceof ApiError) failedItems.push({ item: one, error: result });
      else changed.push(rowOf(result));
    }
  } catch (error) {
    if (changed.length > 0) printStatus(`Updated: ${changed.map((row) => String(row[name])).join(', ')}.`);
    printFailedItems(failedItems, 'changed');
    throw error;
  }
  await printList(format, renderRows(changed, columns, session), { names: columns.columns, name });
  throwIfFailed(failedItems, found.length, 'changed');

  async function tryUpdate(one: FoundResource): Promise<UpdateResult | ApiError> {
    try {
      return await update(one);
    } catch (error) {
      if (error instanceof ApiError) return error;
      throw error;
    }
  }

  function rowOf({ resource, members }: UpdateResult): Row {
    return commandKind.kind === resource.kind ? members : { [KIND_MEMBER]: resource.kind, ...members };
  }
}
