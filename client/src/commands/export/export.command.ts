import { Command, Option } from 'commander';
import { kindsOf, resourceOf } from '../../addressing/finder';
import { usage } from '../../failures';
import { FILE_FORMATS, type FileFormat } from '../../files/file-format';
import { addFilters, filterOptions } from '../resources/filter-options';
import type { GivenOptions } from '../resources/member-options';

/** What the command line says of an export, beside the filters. */
export interface ExportOptions extends GivenOptions {
  readonly format?: FileFormat;
  readonly kind?: readonly string[];
  readonly resolved?: true;
  readonly quiet?: true;
}

const ABOUT = `
It is one state of the inventory, however long it takes. A file comes into being when all of it is there. An export with
--resolved is not meant to be imported: it would set on each device what it inherits.`;

/** The kinds that stand in exports: devices, and what they stand in and carry. */
const kinds = (): string[] => [
  'cloud',
  'label',
  'region',
  'cell',
  ...kindsOf('device').map(({ kind }) => kind),
];

/** `muster export` */
export function exportCommand(): Command {
  const filters = filterOptions(resourceOf('host'));
  const command = new Command('export')
    .argument('[file]', 'where to; without it, or with -, standard output', '-')
    .addOption(
      new Option('--format <format>', "as what: else the file's name tells, else lines of JSON").choices(
        FILE_FORMATS,
      ),
    )
    .addOption(
      new Option(
        '--kind <kind>',
        'only of this kind; may be given several times, or joined by commas',
      ).argParser((text: string, before: readonly string[] | undefined) => [
        ...(before ?? []),
        ...text.split(','),
      ]),
    )
    .option('--resolved', 'the variables that devices and cells resolve to, in place of their own')
    .option('-q, --quiet', 'do not tell how far it is');
  return addFilters(command, filters)
    .addHelpText('after', ABOUT)
    .action(async (file: string, options: ExportOptions, own: Command) => {
      const { runExport } = await import('./run-export.js');
      await runExport(file, { ...options, ...formatOf(options, own) }, filters, kinds(), own);
    });
}

/** `-o`, which is of all commands, says the same as `--format`. */
function formatOf({ format }: ExportOptions, own: Command): { format?: FileFormat } {
  if (format !== undefined || own.getOptionValueSourceWithGlobals('output') !== 'cli') return {};
  const { output } = own.optsWithGlobals<{ output: string }>();
  const asked = FILE_FORMATS.find((one) => one === output);
  if (asked === undefined) throw usage(`An export has no format ${output}: ${FILE_FORMATS.join(', ')}.`);
  return { format: asked };
}
