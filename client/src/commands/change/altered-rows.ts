import { wordOf } from '../../addressing/finder';
import { printList, type Format, type Row } from '../../output/output';
import { shownValue } from '../vars/shown-values';
import { alteredIn } from './change-record';

/** Prints what became of things: a line for each member and each variable that is another one by it. */
export const printAltered = (format: Format, objects: AsyncIterable<Row> | Iterable<Row>): Promise<void> =>
  printList(format, rowsOf(format, objects), {
    names: ['action', 'what', 'member', 'before', 'after'],
    name: 'what',
  });

async function* rowsOf(format: Format, objects: AsyncIterable<Row> | Iterable<Row>): AsyncGenerator<Row> {
  for await (const object of objects) {
    const what = `${wordOf(String(object['kind']))} ${String(object['name'])}`;
    const thing = { action: object['action'], what };
    const altered = alteredIn(object);
    // A write that found everything as it wanted it has touched it all the same.
    if (altered.length === 0) yield thing;
    for (const { member, before, after } of altered)
      yield { ...thing, member, before: shownValue(format, before), after: shownValue(format, after) };
  }
}
