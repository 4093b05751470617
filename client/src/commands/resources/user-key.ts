import { Command } from 'commander';
import { asObject } from '../../api/exact-json';
import type { Muster } from '../../api/muster';
import { CliError, EXIT, usageError } from '../../cli-error';
import { currentSettings, openSession } from '../session';
import { printStatus } from '../../output/console';
import { printList, printOne } from '../../output/formats';
import type { Row } from '../../output/rows';
import { parseTimeOption } from '../shared-options';

const KEYS = '/v1/users/{id}/api-keys';
const COLUMNS = ['key_id', 'state', 'created_at', 'expires_at', 'revoked_at', 'note'];
const USER = 'a UUID, id or name';

/** `muster user key` */
export function userKeyCommand(): Command {
  return new Command('key')
    .description('API keys of a user: list, new, revoke.')
    .addCommand(listKeys())
    .addCommand(newKey())
    .addCommand(revokeKeys());
}

const listKeys = (): Command =>
  new Command('list')
    .description('Lists the API keys of a user, including expired and revoked ones, without their secrets.')
    .argument('<user>', USER)
    .action(async (identifier: string, _, command: Command) => {
      const { muster, finder, format } = openSession(command);
      const { id } = await finder.find('user', identifier);
      await printList(format, listApiKeys(muster, id), { names: COLUMNS, name: 'key_id' });
    });

interface NewOptions {
  readonly expires?: string;
  readonly note?: string;
  readonly keep?: true;
}

const newKey = (): Command =>
  new Command('new')
    .description(
      'Creates an API key for a user and shows it once. Revokes the existing keys, unless --keep is given.',
    )
    .argument('<user>', USER)
    .option(
      '--expires <time>',
      'the expiry: 2030-01-01T00:00:00 (UTC) or 2030-01-01 (default: never; for non-admins, the expiry of your own key)',
      parseTimeOption,
    )
    .option('--note <text>', 'what the key is for, as "muster user key list" shows it')
    .option('--keep', 'keep the existing keys valid')
    .action(async (identifier: string, { expires, note, keep }: NewOptions, command: Command) => {
      const { muster, finder, format } = openSession(command);
      // The API key is shown only once.
      if (format === 'name')
        throw usageError('-o name does not print the API key, which is shown only once.');
      const { id, name } = await finder.find('user', identifier);
      const { body } = await muster.request('post', keep ? KEYS : '/v1/users/{id}/api-key', {
        path: { id },
        body: {
          ...(expires === undefined ? {} : { expires_at: expires }),
          ...(note === undefined ? {} : { note }),
        },
      });
      const { username, api_key } = asObject(body);
      await printOne(format, { username, api_key }, 'api_key');
      printStatus('Save the API key: it is shown only once.');
      if (!keep) printStatus(`Revoked the other API keys of ${name}.`);
    });

const revokeKeys = (): Command =>
  new Command('revoke')
    .description('Revokes API keys of a user, by the ids that "muster user key list" shows.')
    .argument('<user>', USER)
    .argument('[key-ids...]', 'the ids of the keys')
    .option('--all', 'revoke all active keys')
    .action(async (identifier: string, keyIds: string[], { all }: { all?: true }, command: Command) => {
      if (keyIds.length > 0 === (all === true)) throw usageError('Use either key ids or --all.');
      const { muster, finder } = openSession(command);
      const { id, name } = await finder.find('user', identifier);
      const activeIds = await activeKeyIds(muster, id);
      const missing = keyIds.find((keyId) => !activeIds.includes(keyId));
      if (missing !== undefined)
        // It may be the key itself, which must not be shown.
        throw new CliError(
          missing.startsWith('mst_')
            ? 'The id of a key is the part between its underscores.'
            : `${name} has no active API key ${JSON.stringify(missing)}.`,
          EXIT.notFound,
        );
      // The key of this session is revoked last: it is needed to revoke the others.
      const ownKeyId = currentSettings()?.connection.token.split('_')[1];
      const isOwn = (keyId: string) => keyId === ownKeyId;
      const revoked = (all ? activeIds : [...new Set(keyIds)]).toSorted(
        (a, b) => Number(isOwn(a)) - Number(isOwn(b)),
      );
      if (revoked.length === 0) printStatus(`${name} has no active API key.`);
      for (const keyId of revoked) {
        await muster.request('delete', `${KEYS}/{key_id}`, { path: { id, key_id: keyId } });
        printStatus(`Revoked the API key ${keyId} of ${name}.`);
      }
    });

async function* listApiKeys(muster: Muster, id: string): AsyncGenerator<Row> {
  for await (const item of muster.items(KEYS, { path: { id } })) yield asObject(item);
}

async function activeKeyIds(muster: Muster, id: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key_id, state } of listApiKeys(muster, id))
    if (state === 'in use') keys.push(String(key_id));
  return keys;
}
