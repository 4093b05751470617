import { Command } from 'commander';
import type { PlainRequest } from '../../api/muster';
import { asObject } from '../../api/exact-json';
import { printOne, type Format, type Row } from '../../output/formats';
import { print, say } from '../../output/console';
import { impactOf, SHOWN_DEVICES } from '../dry-run';
import { openSession } from '../session';
import { agreeTo, consequence, showImpact, type WriteOptions } from '../confirmed-write';
import { withWriteOptions } from '../vars/set';
import { parseChange, printAltered, recordOf, summaryOf } from './change-record';

const EXAMPLES = `
Examples:
  muster change undo 25 --dry-run
  muster change undo 25 --reason "CHG-1060: back again"`;

/** `muster change undo` */
export function undoChange(): Command {
  return withWriteOptions(new Command('undo'))
    .description('Undoes a change by a new one. Refused where later changes touched the same.')
    .argument('<id>', 'its id, as "muster change list" shows it')
    .addHelpText('after', EXAMPLES)
    .action(async (given: string, { dryRun, yes }: WriteOptions, running: Command) => {
      const id = parseChange(given);
      const { muster, format } = openSession(running);
      const send = async (query: PlainRequest['query']): Promise<Row> =>
        asObject((await muster.request('post', '/v1/changes/{id}/revert', { path: { id }, query })).body);
      if (dryRun || !yes) {
        const preview = await send({ dry_run: true, limit: SHOWN_DEVICES });
        if (dryRun) return showPreview(format, id, preview);
        const would = summaryOf(recordOf(preview['change']));
        await agreeTo(impactOf(preview['impact']), `undo change ${id} (${would})`);
      }
      const undoing = recordOf(await send({}));
      if (format !== 'table') await printAlone(format, undoing.members);
      const { id: by } = undoing.members;
      say(`Undid change ${id} by change ${String(by)}: ${summaryOf(undoing)}.`);
    });
}

async function showPreview(format: Format, id: string, preview: Row): Promise<void> {
  const impact = impactOf(preview['impact']);
  const undoing = recordOf(preview['change']);
  if (format === 'json' || format === 'yaml' || format === 'terraform') await printAlone(format, preview);
  else await printAltered(format, undoing.objects);
  if (format === 'table' && impact.devices > 0) {
    await print('\n');
    await showImpact(impact);
  }
  say(
    `Dry run: undoing change ${id} would ${summaryOf(undoing)}. ${consequence(impact, 'would resolve')}. Nothing was changed.`,
  );
}

const printAlone = (format: Format, members: Row): Promise<void> =>
  printOne(format, members, { names: Object.keys(members), name: 'id' });
