import { Command, Option } from 'commander';
import { changeKinds, resources } from '../api/resources';
import { CliError, EXIT, usageError } from '../cli-error';
import { limitOption, pageLimit, takeFirst, parseTimeOption, TIME_HELP } from './shared-options';
import { proposeInstead } from './propose';
import { openSession, type GlobalOptions, type Session } from './session';
import { isUuid, type ResourceFinder, displayKind } from '../lookup/resource-finder';
import { printIfUnknownKey } from '../lookup/unknown-key';
import { printList, type OutputFormat, printOne } from '../output/formats';
import type { Row, Rows } from '../output/rows';
import { asObject, toNumber } from '../api/exact-json';
import type { Muster, RequestOptions } from '../api/muster';
import { print, printStatus } from '../output/console';
import { pluralize } from '../text';
import {
  addConfirmationOptions,
  confirmImpact,
  printImpactTable,
  type ConfirmationOptions,
} from './confirmed-write';
import { describeImpact, printDone } from './report-write';
import {
  affectedDevices,
  ruleLines,
  assertAllowed,
  MAX_SHOWN_DEVICES,
  readImpact,
  displaySides,
  objectChanges,
} from './impact-preview';

/** `muster change` */
export const changeCommand = (): Command =>
  new Command('change').addCommand(listCommand()).addCommand(showCommand()).addCommand(revertCommand());

interface ListOptions {
  readonly kind?: string;
  readonly resource?: string;
  readonly key?: string;
  readonly by?: string;
  readonly because?: string;
  readonly since?: string;
  readonly until?: string;
  readonly requestId?: string;
  readonly override?: true;
  readonly limit: number;
}

const SETTINGS = 'project-settings';
const PROPOSAL = 'proposal';

const LIST_EXAMPLES = `
Examples:
  muster change list --kind host --resource web-1
  muster change list --by operator --since 2026-11-20 --key kernel`;

/** `muster change list` */
function listCommand(): Command {
  return new Command('list')
    .description('Lists changes, newest first, with time, author, objects, affected devices and reason.')
    .addOption(new Option('--kind <kind>', 'only changes to resources of this kind').choices(changeKinds))
    .option(
      '--resource <name>',
      'only changes to this resource; requires --kind; a deleted or nameless resource by its id',
    )
    .option('--key <key>', 'only changes to variables with this key')
    .option('--by <user>', 'only changes by this user')
    .option('--because <text>', 'only changes with this text in the reason')
    .option('--since <time>', `only changes at or after this time: ${TIME_HELP}`, parseTimeOption)
    .option('--until <time>', 'only changes before this time', parseTimeOption)
    .option('--request-id <id>', 'only the change of this request')
    .option('--override', 'only changes that an admin made without the approvals that they needed')
    .addOption(limitOption())
    .addHelpText('after', LIST_EXAMPLES)
    .action(async (options: ListOptions, command: Command) => {
      if (command.optsWithGlobals<GlobalOptions>().reason !== undefined)
        throw usageError(
          '--reason is for the reason of a new change: --because finds changes by their reason.',
        );
      const session = openSession(command);
      const { muster, project, format } = session;
      const changes = muster.items('/v1/changes', {
        query: {
          ...(await resourceFilter(session, options)),
          key: options.key,
          actor: options.by,
          reason: options.because,
          since: options.since,
          until: options.until,
          request_id: options.requestId,
          override: options.override,
          project_id: project,
          limit: pageLimit(options.limit),
          sort_dir: 'desc',
        },
      });
      const count = await printList(format, takeFirst(changeRows(format, changes), options.limit), {
        names: ['id', 'time', 'who', 'what', 'devices', 'reason'],
        name: 'id',
      });
      // The changes of variables of users are listed, too.
      if (count === 0 && options.key !== undefined && options.kind !== 'user')
        await printIfUnknownKey(session, options.key, 'No region, cell, label or device sets');
    });
}

/** The filters for `--kind` and `--resource`. */
async function resourceFilter(
  { finder }: Session,
  { kind, resource }: ListOptions,
): Promise<Readonly<Record<string, string | undefined>>> {
  if (resource === undefined) return { kind };
  if (kind === undefined)
    throw usageError('--resource requires --kind: for example --kind host --resource web-1.');
  return { resource: `${kind}/${await findResourceId(finder, kind, resource)}` };
}

/**
 * Finds the id of a resource. The changes of a deleted resource are found by its id only. Settings have the id of their
 * project, and only root can look projects up.
 */
async function findResourceId(finder: ResourceFinder, kind: string, identifier: string): Promise<string> {
  if (kind === PROPOSAL) {
    if (/^\d{1,15}$/.test(identifier)) return identifier;
    throw usageError('A proposal is given by its id: "muster proposal list" shows the ids.');
  }
  const lookupKind = kind === SETTINGS ? 'project' : kind;
  if (lookupKind === 'project' && isUuid(identifier)) return identifier;
  try {
    return (await finder.find(lookupKind, identifier)).id;
  } catch (error) {
    if (!(error instanceof CliError && error.exitCode === EXIT.notFound)) throw error;
    if (/^\d{1,15}$/.test(identifier)) return identifier;
    throw new CliError(error.message, error.exitCode, [
      ...error.lines,
      '  A deleted resource can be given by its id.',
    ]);
  }
}

/** Rows for people contain a summary; rows for programs contain the record. */
async function* changeRows(format: OutputFormat, changes: AsyncIterable<unknown>): AsyncGenerator<Row> {
  for await (const item of changes) {
    const record = parseChangeRecord(item);
    yield format === 'table' || format === 'csv'
      ? { ...changeSummaryRow(record), what: summarizeChange(record) }
      : record.members;
  }
}

/** `muster change show` */
function showCommand(): Command {
  return new Command('show')
    .description('Shows a change: the members of each changed object, before and after.')
    .argument('<id>', 'the id, as shown by "muster change list"')
    .action(async (idText: string, _, command: Command) => {
      const id = parseChangeId(idText);
      const { muster, format } = openSession(command);
      const record = parseChangeRecord(
        (await muster.request('get', '/v1/changes/{id}', { path: { id } })).body,
      );
      const { members, objects, total } = record;
      if (format === 'table') {
        const head = {
          ...changeSummaryRow(record),
          ...governanceOf(record),
          request_id: members['request_id'],
          touched: total,
        };
        await printOne(format, head, 'id');
        await print('\n');
      }
      if (format === 'table' || format === 'csv')
        return printObjectChanges(format, changedObjects(muster, record));
      await printOne(format, members, 'id');
      if (format !== 'name' && total > objects.length)
        printStatus(
          `Showing the first ${String(objects.length)} of ${String(total)} objects: use -o csv to show all.`,
        );
    });
}

/** All changed objects: a record contains only the first of them. */
async function* changedObjects(
  muster: Muster,
  { members, objects, total }: ChangeRecord,
): AsyncGenerator<Row> {
  if (objects.length === total) yield* objects;
  else {
    const path = { id: String(members['id']) };
    for await (const object of muster.items('/v1/changes/{id}/objects', { path })) yield asObject(object);
  }
}

const REVERT_EXAMPLES = `
Examples:
  muster change revert 25 --dry-run
  muster change revert 25 --reason "CHG-1060: back again"
  muster change revert 25 26 27`;

/** `muster change revert` */
function revertCommand(): Command {
  return addConfirmationOptions(new Command('revert'))
    .alias('undo')
    .description(
      'Reverts one or several changes with one new change. Rejected if other later changes conflict with them.',
    )
    .argument('<id...>', 'the ids, as shown by "muster change list"')
    .addHelpText('after', REVERT_EXAMPLES)
    .action(async (idTexts: readonly string[], { dryRun, yes }: ConfirmationOptions, command: Command) => {
      const ids = [...new Set(idTexts.map(parseChangeId))].sort((a, b) => Number(b) - Number(a));
      const [id = '', ...others] = ids;
      const title = `change${others.length > 0 ? 's' : ''} ${ids.join(', ')}`;
      const body = others.length > 0 ? { additional_ids: others.map(Number) } : undefined;
      const session = openSession(command);
      const { muster, format } = session;
      const path = '/v1/changes/{id}/revert';
      if (await proposeInstead(session, [{ method: 'post', path, options: { path: { id }, body } }])) return;
      const send = async (query: RequestOptions['query']): Promise<Row> =>
        asObject((await muster.request('post', path, { path: { id }, query, body })).body);
      if (dryRun || !yes) {
        const preview = await send({ dry_run: true, limit: MAX_SHOWN_DEVICES });
        if (dryRun) return printPreview(format, title, preview);
        assertAllowed(preview);
        const change = parseChangeRecord(preview['change']);
        const intent = `revert ${title} (${summarizeChange(change)})`;
        await confirmImpact(readImpact(preview['impact']), intent, deletionsOf(change));
      }
      const revert = parseChangeRecord(await send({}));
      if (format !== 'table') await printOne(format, revert.members, 'id');
      const revertId = String(revert.members['id']);
      printDone(`Reverted ${title} with change ${revertId}: ${summarizeChange(revert)}`, {
        devices: affectedDevices(revert.members),
        changes: [revertId],
      });
    });
}

async function printPreview(format: OutputFormat, title: string, preview: Row): Promise<void> {
  const impact = readImpact(preview['impact']);
  const revert = parseChangeRecord(preview['change']);
  if (format === 'json' || format === 'yaml' || format === 'terraform') await printOne(format, preview, 'id');
  else await printObjectChanges(format, revert.objects);
  if (format === 'table' && impact.devices > 0) {
    await print('\n');
    await printImpactTable(impact);
  }
  printStatus(
    ...ruleLines(preview),
    `Dry run: reverting ${title} would ${summarizeChange(revert)}. ${describeImpact(impact, 'would resolve')}. Nothing was changed.`,
  );
}

/** A change record of the API. */
export interface ChangeRecord {
  readonly members: Row;
  /** The first of the changed objects. */
  readonly objects: readonly Row[];
  /** The number of changed objects. */
  readonly total: number;
}

/** Reads a change record in a response. */
export function parseChangeRecord(response: unknown): ChangeRecord {
  const members = asObject(response);
  return {
    members,
    objects: (members['objects'] as unknown[]).map(asObject),
    total: toNumber(members['objects_total']),
  };
}

/** The consequence to confirm of a change that would delete more than one resource, as a sentence. */
export function deletionsOf({ objects }: ChangeRecord): string[] {
  const deletions = objects.filter(({ action }) => action === 'delete').length;
  return deletions > 1 ? [`This would delete ${pluralize(deletions, 'resource')}.`] : [];
}

/** Checks the id of a change. @throws CliError */
function parseChangeId(text: string): string {
  if (/^\d{1,15}$/.test(text)) return text;
  throw usageError(`Invalid change id ${JSON.stringify(text)}: "muster change list" shows the ids.`);
}

/** A change as a row of a table. `devices` is null if the number is unknown, or hidden from the user. */
const changeSummaryRow = ({ members }: ChangeRecord): Row => ({
  id: members['id'],
  time: members['created_at'],
  who: asObject(members['actor'])['username'],
  devices: affectedDevices(members) ?? null,
  reason: members['reason'],
});

/** The ids of changes, if there are any. */
const idsText = (name: string, ids: unknown): Row =>
  Array.isArray(ids) && ids.length > 0 ? { [name]: ids.map(String).join(', ') } : {};

/**
 * The proposal that a change applied, with who stood for it, why it was made without approvals, what it reverted, and what
 * reverted it.
 */
function governanceOf({ members: { proposal, override, reverts, reverted_by } }: ChangeRecord): Row {
  return {
    ...(proposal === null || proposal === undefined ? {} : { proposal: proposalText(asObject(proposal)) }),
    ...(override === null || override === undefined ? {} : { override }),
    ...idsText('reverts', reverts),
    ...idsText('reverted by', reverted_by),
  };
}

function proposalText({ id, revision, author, approvers }: Row): string {
  const names = (approvers as unknown[]).map((one) => String(asObject(one)['username']));
  return `${String(id)}, revision ${String(revision)}, by ${String(asObject(author)['username'])}, approved by ${names.join(', ')}`;
}

/** A change in a few words: `update host web-1: variables.kernel`, `create region north, 25 hosts`. */
export function summarizeChange({ objects, total }: ChangeRecord): string {
  const [only, ...others] = objects;
  if (only && others.length === 0 && total === 1) {
    const changes = only['action'] === 'update' ? objectChanges(only).map(({ member }) => member) : [];
    return `${actionText(only)}${changes.length > 0 ? `: ${changes.join(', ')}` : ''}`;
  }
  const groups = new Map<string, Row[]>();
  for (const object of objects) {
    const group = `${String(object['action'])} ${String(object['kind'])}`;
    groups.set(group, [...(groups.get(group) ?? []), object]);
  }
  const texts = [...groups.values()].map(groupedActionText);
  const more = total - objects.length;
  return [...texts, ...(more > 0 ? [`and write ${pluralize(more, 'more object')}`] : [])].join(', ');
}

const actionText = ({ action, kind, name }: Row): string =>
  `${String(action)} ${displayKind(String(kind))} ${String(name)}`;

/** @param objects objects of one kind with the same action */
function groupedActionText(objects: readonly Row[]): string {
  const [first = {}, ...others] = objects;
  if (others.length === 0) return actionText(first);
  const kind = String(first['kind']);
  const collection = resources.find((one) => one.kind === kind)?.collection ?? `${kind}s`;
  return `${String(first['action'])} ${String(objects.length)} ${displayKind(collection)}`;
}

/** Prints a line for each changed member and variable of each object. */
async function printObjectChanges(format: OutputFormat, objects: Rows): Promise<void> {
  await printList(format, objectChangeRows(format, objects), {
    names: ['action', 'what', 'member', 'before', 'after'],
    name: 'what',
  });
}

async function* objectChangeRows(format: OutputFormat, objects: Rows): AsyncGenerator<Row> {
  for await (const object of objects) {
    const what = `${displayKind(String(object['kind']))} ${String(object['name'])}`;
    const common = { action: object['action'], what };
    const changes = objectChanges(object);
    // A write that changed nothing is recorded, too.
    if (changes.length === 0) yield common;
    for (const { member, before, after } of changes)
      yield { ...common, member, ...displaySides(format, before, after) };
  }
}
