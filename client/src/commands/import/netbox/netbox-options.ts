import { InvalidArgumentError, type Command } from 'commander';
import type { MappingOptions } from '../mapping-file';

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
export const NETBOX_ONLY = [
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
export const addNetBoxSourceOptions = (command: Command): Command =>
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
