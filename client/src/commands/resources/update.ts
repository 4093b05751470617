import { Command, Option } from 'commander';
import { ApiError } from '@muster/api-types';
import { asObject, toNumber } from '../../api/exact-json';
import type { MemberDescription, ResourceDescription } from '../../api/resource-description';
import { usageError } from '../../cli-error';
import { describeFlagWithValue } from '../command-suggestions';
import { confirmImpact, YES_HELP } from '../confirmed-write';
import { printWritten, writeOf } from '../report-write';
import { assertAllowed, MAX_SHOWN_DEVICES, readPreview } from '../impact-preview';
import { updateSeveral, writeUpdate, type PreparedUpdate, type UpdateResult } from './bulk-update';
import { printWrittenResource } from './columns';
import { addScopeOptions, lookupScope, type ScopeOptions } from './filter-flags';
import { memberOptions, parseLabels, repeatable, repeatedTexts, type OptionValues } from './member-flags';
import { createLabelsOption, findNewLabels, labelsIn, printCreatedLabels } from './new-labels';
import { printPreviews } from './print-previews';
import { buildRequestBody, clearMembers, clearOption, type RequestBody } from './request-body';
import { addWriteOptions, proposeInstead } from '../propose';
import { openSession } from '../session';
import { displayKind, displayName, ResourceFinder, type FoundResource } from '../../lookup/resource-finder';
import type { Row } from '../../output/rows';

interface UpdateOptions extends OptionValues, ScopeOptions {
  readonly dryRun?: true;
  readonly yes?: true;
  readonly createLabels?: boolean;
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
    command.addOption(add).addOption(remove).addOption(rejectedLabelOption()).addOption(createLabelsOption());
  if (resource.update.some(({ nullable, type }) => nullable || type === 'labels' || type === 'strings'))
    command.addOption(clear);
  if (!resource.isDevice) addScopeOptions(command, resource);
  if (resource.carriesVariables) command.option('-y, --yes', YES_HELP);
  return addWriteOptions(command, resource)
    .option('--dry-run', 'show what would change, without writing')
    .action(async (identifiers: string | string[], options: UpdateOptions, running: Command) => {
      const flagError = describeFlagWithValue(running, [identifiers].flat().slice(1));
      if (flagError !== undefined) throw usageError(flagError);
      const session = openSession(running);
      const { muster, finder } = session;
      const scope = resource.isDevice ? {} : await lookupScope(resource, options, finder);
      const labels = { add: repeatedTexts(options, add), remove: repeatedTexts(options, remove) };
      const changesLabels = labels.add.length + labels.remove.length > 0;
      const announced = new Set<string>();
      /** Several devices can get the same new label. */
      const announceLabels = (created: readonly string[]): void => {
        printCreatedLabels(created.filter((label) => !announced.has(label)));
        for (const label of created) announced.add(label);
      };
      const prepare = async (found: FoundResource): Promise<PreparedUpdate> => {
        const body = await buildRequestBody(found.resource, members, options, finder, regionOf(found));
        clearMembers(found.resource, repeatedTexts(options, clear), body);
        if (changesLabels) changeLabels(body, found, labels);
        if (Object.keys(body).length === 0)
          throw usageError(`Nothing to update: see --help for the options of a ${displayKind(kind)}.`);
        const newLabels = await findNewLabels(
          muster,
          projectOf(found),
          givenLabels(body, found),
          options.createLabels !== false,
        );
        const write = { path: { id: found.id }, body };
        return {
          found,
          body,
          request: { method: 'put', path: `/v1/${found.resource.collection}/{id}`, options: write },
          // The new labels are based on the labels that were read.
          version: changesLabels ? found.version : undefined,
          put: async (query, version) => {
            const response = await muster.request('put', `/v1/${found.resource.collection}/{id}`, {
              ...write,
              query,
              ...(version === undefined ? {} : { ifMatch: version }),
            });
            if (query?.['dry_run'] !== true) announceLabels(newLabels);
            return response;
          },
        };
      };
      // Nothing is updated if one of them is not found.
      const found = await finder.findAll(kind, [identifiers].flat(), scope);
      const [only, another] = found;
      if (another && options['name'] !== undefined)
        throw usageError('--name is for a single device: names are unique.');
      const retry = <T>(one: FoundResource, write: (update: PreparedUpdate) => Promise<T>): Promise<T> =>
        retryOnVersionMismatch(finder, one, async (current) => write(await prepare(current)));
      const requests = session.proposalTitle === undefined ? [] : await Promise.all(found.map(prepare));
      if (
        await proposeInstead(
          session,
          requests.map(({ request }) => request),
        )
      )
        return;
      if (options.dryRun) {
        const previews: Row[] = [];
        for (const one of found)
          previews.push(
            await retry(one, async ({ put, version }) =>
              asObject((await put({ dry_run: true }, version)).body),
            ),
          );
        await printPreviews(session, previews);
      } else if (another) await updateSeveral(session, resource, found, { prepare, retry, yes: options.yes });
      else if (only) {
        const updated = await retry(only, (update) => updateOne(update, options.yes));
        await printWrittenResource(session, only.resource, resource, updated.members, updated.body);
        await printWritten(session, `Updated ${displayName(only)}`, [updated.write], true);
      }
    });
}

/**
 * Updates one resource. Asks for confirmation if more than one device is affected, or the type of a variable would change.
 * @throws CliError if the user declines, or there is no terminal to ask at; ApiError
 */
async function updateOne(
  { found, body, put, ...update }: PreparedUpdate,
  yes: true | undefined,
): Promise<UpdateResult> {
  if (yes || !(affectsOtherDevices(found.resource, body) || 'variables' in body))
    return writeUpdate({ found, body, put, ...update }, yes);
  const preview = readPreview((await put({ dry_run: true, limit: MAX_SHOWN_DEVICES })).body);
  assertAllowed(preview.body);
  await confirmImpact(preview, `change ${displayName(found)}`, preview.typeChanges);
  // The write must have the previewed effect.
  const response = await put({}, update.version ?? preview.version);
  return { members: asObject(response.body), body, write: writeOf(response, preview.devices) };
}

/** Repeats the read and the write if the resource was changed in between. */
async function retryOnVersionMismatch<T>(
  finder: ResourceFinder,
  first: FoundResource,
  write: (found: FoundResource) => Promise<T>,
): Promise<T> {
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

/** The project of a resource, which has its labels. */
function projectOf({ members }: FoundResource): string | undefined {
  const project = members['project_id'];
  return typeof project === 'string' ? project : undefined;
}

/** The labels of a body that the resource does not have yet. */
function givenLabels(body: RequestBody, { members }: FoundResource): string[] {
  const current = typeof members['labels'] === 'string' ? parseLabels(members['labels']) : [];
  return labelsIn([body]).filter((label) => !current.includes(label));
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
