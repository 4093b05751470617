import { Option, type Command, InvalidArgumentError } from 'commander';
import { usageError } from '../../cli-error';
import { FileSource } from './file-source';
import type { ImportSource } from './source';
import type { Session } from '../session';
import { collectList, yamlOption } from '../shared-options';
import { FILE_FORMATS, type FileFormat } from '../../files/file-access';
import type { YamlVersion } from '../../files/yaml-scalars';

/** The programs whose inventories can be imported. */
const PROGRAMS = ['ansible', 'netbox'] as const;

/** The options that select what is imported or compared. */
export interface SourceOptions extends AnsibleOptions, NetBoxOptions {
  readonly format?: FileFormat;
  readonly from?: (typeof PROGRAMS)[number];
}

/** The options of the other program's inventory and of all files. */
interface MappingOptions {
  /** A file that maps the other inventory to Muster. */
  readonly mapping?: string;
  /** The version of YAML files, including the mapping. */
  readonly yaml?: YamlVersion;
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
  if (options.from !== 'netbox') rejectOptions(NETBOX_ONLY, options, 'is only for --from netbox.');
  else rejectOptions(ANSIBLE_ONLY, options, 'is only for --from ansible.');
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

/** The options of `--from ansible`. */
export interface AnsibleOptions extends MappingOptions {
  readonly regionGroups?: readonly string[];
  readonly cellGroups?: readonly string[];
  readonly labelGroups?: readonly string[];
  readonly region?: string;
  readonly deviceType?: string;
  readonly strict?: true;
}

/** The options that no other source has. */
const ANSIBLE_ONLY = [
  'regionGroups',
  'cellGroups',
  'labelGroups',
  'region',
  'deviceType',
  'strict',
] as const satisfies readonly (keyof AnsibleOptions)[];

const groupOption = (flag: string, target: string): Option =>
  new Option(
    `--${flag} <patterns>`,
    `Ansible groups that become ${target}: a comma-separated list of patterns like dc_*`,
  ).argParser(collectList);

/** Adds the options of `--from ansible`. */
const addAnsibleOptions = (command: Command): Command =>
  command
    .addOption(groupOption('region-groups', 'regions'))
    .addOption(groupOption('cell-groups', 'cells'))
    .addOption(groupOption('label-groups', 'labels'))
    .option('--region <name>', 'the region of Ansible hosts without a region group')
    .option('--device-type <type>', 'the device type of Ansible hosts (default: server)')
    .option('--strict', 'fail if Ansible resolves a value differently, instead of setting it on the host');

/** The options of `--from netbox`. */
export interface NetBoxOptions extends MappingOptions {
  readonly netboxUrl?: string;
  readonly netboxToken?: string;
  readonly pageSize?: number;
  readonly files?: string;
  readonly printMapping?: true;
  readonly verify?: true;
  readonly report?: string;
}

/** The options that no other source has. */
const NETBOX_ONLY = [
  'netboxUrl',
  'netboxToken',
  'pageSize',
  'files',
  'printMapping',
  'verify',
  'report',
] as const satisfies readonly (keyof NetBoxOptions)[];

/** Adds the options that name a NetBox. */
export const addNetBoxConnectionOptions = (command: Command): Command =>
  command
    .option('--netbox-url <url>', 'the URL of NetBox; by default from the environment variable NETBOX_URL')
    .option(
      '--netbox-token <token>',
      'the API token of NetBox; visible to other users of this machine, so prefer the environment variable NETBOX_TOKEN',
    )
    .option(
      '--page-size <objects>',
      'how many objects one request to NetBox reads (default: 500)',
      parsePageSize,
    );

function parsePageSize(text: string): number {
  // NetBox takes 0 for as many as it allows. Pages overlap by one object.
  if (!/^(?:0|[2-9]|[1-9]\d{1,5})$/.test(text))
    throw new InvalidArgumentError('Expected 0, or a number of objects from 2.');
  return Number(text);
}

/** Adds the options that name a NetBox, or a folder with its answers. */
const addNetBoxSourceOptions = (command: Command): Command =>
  addNetBoxConnectionOptions(command).option(
    '--files <path>',
    'a folder with the answers of NetBox, as "muster export-netbox" saves them',
  );

/** Adds the options of `import --from netbox`. */
export const addNetBoxImportOptions = (command: Command): Command =>
  command
    .option('--print-mapping', 'print the default mapping of NetBox with comments')
    .option('--verify', 'compare what Muster resolves with what NetBox renders, without writing')
    .option('--report <file>', 'write a report with all skipped objects, keys and differences as JSON');
