import type { ResourceDescription } from '../../api/resource-description';
import { ReferenceNames } from '../../addressing/reference-names';
import { asObject } from '../../api/exact-json';
import { printOne, type Row } from '../../output/output';
import type { Session } from '../session';
import { shownValue } from '../vars/shown-values';
import { KIND } from './all-devices';
import { withNames } from './list-reading';
import { shownAlone } from './shown-columns';

/**
 * Prints one resource: as it is, and in a table with names in place of ids.
 * @param resource its kind
 * @param asked the kind that the command is about: of devices of any kind, it is told which
 */
export async function printResource(
  { muster, project, format }: Session,
  resource: ResourceDescription,
  asked: ResourceDescription,
  members: Row,
): Promise<void> {
  const row =
    asked === resource || asked.kind === resource.kind ? members : { [KIND]: resource.kind, ...members };
  const name = resource.nameMember ?? 'id';
  if (format !== 'table') return printOne(format, row, { names: Object.keys(row), name });
  const { columns, references } = shownAlone(resource);
  const [first = 'id', second = name, ...others] = columns;
  const further = 'api_key' in row ? ['api_key'] : [];
  const names = [first, second, ...(KIND in row ? [KIND] : []), ...others, ...further];
  const [shown = {}] = await withNames(
    [row],
    { columns: names, references },
    new ReferenceNames(muster, project),
  );
  await printOne(format, { ...shown, ...cellNames(row), ...variablesIn(row) }, { names, name });
}

/** As `vars get` shows them: as JSON, so that a text and a number can be told apart. */
function variablesIn({ variables }: Row): Row {
  if (variables === undefined || variables === null) return {};
  const shown = Object.entries(asObject(variables)).map(([key, value]) => [key, shownValue('table', value)]);
  return { variables: Object.fromEntries(shown) as Row };
}

/** A region's cells come with their names. */
function cellNames(row: Row): Row {
  const cells = row['cells'];
  if (!Array.isArray(cells)) return {};
  return { cells: cells.map((cell) => String(asObject(cell)['name'])).join(', ') };
}
