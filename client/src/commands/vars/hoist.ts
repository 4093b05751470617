import { Command, InvalidArgumentError, Option } from 'commander';
import { ApiError } from '@muster/api-types';
import type { RequestOptions } from '../../api/muster';
import { asObject, exactJson, toNumber } from '../../api/exact-json';
import { CliError, EXIT, usageError } from '../../cli-error';
import { addConfirmationOptions, requireConfirmation, type ConfirmationOptions } from '../confirmed-write';
import { namesReverts, printDone } from '../report-write';
import { ruleLines, assertAllowed } from '../impact-preview';
import { proposeImport } from '../import/propose-import';
import { LinesRejectedError } from '../import/rejected-import';
import type { ImportSummary } from '../import/import-report';
import { LinesSource } from '../../files/source';
import { sendSource } from '../import/run-import';
import { allowLongRequests, exportLines } from '../long-requests';
import { findProject, openSession, type Session } from '../session';
import { parseKey } from './arguments';
import { printStatus } from '../../output/console';
import { pluralize } from '../../text';
import { printList, type OutputFormat } from '../../output/formats';
import type { Row } from '../../output/rows';
import { startProgress } from '../../output/progress';
import { cellId, Fleet } from '../../hoist/fleet';
import { planHoist, type HoistedKey, type HoistedValue, type HoistPlan } from '../../hoist/plan-hoist';

interface HoistCommandOptions extends ConfirmationOptions {
  readonly all?: true;
  readonly region?: string;
  readonly cell?: string;
  readonly minSaving: number;
}

const HOIST_HELP = `
A value that at least half of the devices of a cell or region have is set there once, and removed from the devices. All
devices resolve exactly what they resolved before. Values that devices inherit anyway are removed from them. Existing
values of regions and labels do not change. It is one change; the service rejects it if it would affect a device.

Examples:
  muster vars hoist ntp_servers dns --dry-run
  muster vars hoist --all --region north --min-saving 10`;

/** `muster vars hoist` */
export function hoistCommand(): Command {
  const command = new Command('hoist')
    .description('Moves values that cells and regions share up to them. Devices resolve the same as before.')
    .argument('[key...]', 'the keys of the variables')
    .option('--all', 'all variables')
    .option('--region <region>', 'only devices of this region: a name, id or UUID')
    .option('--cell <cell>', 'only devices of this cell, and only to the cell: a name, id or UUID')
    .addOption(
      new Option('--min-saving <n>', 'how many settings each new setting has to save')
        .argParser(parseMinSaving)
        .default(1),
    );
  return addConfirmationOptions(command)
    .addHelpText('after', HOIST_HELP)
    .action(async (texts: string[], options: HoistCommandOptions, running: Command) => {
      const keys = readKeys(texts, options);
      const session = openSession(running);
      await allowLongRequests();
      const scope = await findScope(session, options);
      const fleet = await readFleet(session, keys, scope);
      const unset = (keys ?? []).filter((key) => !fleet.allKeys().includes(key));
      if (unset.length > 0) printStatus(`Not set anywhere, or private: ${unset.join(', ')}.`);
      const { minSaving } = options;
      const plan = planHoist(fleet, { keys, minSaving, keepsRegions: scope.cell !== undefined });
      await hoist(session, plan, options);
    });
}

function parseMinSaving(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Expected a positive integer.');
  return Number(text);
}

/** The keys to hoist; undefined for all. @throws CliError */
function readKeys(texts: readonly string[], { all }: HoistCommandOptions): readonly string[] | undefined {
  if (all && texts.length > 0) throw usageError('Use either keys or --all.');
  if (!all && texts.length === 0) throw usageError('Missing key: name one, or use --all.');
  return all ? undefined : [...new Set(texts.map(parseKey))];
}

/** The part of the inventory that is read. */
interface Scope {
  readonly region?: string;
  readonly cell?: string;
  /** The filters of its devices. */
  readonly query: Readonly<Record<string, string>>;
}

async function findScope({ finder }: Session, { region, cell }: HoistCommandOptions): Promise<Scope> {
  const foundRegion = region === undefined ? undefined : await finder.find('region', region);
  if (cell === undefined)
    return foundRegion ? { region: foundRegion.name, query: { region_id: foundRegion.id } } : { query: {} };
  const found = await finder.find('cell', cell, foundRegion ? { region_id: foundRegion.id } : {});
  const { name } = foundRegion ?? (await finder.find('region', String(found.members['region_id'])));
  return { region: name, cell: found.name, query: { cell_id: found.id } };
}

/** Reads devices, and where the variables are set, from exports. */
async function readFleet(
  session: Session,
  keys: readonly string[] | undefined,
  scope: Scope,
): Promise<Fleet> {
  const fleet = new Fleet(keys && new Set(keys));
  const progress = await startProgress({ total: undefined, verb: 'read', unit: 'resources', isQuiet: false });
  try {
    let lines = 0;
    const add = async (query: RequestOptions['query']): Promise<void> => {
      for await (const resource of exportLines(session.muster, query)) {
        if (isInScope(resource, scope)) fleet.add(resource);
        progress.update(0, ++lines);
      }
    };
    await readVersions(session, fleet, scope);
    // A filter selects devices only.
    if (scope.region !== undefined) await add({ kind: ['label', 'region', 'cell'] });
    await add(scope.query);
  } finally {
    progress.end();
  }
  return fleet;
}

/** Reads the versions of regions and cells. This comes before the export, so that the import notices later changes. */
async function readVersions(session: Session, { versions }: Fleet, { region, cell }: Scope): Promise<void> {
  const { muster } = session;
  const project = await findProject(session);
  const names = new Map<string, string>();
  const regions = { name: region, fields: ['id', 'name', 'version'], project_id: project };
  for await (const item of muster.items('/v1/regions', { query: regions })) {
    const { id, name, version } = asObject(item);
    names.set(String(id), String(name));
    versions.region.set(String(name), toNumber(version));
  }
  const cells = { name: cell, fields: ['name', 'region_id', 'version'], project_id: project };
  for await (const item of muster.items('/v1/cells', { query: cells })) {
    const { name, region_id: regionId, version } = asObject(item);
    const regionName = names.get(String(regionId));
    if (regionName !== undefined) versions.cell.set(cellId(regionName, String(name)), toNumber(version));
  }
}

/** Devices are selected by the filter of the export. */
function isInScope({ kind, name, region }: Row, scope: Scope): boolean {
  if (kind === 'region') return scope.region === undefined || scope.region === name;
  if (kind !== 'cell') return true;
  return (
    (scope.region === undefined || scope.region === region) &&
    (scope.cell === undefined || scope.cell === name)
  );
}

async function hoist(session: Session, plan: HoistPlan, { dryRun, yes }: HoistCommandOptions): Promise<void> {
  const { format } = session;
  if (plan.keys.length === 0) {
    printStatus('Nothing to do: no setting can be moved or removed.');
    if (format !== 'table') await printPlan(format, plan);
    return;
  }
  const [before, after] = [countAll(plan, 'before'), countAll(plan, 'after')];
  const effect = `replace ${pluralize(before, 'setting')} of ${pluralize(plan.keys.length, 'variable')} by ${String(after)}`;
  if (await proposeImport(session, new LinesSource(plan.lines))) return;
  const { rejections = {} } = dryRun || !yes ? await send(session, plan, true) : {};
  if (dryRun) {
    await printPlan(format, plan);
    printStatus(...ruleLines(rejections));
    printStatus(`Dry run: this would ${effect}. No device would resolve another value. Nothing was changed.`);
    return;
  }
  assertAllowed(rejections);
  if (!yes)
    await requireConfirmation(`This would ${effect}. No device would resolve another value.`, effect, () =>
      printPlan('table', plan),
    );
  const { changes = [] } = await send(session, plan, false);
  if (format !== 'table') await printPlan(format, plan);
  printDone(
    `Replaced ${pluralize(before, 'setting')} of ${pluralize(plan.keys.length, 'variable')} by ${String(after)}`,
    { devices: 0, changes: changes.map(({ id }) => id) },
  );
}

/** Sends the plan as one import that must not affect any device. @throws CliError, ApiError */
async function send(session: Session, { lines }: HoistPlan, dryRun: boolean): Promise<ImportSummary> {
  const limits = { partial: false, byLine: false, maxChangedLines: 0, maxAffectedDevices: 0 };
  const mode = { ...limits, dryRun, readsChange: !dryRun && namesReverts(session) };
  try {
    return await sendSource(new LinesSource(lines), {}, session, mode);
  } catch (error) {
    if (!isOutdated(error)) throw error;
    throw new CliError('The inventory was changed in the meantime. Nothing was written.', EXIT.rejected, [
      '  Repeat the command.',
    ]);
  }
}

/** Whether the change would affect devices, or a region or cell was changed since it was read. */
const isOutdated = (error: unknown): boolean =>
  (error instanceof ApiError && error.details.some(({ field }) => field === 'max_affected_devices')) ||
  (error instanceof LinesRejectedError &&
    error.summary.errors.some(({ code }) => code === 'version_mismatch'));

const countAll = ({ keys }: HoistPlan, side: 'before' | 'after'): number =>
  keys.reduce((sum, { [side]: { regions, cells, devices } }) => sum + regions + cells + devices, 0);

/** How many new settings a table shows. */
const MAX_SHOWN_VALUES = 30;

/** Prints the numbers of settings. A table is followed by the new settings. */
async function printPlan(format: OutputFormat, { keys }: HoistPlan): Promise<void> {
  const isTable = format === 'table';
  const rows = keys.map((hoisted) => (isTable ? tableRow(hoisted) : jsonRow(hoisted)));
  const names = ['key', 'regions', 'cells', 'devices', ...(isTable ? [] : ['set'])];
  await printList(format, rows, { names, name: 'key' });
  if (!isTable) return;
  const values = keys.flatMap(({ key, set }) => set.map((value) => ({ key, ...value })));
  const omitted = values.length - MAX_SHOWN_VALUES;
  printStatus(
    ...values
      .slice(0, MAX_SHOWN_VALUES)
      .map(({ key, value, ...target }) => `  ${targetName(target)}: ${key} = ${value}`),
    ...(omitted > 0 ? [`  and ${String(omitted)} more (use -o json to show all)`] : []),
  );
}

const targetName = ({ kind, region, name }: Omit<HoistedValue, 'value'>): string =>
  `${kind} ${region === undefined ? '' : `${region}/`}${name}`;

const tableRow = ({ key, before, after }: HoistedKey): Row => ({
  key,
  regions: `${String(before.regions)} → ${String(after.regions)}`,
  cells: `${String(before.cells)} → ${String(after.cells)}`,
  devices: `${String(before.devices)} → ${String(after.devices)}`,
});

const jsonRow = ({ key, before, after, set }: HoistedKey): Row => ({
  key,
  regions: { before: before.regions, after: after.regions },
  cells: { before: before.cells, after: after.cells },
  devices: { before: before.devices, after: after.devices },
  set: set.map(({ value, ...target }) => ({ ...target, value: exactJson.parse(value) })),
});
