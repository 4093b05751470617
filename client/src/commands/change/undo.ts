import { Command } from 'commander';
import { asObject } from '../../api/exact-json';
import type { RequestOptions } from '../../api/muster';
import { parseChangeId, printObjectChanges, readChange, summarizeChange } from './change-record';
import {
  addConfirmationOptions,
  confirmImpact,
  describeImpact,
  printDone,
  printImpactTable,
  type ConfirmationOptions,
} from '../confirmed-write';
import { affectedDevices, MAX_SHOWN_DEVICES, readImpact } from '../impact-preview';
import { openSession } from '../session';
import { pluralize, print, printStatus } from '../../output/console';
import { printOne, type OutputFormat, type Row } from '../../output/formats';

const EXAMPLES = `
Examples:
  muster change undo 25 --dry-run
  muster change undo 25 --reason "CHG-1060: back again"
  muster change undo 25 26 27`;

/** `muster change undo` */
export function undoCommand(): Command {
  return addConfirmationOptions(new Command('undo'))
    .alias('revert')
    .description(
      'Reverts one or several changes with one new change. Rejected if other later changes conflict with them.',
    )
    .argument('<id...>', 'the ids, as shown by "muster change list"')
    .addHelpText('after', EXAMPLES)
    .action(async (idTexts: readonly string[], { dryRun, yes }: ConfirmationOptions, command: Command) => {
      const ids = [...new Set(idTexts.map(parseChangeId))].sort((a, b) => Number(b) - Number(a));
      const [id = '', ...others] = ids;
      const title = `change${others.length > 0 ? 's' : ''} ${ids.join(', ')}`;
      const body = others.length > 0 ? { additional_ids: others.map(Number) } : undefined;
      const { muster, format } = openSession(command);
      const send = async (query: RequestOptions['query']): Promise<Row> =>
        asObject(
          (await muster.request('post', '/v1/changes/{id}/revert', { path: { id }, query, body })).body,
        );
      if (dryRun || !yes) {
        const preview = await send({ dry_run: true, limit: MAX_SHOWN_DEVICES });
        if (dryRun) return printPreview(format, title, preview);
        const change = readChange(preview['change']);
        const deletions = change.objects.filter(({ action }) => action === 'delete').length;
        const consequences = deletions > 1 ? [`This would delete ${pluralize(deletions, 'resource')}.`] : [];
        const intent = `revert ${title} (${summarizeChange(change)})`;
        await confirmImpact(readImpact(preview['impact']), intent, consequences);
      }
      const revert = readChange(await send({}));
      if (format !== 'table') await printOne(format, revert.members, 'id');
      const revertId = String(revert.members['id']);
      printDone(
        `Reverted ${title} with change ${revertId}: ${summarizeChange(revert)}`,
        affectedDevices(revert.members),
      );
    });
}

async function printPreview(format: OutputFormat, title: string, preview: Row): Promise<void> {
  const impact = readImpact(preview['impact']);
  const revert = readChange(preview['change']);
  if (format === 'json' || format === 'yaml' || format === 'terraform') await printOne(format, preview, 'id');
  else await printObjectChanges(format, revert.objects);
  if (format === 'table' && impact.devices > 0) {
    await print('\n');
    await printImpactTable(impact);
  }
  printStatus(
    `Dry run: reverting ${title} would ${summarizeChange(revert)}. ${describeImpact(impact, 'would resolve')}. Nothing was changed.`,
  );
}
