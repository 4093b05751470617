import { Refusal } from '../../api/errors';
import type { ResourceDescription } from '../../api/resource-description';
import type { Found } from '../../addressing/finder';
import { printList, type Row } from '../../output/output';
import { say } from '../../output/streams';
import type { Session } from '../session';
import { KIND } from './all-devices';
import { shownRows } from './list-reading';
import { sayRefused, throwRefused, type Refused } from './refused-ones';
import { shownInList } from './shown-columns';

/** What was changed, or would be: then it is a preview. */
export interface Written {
  readonly resource: ResourceDescription;
  readonly members: Row;
}

/**
 * Changes one after the other, and shows them as a list; what is refused is told, and the others are changed all the same.
 * @param asked the kind that the command is about: of devices of any kind, it is told which
 */
export async function updateAll(
  session: Session,
  asked: ResourceDescription,
  found: readonly Found[],
  update: (one: Found) => Promise<Written>,
): Promise<void> {
  const { format } = session;
  const name = asked.nameMember ?? 'id';
  const shown = shownInList(asked, format, {});
  const refused: Refused[] = [];
  const changed: Row[] = [];
  try {
    for (const one of found) {
      const written = await updated(one);
      if (written instanceof Refusal) refused.push({ one, refusal: written });
      else changed.push(rowOf(written));
    }
  } catch (error) {
    if (changed.length > 0) say(`Changed: ${changed.map((row) => String(row[name])).join(', ')}.`);
    sayRefused(refused, 'changed');
    throw error;
  }
  await printList(format, shownRows(each(changed), shown, session), { names: shown.columns, name });
  throwRefused(refused, found.length, 'changed');

  async function updated(one: Found): Promise<Written | Refusal> {
    try {
      return await update(one);
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  }

  function rowOf({ resource, members }: Written): Row {
    return asked.kind === resource.kind ? members : { [KIND]: resource.kind, ...members };
  }
}

async function* each(rows: readonly Row[]): AsyncGenerator<Row> {
  for (const row of rows) yield await Promise.resolve(row);
}
