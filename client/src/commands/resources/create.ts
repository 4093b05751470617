import { Command, Option } from 'commander';
import { expandRanges, InvalidRangeError } from '@muster/api-types';
import { asObject } from '../../api/exact-json';
import type { RequestOptions } from '../../api/muster';
import type { ResourceDescription } from '../../api/resource-description';
import { usageError } from '../../cli-error';
import { requireConfirmation } from '../confirmed-write';
import { printWritten, writeOf } from '../report-write';
import { MAX_SHOWN_DEVICES } from '../impact-preview';
import { listColumns, printWrittenResource, renderRows } from './columns';
import { memberOptions, type OptionValues } from './member-flags';
import { createLabelsOption, findNewLabels, labelsIn, printCreatedLabels } from './new-labels';
import { printChanges, printPreviews } from './print-previews';
import { assertRequiredMembers, buildRequestBody, type RequestBody } from './request-body';
import { addWriteOptions, proposeInstead } from '../propose';
import { openSession, type Session } from '../session';
import {
  describeKind,
  describeKinds,
  displayKind,
  type FoundResource,
  type ResourceFinder,
} from '../../lookup/resource-finder';
import { printStatus } from '../../output/console';
import { pluralize } from '../../text';
import { printList } from '../../output/formats';

const RANGES_HELP = `
A range such as {1..12}, {01..12} or {a..c} in the name creates several in one change. Ranges of the same length in options
are expanded in step with it. Put ranges into quotes: --ip-address '10.9.0.{1..12}'`;

interface CreateOptions extends OptionValues {
  readonly dryRun?: true;
  readonly yes?: true;
  readonly createLabels?: boolean;
  /** The kind of the new device. */
  readonly kind?: string;
}

/** `muster host create web-9 --region north …` */
export function createCommand(resource: ResourceDescription): Command {
  const { kind, nameMember } = resource;
  const members = memberOptions(
    // Required members come first in the help.
    resource.create
      .filter(({ name }) => name !== nameMember)
      .toSorted((a, b) => Number(b.required ?? false) - Number(a.required ?? false)),
    nameMember,
    'create',
  );
  const required = [
    ...(kind === 'device' ? ['--kind <kind>'] : []),
    ...members.flatMap(({ member, options }) => (member.required ? (options[0]?.flags ?? []) : [])),
  ];
  const command = new Command('create')
    // Errors show it: what is required, all at once.
    .usage(['<name>', ...required, '[options]'].join(' '))
    .description(`Creates a ${displayKind(kind)} and shows it.`)
    .argument(
      '<name>',
      `${kind === 'cell' ? 'the name, or REGION/CELL' : 'the name'}; with a range such as 'web-{1..12}', several`,
    );
  if (kind === 'device')
    command.addOption(
      new Option('--kind <kind>', 'the kind of the device')
        .choices(describeKinds(kind).map((one) => one.kind))
        .makeOptionMandatory(),
    );
  for (const { options } of members) for (const option of options) command.addOption(option);
  if (resource.create.some(({ type }) => type === 'labels')) command.addOption(createLabelsOption());
  return addWriteOptions(command, resource)
    .option('--dry-run', 'show what would change, without writing')
    .option('-y, --yes', 'create several without asking')
    .addHelpText('after', RANGES_HELP)
    .action(async (nameOrPath: string, options: CreateOptions, runningCommand: Command) => {
      const session = openSession(runningCommand);
      const { muster, finder, format } = session;
      const [name, values] =
        kind === 'cell' && options['region'] === undefined
          ? await splitCellPath(nameOrPath, options, finder)
          : [nameOrPath, options];
      const createdKind = values.kind === undefined ? resource : describeKind(values.kind);
      // The API key is shown only once.
      if (createdKind.kind === 'user' && format === 'name' && !values.dryRun)
        throw usageError('-o name does not print the API key, which is shown only once.');
      const cachedFinder = cacheLookups(finder);
      const bodyOf = async (itemName: string, itemValues: OptionValues): Promise<RequestBody> => {
        const body = await buildRequestBody(createdKind, members, itemValues, cachedFinder);
        assertRequiredMembers(createdKind, body);
        return {
          ...(createdKind.nameMember === null ? {} : { [createdKind.nameMember]: itemName }),
          ...body,
        };
      };
      const items = itemsOf(name, values);
      if (items) {
        const bodies: RequestBody[] = [];
        for (const item of items) bodies.push(await bodyOf(item.name, item.members));
        return createSeveral(session, createdKind, bodies, values);
      }
      const body = await bodyOf(name, values);
      const newLabels = await newLabelsOf(session, [body], values);
      const path = `/v1/${createdKind.collection}`;
      if (await proposeInstead(session, [{ method: 'post', path, options: { body } }])) return;
      const response = await muster.request('post', path, {
        query: { dry_run: values.dryRun },
        body,
      });
      if (values.dryRun) return printPreviews(session, [asObject(response.body)]);
      const created = asObject(response.body);
      await printWrittenResource(session, createdKind, resource, created, body);
      printCreatedLabels(newLabels);
      await printWritten(
        session,
        `Created ${displayKind(createdKind.kind)} ${name}`,
        [writeOf(response)],
        true,
      );
      if ('api_key' in created) printStatus('Save the API key: it is shown only once.');
    });
}

/** The labels that a creation creates, too. @throws CliError with `--no-create-labels` */
const newLabelsOf = (
  { muster, project }: Session,
  bodies: readonly RequestBody[],
  { createLabels }: CreateOptions,
): Promise<string[]> => findNewLabels(muster, project, labelsIn(bodies), createLabels !== false);

/** Creates resources of one kind in one change, after confirmation, and lists them. */
async function createSeveral(
  session: Session,
  resource: ResourceDescription,
  bodies: readonly RequestBody[],
  options: CreateOptions,
): Promise<void> {
  const { dryRun, yes } = options;
  const newLabels = await newLabelsOf(session, bodies, options);
  const path = `/v1/${resource.collection}`;
  if (await proposeInstead(session, [{ method: 'post', path, options: { body: bodies } }])) return;
  const post = (query: RequestOptions['query']) =>
    session.muster.request('post', path, { query, body: bodies });
  const preview = async () => asObject((await post({ dry_run: true, limit: MAX_SHOWN_DEVICES })).body);
  if (dryRun) return printPreviews(session, [await preview()]);
  const what = pluralize(bodies.length, displayKind(resource.kind));
  if (bodies.length > 1 && !yes)
    await requireConfirmation(`This would create ${what}.`, `create ${what}`, async () =>
      printChanges({ ...session, format: 'table' }, [await preview()]),
    );
  const response = await post({});
  const created = (response.body as unknown[]).map(asObject);
  const selection = listColumns(resource, session.format, {});
  const showsKeys = created.some((one) => 'api_key' in one) && !selection.columns.includes('api_key');
  // A key is shown only once, so no other column takes its space in a table.
  const others = session.format === 'table' ? ['username'] : selection.columns;
  const columns = showsKeys ? [...others, 'api_key'] : selection.columns;
  await printList(session.format, renderRows(created, { ...selection, columns }, session), {
    names: columns,
    name: resource.nameMember ?? 'id',
    ...(showsKeys ? { wraps: true } : {}),
  });
  printCreatedLabels(newLabels);
  await printWritten(session, `Created ${what}`, [writeOf(response)], true);
  if (showsKeys) printStatus('Save the API keys: they are shown only once.');
}

/** A finder that looks each identifier up once: the items of a range mostly refer to the same resources. */
function cacheLookups(finder: ResourceFinder): Pick<ResourceFinder, 'find'> {
  const cache = new Map<string, Promise<FoundResource>>();
  return {
    find(kind, identifier, scope = {}) {
      const key = JSON.stringify([kind, identifier, scope]);
      const found = cache.get(key) ?? finder.find(kind, identifier, scope);
      cache.set(key, found);
      return found;
    },
  };
}

/** Splits `north/rack-b` into cell and region. Names may contain slashes, so the shortest existing region is used. */
async function splitCellPath(
  nameOrPath: string,
  options: CreateOptions,
  finder: ResourceFinder,
): Promise<[name: string, values: CreateOptions]> {
  const slashes = [...nameOrPath.matchAll(/(?<=.)\/(?=.)/g)].map(({ index }) => index);
  for (const at of slashes) {
    const region = await finder.findIfAny('region', nameOrPath.slice(0, at));
    if (region) return [nameOrPath.slice(at + 1), { ...options, region: region.uuid }];
  }
  const [first] = slashes;
  if (first === undefined) return [nameOrPath, options];
  // The error names the shortest one, and a similar region.
  const region = await finder.find('region', nameOrPath.slice(0, first));
  return [nameOrPath.slice(first + 1), { ...options, region: region.uuid }];
}

/** The items of the ranges in a name and in options: see `expandRanges` of the shared types. @throws CliError */
function itemsOf(name: string, values: CreateOptions) {
  try {
    return expandRanges(name, values);
  } catch (error) {
    if (error instanceof InvalidRangeError) throw usageError(error.message);
    throw error;
  }
}
