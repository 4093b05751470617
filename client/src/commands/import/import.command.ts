import { Command, InvalidArgumentError, Option } from 'commander';
import { usage } from '../../failures';
import { FILE_FORMATS, type FileFormat } from '../../files/file-format';
import { addAnsibleOptions, type AnsibleOptions } from './ansible-options';

/** What the command line says of an import. */
export interface ImportOptions extends AnsibleOptions {
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
      const { runImport } = await import('./run-import.js');
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
