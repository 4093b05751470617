import { Command } from 'commander';
import { asObject } from '../api/exact-json';
import { printStatus } from '../output/console';
import { printList } from '../output/formats';
import type { Row } from '../output/rows';
import { boundedLimitOption } from './shared-options';
import { openSession } from './session';

const MAX_HITS = 100;
const TABLE_COLUMNS = ['kind', 'name', 'place', 'match'];
const CSV_COLUMNS = ['kind', 'id', 'name', 'region', 'cell', 'match', 'member', 'key', 'href'];

/** `muster search` */
export function searchCommand(): Command {
  return new Command('search')
    .argument(
      '<text>',
      'a name, a label, an id, a UUID, an address or network, or the key or value of a variable',
    )
    .addOption(boundedLimitOption('hits', MAX_HITS, 20))
    .addHelpText('after', HELP)
    .action(async (text: string, { limit }: { readonly limit: number }, command: Command) => {
      const { muster, project, format } = openSession(command);
      const { body } = await muster.request('get', '/v1/search', {
        query: { q: text, limit, project_id: project },
      });
      const { hits, substrings } = asObject(body);
      const found = (hits as unknown[]).map(asObject);
      const rows = { table: found.map(tableRow), csv: found.map(csvRow) };
      await printList(format, format === 'table' || format === 'csv' ? rows[format] : found, {
        names: format === 'csv' ? CSV_COLUMNS : TABLE_COLUMNS,
        name: 'name',
      });
      if (found.length === 0 && substrings !== true)
        printStatus('Only the beginnings of names were searched.');
    });
}

const nameOf = (place: unknown): string | undefined =>
  typeof place === 'object' && place !== null ? String(asObject(place)['name']) : undefined;

const csvRow = (hit: Row): Row => ({ ...hit, region: nameOf(hit['region']), cell: nameOf(hit['cell']) });

/** What matches is a member, or the value of a variable. */
const tableRow = (hit: Row): Row => ({
  ...hit,
  place: [nameOf(hit['region']), nameOf(hit['cell'])].filter((name) => name !== undefined).join(' / '),
  match: `${String(hit['match'])} (${String(hit['key'] ?? hit['member'])})`,
});

const HELP = `
Searches everything that you may see, the best match first. The beginning of a name matches in the same case only, and a
part of it (three or more letters or digits) in any case. A value matches as a whole, on the resource that sets it.`;
