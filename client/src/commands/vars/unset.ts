import { Command } from 'commander';
import { asObject } from '../../api/exact-json';
import { addConfirmationOptions, writeWithConfirmation, type ConfirmationOptions } from '../confirmed-write';
import { openSession, type Session } from '../session';
import { parseKey } from './assignments';
import { addTarget, findTarget, type TargetOptions } from './target';
import { displayName, type FoundResource } from '../../lookup/resource-finder';
import { printStatus } from '../../output/console';
import type { Row } from '../../output/formats';

/** `muster vars unset` */
export function unsetCommand(): Command {
  return addConfirmationOptions(addTarget(new Command('unset')))
    .description('Removes variables from a resource. Inherited values take effect again.')
    .argument('<keys...>', 'the keys')
    .action(
      async (
        kind: string,
        name: string,
        texts: string[],
        options: TargetOptions & ConfirmationOptions,
        command: Command,
      ) => {
        const keys = texts.map(parseKey);
        const session = openSession(command);
        const target = await findTarget(session, kind, name, options);
        const targetName = displayName(target);
        const own = await ownVariables(session, target);
        const missing = keys.filter((key) => !Object.hasOwn(own, key));
        const notSet = (someKeys: readonly string[]): string =>
          `${someKeys.join(', ')} ${someKeys.length === 1 ? 'is' : 'are'} not set on ${targetName} itself`;
        if (missing.length > 0 && missing.length < keys.length) printStatus(`${notSet(missing)}.`);
        const set = keys.filter((key) => !missing.includes(key));
        const write = {
          method: 'delete' as const,
          subpath: '/variables',
          body: keys,
          keys: set,
          doneText: (removed: string) =>
            set.length === 0 ? `Nothing to do: ${notSet(keys)}` : `Removed ${removed} from ${targetName}`,
          intentText: (removed: string) => `remove ${removed} from ${targetName}`,
          unchangedText: notSet(keys),
        };
        await writeWithConfirmation(session, target, write, options);
      },
    );
}

/** The variables that are set on the resource itself. */
async function ownVariables({ muster }: Session, { resource, id }: FoundResource): Promise<Row> {
  const { body } = await muster.request('get', `/v1/${resource.collection}/{id}/variables`, {
    path: { id },
    query: { 'resolved-values': false },
  });
  return asObject(asObject(body)['variables']);
}
