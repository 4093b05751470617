import { Command, InvalidArgumentError, Option } from 'commander';
import { CliError, EXIT, usageError } from '../../cli-error';
import { requireConfirmation } from '../confirmed-write';
import { BatchImport } from './batches';
import { FileSource } from './file-source';
import { findOutcome, type ImportMode } from './import-request';
import { Importer, LinesRejectedError, outcomeLines } from './import-client';
import type { ImportSource } from './source';
import { MAX_SHOWN, printSummary, type ImportSummary } from './import-report';
import { allowLongRequests, InterruptHandler } from '../long-requests';
import { openSession, type Session } from '../session';
import { FILE_FORMATS, type FileFormat } from '../../files/file-access';
import { pluralize, print, printLines } from '../../output/console';
import { startProgress } from '../../output/progress';

/** The options of an import. */
interface ImportOptions extends AnsibleOptions {
  readonly format?: FileFormat;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly partial?: true;
  readonly batch?: number;
  readonly quiet?: true;
  readonly outcome?: string;
  readonly from?: 'ansible';
}

const IMPORT_HELP = `
An import is one change: it is written completely or not at all. Existing resources are updated; members and resources that
are not in the file stay as they are. Importing the same file again changes nothing. "muster export" writes such files.

Without --yes, a dry run comes first. If more than one device that exists already would resolve other values, the command
or a table would change the type of a variable, the command
asks for confirmation. Without a terminal it writes nothing then, and its exit code is 2.`;

/** `muster import` */
export function importCommand(): Command {
  const command = new Command('import')
    .argument(
      '[file...]',
      'NDJSON, JSON, YAML or CSV files, optionally compressed (.gz); - for standard input',
    )
    .addOption(
      new Option('--format <format>', 'the format; by default from the extension of the file').choices(
        FILE_FORMATS,
      ),
    )
    .option('--dry-run', 'show the numbers of changes and the affected devices, without writing')
    .option('-y, --yes', 'write without a dry run and without asking')
    .option('--partial', 'import valid lines and report the others (exit code 7)')
    .option(
      '--batch <lines>',
      'split the import into requests and changes of this many lines',
      parseBatchSize,
    )
    .option('--outcome <id>', 'show the outcome of an interrupted import, by the id that it printed')
    .option('-q, --quiet', 'do not show the progress');
  return addAnsibleOptions(command)
    .addHelpText('after', IMPORT_HELP)
    .action(async (files: string[], options: ImportOptions, command: Command) => {
      assertCompatibleOptions(files, options);
      await runImport(files, options, command);
    });
}

function assertCompatibleOptions(
  files: readonly string[],
  { outcome, dryRun, batch, from }: ImportOptions,
): void {
  if (outcome !== undefined && files.length > 0)
    throw usageError('--outcome cannot be combined with a file.');
  if (outcome === undefined && from === undefined && files.length === 0)
    throw usageError('Missing file: name one, or use - for standard input.');
  if (dryRun && batch !== undefined)
    throw usageError(
      'Use either --dry-run or --batch: without writing a batch, the next one cannot be tried.',
    );
}

function parseBatchSize(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Expected a positive integer.');
  return Number(text);
}

/** The options of `--from ansible`. */
export interface AnsibleOptions {
  readonly mapping?: string;
  readonly regionGroups?: readonly string[];
  readonly cellGroups?: readonly string[];
  readonly labelGroups?: readonly string[];
  readonly region?: string;
  readonly deviceType?: string;
  readonly strict?: true;
  readonly print?: true;
}

const groupOption = (flag: string, target: string): Option =>
  new Option(
    `--${flag} <patterns>`,
    `Ansible groups that become ${target}: a comma-separated list of patterns like dc_*`,
  ).argParser((text: string, before: readonly string[] | undefined) => [
    ...(before ?? []),
    ...text.split(','),
  ]);

/** Adds the options of `--from ansible`. */
const addAnsibleOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--from <program>', 'import the output of "ansible-inventory --list --export"').choices([
        'ansible',
      ]),
    )
    .option('--mapping <file>', 'a file that maps Ansible groups: see docs/client.md')
    .addOption(groupOption('region-groups', 'regions'))
    .addOption(groupOption('cell-groups', 'cells'))
    .addOption(groupOption('label-groups', 'labels'))
    .option('--region <name>', 'the region of Ansible hosts without a region group')
    .option('--device-type <type>', 'the device type of Ansible hosts (default: server)')
    .option('--strict', 'fail if Ansible resolves a value differently, instead of setting it on the host')
    .option('--print', 'print the import as NDJSON instead of sending it');

/** Runs an import. */
async function runImport(files: readonly string[], options: ImportOptions, command: Command): Promise<void> {
  if (options.from === 'ansible') {
    const { ansibleSource } = await import('./ansible/ansible-source.js');
    const source = await ansibleSource(files, options);
    if (options.print) {
      for await (const pieces of source.pieces())
        for (const { bytes } of pieces) await printLines(bytes.toString('utf8'));
      return;
    }
    await importFrom(source, options, openSession(command));
    return;
  }
  if (options.outcome !== undefined) {
    await printOutcome(openSession(command), options.outcome);
    return;
  }
  const source = new FileSource(files, {
    format: options.format,
    inParts: options.batch !== undefined,
    isReadTwice: needsPreview(options),
  });
  await importFrom(source, options, openSession(command));
}

async function importFrom(source: ImportSource, options: ImportOptions, session: Session): Promise<void> {
  const { format } = session;
  const [dryRun, partial] = [options.dryRun === true, options.partial === true];
  const isCsv = format === 'table';
  const mode = {
    ...{ dryRun, partial },
    byLine: dryRun || (partial && !isCsv),
    maxChangedLines: !dryRun ? 0 : isCsv ? MAX_SHOWN : Infinity,
    // A device can be affected by several batches, so their numbers cannot be added.
    readsAffectedDevices: options.yes === true && !dryRun && options.batch === undefined,
  };
  await allowLongRequests();
  let summary: ImportSummary;
  try {
    if (needsPreview(options)) await confirmImport(source, options, session);
    summary = await sendSource(source, options, session, mode);
  } finally {
    source.close();
  }
  await printSummary(format, summary, dryRun);
  const { failed, created, updated, unchanged } = summary;
  const others =
    created + updated + unchanged === 0 ? '; there were no other lines' : '; the others were imported';
  if (failed > 0)
    throw new CliError(
      `${pluralize(failed, 'line')} could not be imported${dryRun ? ' (nothing was written)' : others}.`,
      EXIT.partial,
    );
}

/** Sends the source once. Shows the progress and handles interrupts. */
async function sendSource(
  source: ImportSource,
  options: ImportOptions,
  { muster, format }: Session,
  mode: ImportMode,
): Promise<ImportSummary> {
  const batch = mode.dryRun ? undefined : options.batch;
  const interrupts = new InterruptHandler();
  const progress = await startProgress({
    total: source.size,
    verb: batch === undefined ? 'sent' : 'imported',
    isQuiet: options.quiet === true,
  });
  try {
    const importer = new Importer(muster, source, mode, progress, interrupts);
    return batch === undefined
      ? await importer.importAll()
      : await new BatchImport(importer, source, batch, progress, interrupts).run();
  } catch (error) {
    if (error instanceof LinesRejectedError && format !== 'table')
      await printSummary(format, error.summary, options.dryRun === true);
    throw error;
  } finally {
    progress.end();
    interrupts.dispose();
  }
}

const needsPreview = ({ dryRun, yes }: ImportOptions): boolean => !dryRun && !yes;

/**
 * Does a dry run, and asks for confirmation if more than one existing device would resolve other values, or a table changes
 * the type of a variable.
 * @throws CliError if the user declines, there is no terminal to ask at, or the import is invalid; ApiError
 */
async function confirmImport(source: ImportSource, options: ImportOptions, session: Session): Promise<void> {
  // An invalid line does not stop the batches before it, so it must not stop their dry run.
  const partial = options.partial === true || options.batch !== undefined;
  const mode = { dryRun: true, partial, byLine: false, maxChangedLines: 0 };
  const preview = await sendSource(source, options, session, mode);
  const { created, updated, existingDevices = 0, csvWarnings } = preview;
  const typeChanges = csvWarnings?.typeChangesTotal ?? 0;
  if (existingDevices <= 1 && typeChanges === 0) return;
  const devices = `the resolved values of ${pluralize(existingDevices, 'existing device')}`;
  const consequence = `This would create ${pluralize(created, 'resource')}, update ${String(updated)}, and change ${devices}.`;
  const types = typeChanges === 0 ? [] : [`The types of ${pluralize(typeChanges, 'variable')} would change.`];
  await requireConfirmation([consequence, ...types], `change ${devices}`, () =>
    printSummary('table', preview, true),
  );
}

async function printOutcome({ muster }: Session, id: string): Promise<void> {
  if (!/^[A-Za-z0-9._:-]{1,128}$/.test(id)) throw usageError(`Invalid import id ${JSON.stringify(id)}.`);
  const interrupts = new InterruptHandler();
  try {
    const outcome = await findOutcome(muster, id, interrupts.signal);
    if (outcome.written === 'unknown')
      throw new CliError(`The outcome is not known yet: ${outcome.because}.`, EXIT.unavailable);
    await print(`${outcomeLines(outcome, id).join('\n')}\n`);
  } finally {
    interrupts.dispose();
  }
}
