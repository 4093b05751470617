import { shellWord } from '@muster/api-types';
import { Command } from 'commander';
import { asObject } from '../../api/exact-json';
import { readOptional } from '../../api/optional-read';
import { limitOption, takeFirst } from '../shared-options';
import { openSession, type Session } from '../session';
import { addTarget, findTarget, type TargetOptions, parseKey } from './arguments';
import { displayName, type FoundResource } from '../../lookup/resource-finder';
import { printIfUnknownKey } from '../../lookup/unknown-key';
import { escapeControl, printStatus } from '../../output/console';
import { displayValue, printList, type OutputFormat } from '../../output/formats';
import type { Row } from '../../output/rows';

interface HistoryOptions extends TargetOptions {
  readonly own?: true;
  readonly limit: number;
}

/** The largest page of `changes/resolved`. */
const MAX_PAGE = 1000;

/** `muster vars history` */
export function historyCommand(): Command {
  return addTarget(new Command('history'))
    .description(
      'Shows changes of variables, newest first, with author and reason: of a device those of its resolved values, with the level that each value comes from; of another resource those of the values set on it.',
    )
    .argument('[key]', 'only changes of this variable')
    .option('--own', 'of a device, too, only changes of values set on it itself')
    .addOption(limitOption())
    .addHelpText(
      'after',
      '\n"muster change show ID" shows the complete change, and "muster change revert ID" reverts it.',
    )
    .action(
      async (
        kind: string,
        name: string,
        keyText: string | undefined,
        options: HistoryOptions,
        command: Command,
      ) => {
        const key = keyText === undefined ? undefined : parseKey(keyText);
        const session = openSession(command);
        const target = await findTarget(session, kind, name, options);
        if (target.resource.isDevice && !options.own)
          await printResolvedHistory(session, target, key, options);
        else await printOwnHistory(session, target, key, options);
      },
    );
}

async function printResolvedHistory(
  session: Session,
  { id, resource }: FoundResource,
  key: string | undefined,
  { limit }: HistoryOptions,
): Promise<void> {
  const { format, muster } = session;
  const changes = muster.items(`/v1/${resource.collection}/{id}/changes/resolved`, {
    path: { id },
    query: { key, limit: limit === 0 ? MAX_PAGE : Math.min(limit, MAX_PAGE) },
  });
  const count = await printList(format, takeFirst(resolvedRows(format, changes), limit), {
    names: ['time', 'who', 'key', 'before', 'after', 'level', 'reason', 'change_id'],
    name: 'change_id',
  });
  if (count === 0 && key !== undefined) await printIfUnknownKey(session, key);
}

async function* resolvedRows(format: OutputFormat, changes: AsyncIterable<unknown>): AsyncGenerator<Row> {
  for await (const item of changes) {
    const change = asObject(item);
    for (const [key, value] of Object.entries(asObject(change['changes']))) {
      const { level, ...values } = asObject(value);
      yield { ...historyRow(format, change, key, values), level: displayLevel(format, asObject(level)) };
    }
  }
}

/** A table names the level, as `vars explain` does; other formats have its members. */
const displayLevel = (format: OutputFormat, level: Row): unknown =>
  format === 'table' || format === 'csv' ? `${String(level['kind'])} ${String(level['name'])}` : level;

async function printOwnHistory(
  session: Session,
  target: FoundResource,
  key: string | undefined,
  { limit }: HistoryOptions,
): Promise<void> {
  const { format, muster } = session;
  const changes = muster.items(`/v1/${target.resource.collection}/{id}/changes`, {
    path: { id: target.id },
    query: { key, sort_dir: 'desc' },
  });
  const count = await printList(format, takeFirst(ownRows(format, changes, target, key), limit), {
    names: ['time', 'who', 'key', 'before', 'after', 'reason', 'change_id'],
    name: 'change_id',
  });
  if (count > 0 || key === undefined) return;
  if (target.resource.inherits) await printOrigin(session, target, key);
  // The variables of users are not among the keys in use.
  if (target.resource.kind !== 'user') await printIfUnknownKey(session, key);
}

/** Says where an inherited value comes from, and how its history is shown. */
async function printOrigin({ muster }: Session, target: FoundResource, key: string): Promise<void> {
  const explained = await readOptional(muster, async (reader) => {
    const path = `/v1/${target.resource.collection}/{id}/variables/explain`;
    const { body } = await reader.request('get', path, { path: { id: target.id }, query: { key: [key] } });
    return asObject(asObject(body)['variables']);
  });
  if (!explained || !Object.hasOwn(explained, key)) return;
  const { kind, name } = asObject(asObject(explained[key])['source']);
  const level = `${String(kind)} ${escapeControl(String(name))}`;
  printStatus(
    `${key} was never set on ${displayName(target)} itself. It comes from ${level}: muster vars history ${String(kind)} ${shellWord(String(name))} ${key}`,
  );
}

async function* ownRows(
  format: OutputFormat,
  changes: AsyncIterable<unknown>,
  { id, resource }: FoundResource,
  selectedKey: string | undefined,
): AsyncGenerator<Row> {
  for await (const item of changes) {
    const change = asObject(item);
    const objects = (change['objects'] as unknown[]).map(asObject);
    // A change may include other resources.
    const own = objects.filter((one) => one['kind'] === resource.kind && String(one['id']) === id);
    for (const { variables } of own)
      for (const [key, values] of Object.entries(asObject(variables ?? {})))
        if (selectedKey === undefined || key === selectedKey)
          yield historyRow(format, change, key, asObject(values));
  }
}

const historyRow = (format: OutputFormat, change: Row, key: string, { before, after }: Row): Row => ({
  change_id: change['id'],
  time: change['created_at'],
  who: asObject(change['actor'])['username'],
  reason: change['reason'],
  key,
  before: displayValue(format, before),
  after: displayValue(format, after),
});
