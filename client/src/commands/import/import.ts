import { Command, InvalidArgumentError, Option } from 'commander';
import { EXIT, Failure, usage } from '../../cli-error';
import { FILE_FORMATS, type FileFormat } from '../../files/file-access';
import { counted, print, printLines } from '../../output/console';
import { startProgress } from '../../output/progress';
import { requireConsent } from '../confirmed-write';
import { allowLongRequests, Interruption } from '../long-requests';
import { openSession, type Session } from '../session';
import { Batches } from './batches';
import { FileSource } from './file-source';
import { Importer, LinesRefused, outcomeLines } from './importer';
import { outcomeOf, type Mode } from './import-request';
import type { Source } from './source';
import { printSummary, SHOWN, type Summary } from './summary';

/** What the command line says of an import. */
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

const ABOUT = `
Everything is one change: all of it is written, or nothing. What is there already is changed as the file says, and what
the file leaves out stays. Importing the same again changes nothing. "muster export" writes such files.

Without --yes the import runs twice: first as a dry run. If that changes more resources than it creates, the command
asks before it writes. Without a terminal it writes nothing then, and ends with exit code 2.`;

/** `muster import` */
export function importCommand(): Command {
  const command = new Command('import')
    .argument('[file...]', 'NDJSON, JSON, YAML or CSV, perhaps compressed (.gz); -: standard input')
    .addOption(
      new Option('--format <format>', 'how they are written, if their names do not tell').choices(
        FILE_FORMATS,
      ),
    )
    .option('--dry-run', 'tell the numbers, and which devices would get other values; write nothing')
    .option('-y, --yes', 'write without a dry run and without asking')
    .option('--partial', 'import the lines that can be, and tell the others (exit code 7)')
    .option('--batch <lines>', 'a request and a change for every so many lines', atLeastOne)
    .option(
      '--outcome <id>',
      'tell what has become of an import that was interrupted, by the id that it said',
    )
    .option('-q, --quiet', 'do not tell how far it is');
  return addAnsibleOptions(command)
    .addHelpText('after', ABOUT)
    .action(async (files: string[], options: ImportOptions, own: Command) => {
      requireOneWay(files, options);
      await runImport(files, options, own);
    });
}

function requireOneWay(files: readonly string[], { outcome, dryRun, batch, from }: ImportOptions): void {
  if (outcome !== undefined && files.length > 0)
    throw usage('--outcome is of an import that was: no file goes with it.');
  if (outcome === undefined && from === undefined && files.length === 0)
    throw usage('Which file? Name it, or - for standard input.');
  if (dryRun && batch !== undefined)
    throw usage(
      '--dry-run and --batch exclude each other: a batch that is not written is missing to the next.',
    );
}

function atLeastOne(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('A whole number from 1 on is expected.');
  return Number(text);
}

/** What the command line says of an inventory of Ansible's. */
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

const groups = (flag: string, what: string): Option =>
  new Option(
    `--${flag} <patterns>`,
    `Ansible groups that are ${what}: patterns like dc_*, joined by commas`,
  ).argParser((text: string, before: readonly string[] | undefined) => [
    ...(before ?? []),
    ...text.split(','),
  ]);

/** Adds the options of `--from ansible`. */
const addAnsibleOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--from <program>', 'take what "ansible-inventory --list --export" prints').choices([
        'ansible',
      ]),
    )
    .option('--mapping <file>', 'what each group of Ansible becomes: see docs/client.md')
    .addOption(groups('region-groups', 'regions'))
    .addOption(groups('cell-groups', 'cells'))
    .addOption(groups('label-groups', 'labels'))
    .option('--region <name>', 'the region of Ansible hosts that no group puts into one')
    .option('--device-type <type>', 'the device type of Ansible hosts (server, if nothing says it)')
    .option(
      '--strict',
      'refuse where Ansible resolves values otherwise, in place of setting them on the hosts',
    )
    .option('--print', 'print what would be sent, as lines of JSON; send nothing');

/** What `muster import` does. */
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
    await tellOutcome(openSession(command), options.outcome);
    return;
  }
  const source = new FileSource(files, {
    format: options.format,
    inParts: options.batch !== undefined,
    isReadTwice: needsPreview(options),
    partial: options.partial === true,
  });
  await importFrom(source, options, openSession(command));
}

async function importFrom(source: Source, options: ImportOptions, session: Session): Promise<void> {
  const { format } = session;
  const [dryRun, partial] = [options.dryRun === true, options.partial === true];
  const isTable = format === 'table';
  const mode = {
    ...{ dryRun, partial },
    byLine: dryRun || (partial && !isTable),
    mostAltered: !dryRun ? 0 : isTable ? SHOWN : Infinity,
  };
  await allowLongRequests();
  let summary: Summary;
  try {
    if (needsPreview(options)) await requireConsentToUpdates(source, options, session);
    summary = await send(source, options, session, mode);
  } finally {
    source.close();
  }
  await printSummary(format, summary, dryRun);
  const { failed, created, updated, unchanged } = summary;
  const others = created + updated + unchanged === 0 ? '; there were no others' : '; the others were';
  if (failed > 0)
    throw new Failure(
      `${counted(failed, 'line')} could not be imported${dryRun ? ' (nothing was written)' : others}.`,
      EXIT.partly,
    );
}

/** Sends everything once, shows the progress, and can be interrupted. */
async function send(
  source: Source,
  options: ImportOptions,
  { muster, format }: Session,
  mode: Mode,
): Promise<Summary> {
  const batch = mode.dryRun ? undefined : options.batch;
  const interruption = new Interruption();
  const progress = await startProgress({
    total: source.size,
    done: batch === undefined ? 'sent' : 'imported',
    isQuiet: options.quiet === true,
  });
  try {
    const importer = new Importer(muster, source, mode, progress, interruption);
    return batch === undefined
      ? await importer.all()
      : await new Batches(importer, source, batch, progress, interruption).all();
  } catch (error) {
    if (error instanceof LinesRefused && format !== 'table')
      await printSummary(format, error.summary, options.dryRun === true);
    throw error;
  } finally {
    progress.end();
    interruption.end();
  }
}

const needsPreview = ({ dryRun, yes }: ImportOptions): boolean => !dryRun && !yes;

/**
 * Does a dry run, and asks for consent where the import changes more resources than it creates.
 * @throws Failure where the answer is no, nobody can be asked, or the import cannot be done; Refusal
 */
async function requireConsentToUpdates(
  source: Source,
  options: ImportOptions,
  session: Session,
): Promise<void> {
  // A faulty line does not stop the batches before it, so it does not stop their dry run.
  const partial = options.partial === true || options.batch !== undefined;
  const mode = { dryRun: true, partial, byLine: false, mostAltered: 0 };
  const preview = await send(source, options, session, mode);
  const { created, updated } = preview;
  if (updated <= created) return;
  const updates = counted(updated, 'resource');
  const consequence = `This would change ${updates} and create ${String(created)}.`;
  await requireConsent(consequence, `change ${updates}`, () => printSummary('table', preview, true));
}

async function tellOutcome({ muster }: Session, id: string): Promise<void> {
  if (!/^[A-Za-z0-9._:-]{1,128}$/.test(id)) throw usage(`${JSON.stringify(id)} is no id of an import.`);
  const interruption = new Interruption();
  try {
    const outcome = await outcomeOf(muster, id, interruption.signal);
    if (outcome.written === 'unknown')
      throw new Failure(`It is not known yet: ${outcome.because}.`, EXIT.unreachable);
    await print(`${outcomeLines(outcome, id).join('\n')}\n`);
  } finally {
    interruption.end();
  }
}
