import { Command } from 'commander';
import { asObject } from '../api/exact-json';
import { openSession } from './session';
import { printOne } from '../output/formats';

const COLUMNS = [
  'username',
  'user_id',
  'project_name',
  'project_id',
  'is_admin',
  'is_root',
  'roles',
  'key_id',
  'key_expires_at',
];

/** `muster whoami` */
export function whoamiCommand(): Command {
  return new Command('whoami').addHelpText('after', HELP).action(async (_, command: Command) => {
    const { muster, format } = openSession(command);
    const { body } = await muster.request('get', '/v1/whoami');
    await printOne(format, asObject(body), 'username', COLUMNS);
  });
}

const HELP = `
Shows the user, the project, the roles, and the id and expiry of the API key. A Keystone token has no key id.`;
