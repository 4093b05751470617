import { Command, Option } from 'commander';
import { asObject } from '../../api/exact-json';
import type { RequestOptions } from '../../api/muster';
import type { ResourceDescription } from '../../api/resource-description';
import { CliError, EXIT, usageError } from '../../cli-error';
import { requireConfirmation } from '../confirmed-write';
import { MAX_SHOWN_DEVICES } from '../impact-preview';
import { listColumns, printResource, renderRows } from './columns';
import { memberOptions, type OptionValues } from './member-flags';
import { createLabelsOption, findNewLabels, labelsIn, printCreatedLabels } from './new-labels';
import { printChanges, printPreviews } from './print-previews';
import { assertRequiredMembers, buildRequestBody, type RequestBody } from './request-body';
import { openSession, type Session } from '../session';
import {
  describeKind,
  describeKinds,
  displayKind,
  type FoundResource,
  type ResourceFinder,
} from '../../lookup/resource-finder';
import { pluralize, printStatus } from '../../output/console';
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
  const command = new Command('create')
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
  return command
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
      const items = expandRanges(name, values);
      if (items) {
        const bodies: RequestBody[] = [];
        for (const item of items) bodies.push(await bodyOf(item.name, item.options));
        return createSeveral(session, createdKind, bodies, values);
      }
      const body = await bodyOf(name, values);
      const newLabels = await newLabelsOf(session, [body], values);
      const response = await muster.request('post', `/v1/${createdKind.collection}`, {
        query: { dry_run: values.dryRun },
        body,
      });
      if (values.dryRun) return printPreviews(session, [asObject(response.body)]);
      const created = asObject(response.body);
      await printResource(session, createdKind, resource, created);
      printCreatedLabels(newLabels);
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
  const post = async (query: RequestOptions['query']): Promise<unknown> =>
    (await session.muster.request('post', `/v1/${resource.collection}`, { query, body: bodies })).body;
  const preview = () => post({ dry_run: true, limit: MAX_SHOWN_DEVICES });
  if (dryRun) return printPreviews(session, [asObject(await preview())]);
  const what = pluralize(bodies.length, displayKind(resource.kind));
  if (bodies.length > 1 && !yes)
    await requireConfirmation(`This would create ${what}.`, `create ${what}`, async () =>
      printChanges({ ...session, format: 'table' }, [asObject(await preview())]),
    );
  const created = ((await post({})) as unknown[]).map(asObject);
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
  let notFound: CliError | undefined;
  for (const at of slashes)
    try {
      const region = await finder.find('region', nameOrPath.slice(0, at));
      return [nameOrPath.slice(at + 1), { ...options, region: region.uuid }];
    } catch (error) {
      if (!(error instanceof CliError) || error.exitCode !== EXIT.notFound) throw error;
      notFound ??= error;
    }
  if (notFound) throw notFound;
  return [nameOrPath, options];
}

/** The maximum number of items in a range: the maximum of one request of the API. */
const MAX_RANGE_LENGTH = 1000;
const RANGE = /\{([A-Za-z]|\d{1,15})\.\.([A-Za-z]|\d{1,15})\}/g;

/**
 * Expands ranges such as `{1..12}`, `{01..12}` or `{a..c}` in a name, and in step with it in the options.
 * @returns the name and the options of each item; undefined if the name contains no range
 * @throws CliError for ranges of different lengths, and for invalid ones
 */
export function expandRanges<T extends OptionValues>(
  name: string,
  options: T,
): readonly { readonly name: string; readonly options: T }[] | undefined {
  const length = lengthOf(name);
  if (length === undefined) return undefined;
  const others = Object.values(options)
    .flat()
    .flatMap((value) => (typeof value === 'string' ? (lengthOf(value) ?? []) : []));
  const different = others.find((one) => one !== length);
  if (different !== undefined)
    throw usageError(
      `The ranges have different lengths: ${String(length)} in the name, ${String(different)} in an option.`,
    );
  return Array.from({ length }, (_, at) => ({
    name: itemOf(name, at),
    options: Object.fromEntries(
      Object.entries(options).map(([option, value]) => [option, expandValue(value, at)]),
    ) as T,
  }));
}

/** The length of the ranges in a text; undefined without ranges. @throws CliError */
function lengthOf(text: string): number | undefined {
  const lengths = [...text.matchAll(RANGE)].map(([range, first = '', last = '']) => {
    if (typeOf(first) !== typeOf(last))
      throw usageError(
        `Invalid range ${range}: it needs two numbers, two lower-case letters or two upper-case letters.`,
      );
    const length = positionOf(last) - positionOf(first) + 1;
    if (length >= 1 && length <= MAX_RANGE_LENGTH) return length;
    throw usageError(
      length < 1
        ? `Invalid range ${range}: it ends before it begins.`
        : `Invalid range ${range}: it has more than ${String(MAX_RANGE_LENGTH)} items.`,
    );
  });
  const [length] = lengths;
  if (lengths.some((one) => one !== length))
    throw usageError(`The ranges in ${JSON.stringify(text)} have different lengths.`);
  return length;
}

const isNumber = (bound: string): boolean => /^\d/.test(bound);

/** The type of a bound of a range. */
function typeOf(bound: string): 'number' | 'upper case' | 'lower case' {
  if (isNumber(bound)) return 'number';
  return bound === bound.toUpperCase() ? 'upper case' : 'lower case';
}

const positionOf = (bound: string): number => (isNumber(bound) ? Number(bound) : bound.charCodeAt(0));

function expandValue(value: unknown, at: number): unknown {
  if (typeof value === 'string') return itemOf(value, at);
  return Array.isArray(value) ? value.map((one: unknown) => expandValue(one, at)) : value;
}

/** The text for one item: `web-{08..12}` becomes `web-08`, `web-09` … */
const itemOf = (text: string, at: number): string =>
  text.replace(RANGE, (_, first: string) =>
    isNumber(first)
      ? String(Number(first) + at).padStart(first.length, '0')
      : String.fromCharCode(first.charCodeAt(0) + at),
  );
