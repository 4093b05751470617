import { Option, type Command } from 'commander';
import { usageError } from '../../cli-error';
import { addAnsibleOptions, type AnsibleOptions } from './ansible/options';
import { FileSource } from './file-source';
import type { ImportSource } from './source';
import { FILE_FORMATS, type FileFormat } from '../../files/file-access';

/** The programs whose inventories can be imported. */
const PROGRAMS = ['ansible'] as const;

/** The options that select what is imported or compared. */
export interface SourceOptions extends AnsibleOptions {
  readonly format?: FileFormat;
  readonly from?: (typeof PROGRAMS)[number];
}

/** Adds the files and the options of a source. */
export function addSourceOptions(command: Command): Command {
  command
    .argument(
      '[file...]',
      'NDJSON, JSON, YAML or CSV files, optionally compressed (.gz); - for standard input',
    )
    .addOption(
      new Option('--format <format>', 'the format; by default from the extension of the file').choices(
        FILE_FORMATS,
      ),
    )
    .addOption(
      new Option(
        '--from <program>',
        'an inventory of another program: the output of "ansible-inventory --list --export"',
      ).choices(PROGRAMS),
    )
    .option('--mapping <file>', 'a file that maps the other inventory to Muster: see docs/client.md');
  return addAnsibleOptions(command);
}

/** @throws CliError if there is nothing to read */
export function assertSourceGiven(files: readonly string[], { from }: SourceOptions): void {
  if (from === undefined && files.length === 0)
    throw usageError('Missing file: name one, or use - for standard input.');
}

/** How a source is read. */
interface ReadOptions {
  /** Whether it is split into records, for batches. */
  readonly inParts: boolean;
  readonly isReadTwice: boolean;
}

/** Opens the source. @throws CliError for missing or unsuitable files */
export async function openSource(
  files: readonly string[],
  options: SourceOptions,
  read: ReadOptions,
): Promise<ImportSource> {
  if (options.from === 'ansible') {
    const { ansibleSource } = await import('./ansible/ansible-source.js');
    return ansibleSource(files, options);
  }
  return new FileSource(files, { format: options.format, ...read });
}
