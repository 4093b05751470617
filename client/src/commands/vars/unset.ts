import { Command } from 'commander';
import { calledName, type Found } from '../../lookup/resource-finder';
import { asObject } from '../../api/exact-json';
import type { Row } from '../../output/formats';
import { say } from '../../output/console';
import { openSession, type Session } from '../session';
import { parseKey } from './assignments';
import { writeCarefully, type WriteOptions } from '../confirmed-write';
import { withWriteOptions } from './set';
import { findTarget, withTarget, type TargetOptions } from './target';

/** `muster vars unset` */
export function unsetCommand(): Command {
  return withWriteOptions(withTarget(new Command('unset')))
    .description('Takes variables away; what is inherited shows again.')
    .argument('<keys...>', 'which')
    .action(
      async (
        kind: string,
        name: string,
        given: string[],
        options: TargetOptions & WriteOptions,
        command: Command,
      ) => {
        const keys = given.map(parseKey);
        const session = openSession(command);
        const target = await findTarget(session, kind, name, options);
        const called = calledName(target);
        const own = await ownVariables(session, target);
        const missing = keys.filter((key) => !Object.hasOwn(own, key));
        const notSet = (some: readonly string[]): string =>
          `${some.join(', ')} ${some.length === 1 ? 'is' : 'are'} not set on ${called} itself`;
        if (missing.length > 0 && missing.length < keys.length) say(`${notSet(missing)}.`);
        const set = keys.filter((key) => !missing.includes(key));
        const write = {
          method: 'delete' as const,
          below: '/variables',
          body: keys,
          keys: set,
          did: (removed: string) =>
            set.length === 0 ? `Nothing to do: ${notSet(keys)}` : `Removed ${removed} from ${called}`,
          would: (removed: string) => `remove ${removed} from ${called}`,
          already: notSet(keys),
        };
        await writeCarefully(session, target, write, options);
      },
    );
}

/** What is set there itself. */
async function ownVariables({ muster }: Session, { resource, id }: Found): Promise<Row> {
  const { body } = await muster.request('get', `/v1/${resource.collection}/{id}/variables`, {
    path: { id },
    query: { 'resolved-values': false },
  });
  return asObject(asObject(body)['variables']);
}
