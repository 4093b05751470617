import { Command, InvalidArgumentError } from 'commander';
import { CliError, EXIT, usageError } from '../../cli-error';
import { findOutcome } from './import-request';
import { outcomeLines } from './import-client';
import { importFrom, needsPreview, type SendOptions } from './run-import';
import { printSource } from '../../files/source';
import { parsePrunedKinds } from './missing-resources';
import { addSourceOptions, assertSourceGiven, openSource, type SourceOptions } from './source-options';
import { addNetBoxImportOptions } from './netbox/netbox-options';
import { InterruptHandler } from '../long-requests';
import { addProposalOptions } from '../propose';
import { openSession, type Session } from '../session';
import { print } from '../../output/console';

/** The options of an import. */
interface ImportOptions extends SendOptions, SourceOptions {
  readonly outcome?: string;
  readonly print?: true;
  readonly propose?: string;
}

const IMPORT_HELP = `
An import is one change: it is written completely or not at all. Existing resources are updated; members and resources that
are not in the file stay as they are. Importing the same file again changes nothing. "muster export" writes such files.

Without --yes, a dry run comes first. If more than one device that exists already would resolve other values, or a table would
change the type of a variable, lose digits of a number, set a number or boolean in a variable whose other values are texts,
or the reverse, or make a variable that is easily mistaken for another one, the command asks for confirmation. If a value is meant as a text, name the column variables.KEY:text. Without a
terminal it writes nothing then, and its exit code is 2.

With --prune, resources of these kinds that the source does not have are deleted after the import, one by one. Devices and
cells are deleted only in regions that the source contains, unless the kinds include region, or the source is a NetBox.`;

/** `muster import` */
export function importCommand(): Command {
  const command = addProposalOptions(addSourceOptions(new Command('import')))
    .option('--dry-run', 'show the numbers of changes and the affected devices, without writing')
    .option('-y, --yes', 'write without a dry run and without asking')
    .option('--partial', 'import valid lines and report the others (exit code 7)')
    .option(
      '--batch <lines>',
      'split the import into requests and changes of this many lines',
      parseBatchSize,
    )
    .option(
      '--prune <kinds>',
      'delete what the source does not have: kinds such as host,cell, or device for all its kinds of devices; may be repeated',
      parsePrunedKinds,
    )
    .option('--outcome <id>', 'show the outcome of an interrupted import, by the id that it printed')
    .option('-q, --quiet', 'do not show the progress')
    .option('--print', 'print the import as NDJSON instead of sending it');
  return addNetBoxImportOptions(command)
    .addHelpText('after', IMPORT_HELP)
    .action(async (files: string[], options: ImportOptions, command: Command) => {
      assertCompatibleOptions(files, options);
      await runImport(files, options, command);
    });
}

function assertCompatibleOptions(files: readonly string[], options: ImportOptions): void {
  const { outcome, dryRun, batch, print: prints, from } = options;
  if (outcome !== undefined && files.length > 0)
    throw usageError('--outcome cannot be combined with a file.');
  if (outcome !== undefined && from !== undefined)
    throw usageError('--outcome cannot be combined with --from.');
  if (outcome === undefined) assertSourceGiven(files, options);
  if (options.prune && (options.partial || batch !== undefined || prints))
    throw usageError('--prune cannot be combined with --partial, --batch or --print.');
  if (prints && from === undefined) throw usageError('--print requires --from.');
  if (options.propose !== undefined && (options.partial || batch !== undefined || options.prune || prints))
    throw usageError('--propose cannot be combined with --partial, --batch, --prune or --print.');
  if (dryRun && batch !== undefined)
    throw usageError(
      'Use either --dry-run or --batch: without writing a batch, the next one cannot be tried.',
    );
}

function parseBatchSize(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Expected a positive integer.');
  return Number(text);
}

/** Runs an import. */
async function runImport(files: readonly string[], options: ImportOptions, command: Command): Promise<void> {
  if (options.from === 'netbox') {
    const { runNetBoxImport } = await import('./netbox/netbox-import.js');
    await runNetBoxImport(files, options, () => openSession(command));
    return;
  }
  if (options.outcome !== undefined) {
    await printOutcome(openSession(command), options.outcome);
    return;
  }
  const read = { inParts: options.batch !== undefined, isReadTwice: needsPreview(options) };
  const source = await openSource(files, options, read, () => openSession(command));
  await (options.print ? printSource(source) : importFrom(source, options, openSession(command)));
}

async function printOutcome({ muster }: Session, id: string): Promise<void> {
  if (!/^[A-Za-z0-9._:-]{1,128}$/.test(id)) throw usageError(`Invalid import id ${JSON.stringify(id)}.`);
  const interrupts = new InterruptHandler();
  try {
    const outcome = await findOutcome(muster, id, interrupts.signal);
    if (outcome.written === 'unknown')
      throw new CliError(`The outcome is not known yet: ${outcome.because}.`, EXIT.unavailable);
    const lines =
      outcome.written === 'nothing'
        ? [`No import with the id ${id} has written anything in the last 24 hours.`]
        : outcomeLines(outcome, id);
    await print(`${lines.join('\n')}\n`);
  } finally {
    interrupts.dispose();
  }
}
