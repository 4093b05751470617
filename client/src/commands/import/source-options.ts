import { Option, type Command } from 'commander';
import { usageError } from '../../cli-error';
import { FileSource } from '../../files/file-source';
import type { ImportSource } from '../../files/source';
import type { Session } from '../session';
import { yamlOption } from '../shared-options';
import { FILE_FORMATS, type FileFormat } from '../../files/file-access';
import { addAnsibleOptions, ANSIBLE_ONLY, type AnsibleOptions } from './ansible/ansible-options';
import { addNetBoxSourceOptions, NETBOX_ONLY, type NetBoxOptions } from './netbox/netbox-options';

/** The programs whose inventories can be imported. */
const PROGRAMS = ['ansible', 'netbox'] as const;

/** The options that select what is imported or compared. */
export interface SourceOptions extends AnsibleOptions, NetBoxOptions {
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
    .addOption(yamlOption())
    .addOption(
      new Option(
        '--from <program>',
        'an inventory of another program: the output of "ansible-inventory --list --export", or a NetBox',
      ).choices(PROGRAMS),
    )
    .option(
      '--mapping <file>',
      'a file that maps the other inventory to Muster: see docs/client.md and docs/netbox.md',
    );
  addAnsibleOptions(command);
  return addNetBoxSourceOptions(command);
}

/** @throws CliError if there is nothing to read, or an option is for another source */
export function assertSourceGiven(files: readonly string[], options: SourceOptions): void {
  if (options.from === undefined && files.length === 0)
    throw usageError('Missing file: name one, or use - for standard input.');
  if (options.from === undefined) rejectOptions(['mapping'], options, 'is only for --from.');
  if (options.from !== 'netbox') rejectOptions(NETBOX_ONLY, options, 'is only for --from netbox.');
  if (options.from !== 'ansible') rejectOptions(ANSIBLE_ONLY, options, 'is only for --from ansible.');
}

/** @throws CliError if one of the options is given */
function rejectOptions(names: readonly (keyof SourceOptions)[], options: SourceOptions, why: string): void {
  const given = names.find((name) => options[name] !== undefined);
  if (given === undefined) return;
  throw usageError(`--${given.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} ${why}`);
}

/** How a source is read. */
interface ReadOptions {
  /** Whether it is split into records, for batches. */
  readonly inParts: boolean;
  readonly isReadTwice: boolean;
}

/** Opens the source. @param session a NetBox is compared with what it imported before @throws CliError */
export async function openSource(
  files: readonly string[],
  options: SourceOptions,
  read: ReadOptions,
  session: () => Session,
): Promise<ImportSource> {
  if (options.from === 'netbox') {
    const { netBoxSource } = await import('./netbox/netbox-import.js');
    return netBoxSource(files, options, session());
  }
  if (options.from === 'ansible') {
    const { ansibleSource } = await import('./ansible/ansible-source.js');
    return ansibleSource(files, options);
  }
  return new FileSource(files, { format: options.format, yaml: options.yaml, ...read });
}
