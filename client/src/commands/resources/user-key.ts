import { Command } from 'commander';
import type { Muster } from '../../api/muster';
import { Finder } from '../../lookup/resource-finder';
import { EXIT, Failure, usage } from '../../cli-error';
import { asObject } from '../../api/exact-json';
import { printList, printOne, type Row } from '../../output/formats';
import { say } from '../../output/console';
import { connectionOf } from '../../settings/settings';
import { openSession, type GlobalOptions } from '../session';

const KEYS = '/v1/users/{id}/api-keys';
const COLUMNS = ['key_id', 'state', 'created_at', 'expires_at', 'revoked_at'];
const USER = 'by its UUID, its id or its name';

/** `muster user key` */
export function userKeyCommand(): Command {
  return new Command('key')
    .description('The API keys of a user: list, new, revoke.')
    .addCommand(listKeys())
    .addCommand(newKey())
    .addCommand(revokeKeys());
}

const listKeys = (): Command =>
  new Command('list')
    .description('Lists the keys of a user, those that have ended, too; never the keys themselves.')
    .argument('<user>', USER)
    .action(async (given: string, _, running: Command) => {
      const { muster, project, format } = openSession(running);
      const { id } = await new Finder(muster, project).find('user', given);
      await printList(format, keysOf(muster, id), { names: COLUMNS, name: 'key_id' });
    });

interface NewOptions {
  readonly expires?: string;
  readonly keep?: true;
}

const newKey = (): Command =>
  new Command('new')
    .description('Gives a user a new key, and shows it, once. The keys before it end, unless they are kept.')
    .argument('<user>', USER)
    .option(
      '--expires <time>',
      'when it expires, in UTC: 2030-01-01T00:00:00 (default: never; for non-admins, when your own key expires)',
    )
    .option('--keep', "leave the user's other keys as they are")
    .action(async (given: string, { expires, keep }: NewOptions, running: Command) => {
      const { muster, project, format } = openSession(running);
      // A key that is not printed now is lost.
      if (format === 'name') throw usage('-o name would not show the API key, which is shown only once.');
      const { id, name } = await new Finder(muster, project).find('user', given);
      const { body } = await muster.request('post', keep ? KEYS : '/v1/users/{id}/api-key', {
        path: { id },
        body: expires === undefined ? {} : { expires_at: expires },
      });
      const { username, api_key } = asObject(body);
      await printOne(format, { username, api_key }, { names: ['username', 'api_key'], name: 'api_key' });
      say('The API key is shown only now: keep it.');
      if (!keep) say(`Other keys of ${name} have ended.`);
    });

const revokeKeys = (): Command =>
  new Command('revoke')
    .description('Ends keys of a user, by their ids as "muster user key list" shows them.')
    .argument('<user>', USER)
    .argument('[key-ids...]', 'which')
    .option('--all', 'all that are in use')
    .action(async (given: string, keyIds: string[], { all }: { all?: true }, running: Command) => {
      if (keyIds.length > 0 === (all === true)) throw usage('Say which keys, by their ids, or --all.');
      const { muster, project } = openSession(running);
      const { token } = connectionOf(running.optsWithGlobals<GlobalOptions>());
      const { id, name } = await new Finder(muster, project).find('user', given);
      const known = await inUse(muster, id);
      const missing = keyIds.find((keyId) => !known.includes(keyId));
      if (missing !== undefined)
        // Somebody may have given the key itself, which is not to be shown.
        throw new Failure(
          missing.startsWith('mst_')
            ? "A key's id is the part between its underscores."
            : `${name} has no key ${JSON.stringify(missing)} in use.`,
          EXIT.notFound,
        );
      // The key that asks comes last: it could not ask for the others any more.
      const isOwn = (keyId: string) => token.split('_')[1] === keyId;
      const ended = (all ? known : [...new Set(keyIds)]).toSorted(
        (a, b) => Number(isOwn(a)) - Number(isOwn(b)),
      );
      if (ended.length === 0) say(`${name} has no key in use.`);
      for (const keyId of ended) {
        await muster.request('delete', `${KEYS}/{key_id}`, { path: { id, key_id: keyId } });
        say(`Ended the key ${keyId} of ${name}.`);
      }
    });

async function* keysOf(muster: Muster, id: string): AsyncGenerator<Row> {
  for await (const item of muster.items(KEYS, { path: { id } })) yield asObject(item);
}

async function inUse(muster: Muster, id: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key_id, state } of keysOf(muster, id)) if (state === 'in use') keys.push(String(key_id));
  return keys;
}
