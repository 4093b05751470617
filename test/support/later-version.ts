import { join } from 'node:path';

/** The environment in which the built program has two more migrations, as a later version would. Workers inherit it. */
export const LATER_VERSION = {
  NODE_OPTIONS: `--require ${JSON.stringify(join(__dirname, 'later-migrations.cjs'))}`,
};

/** The migrations that this version lacks. The first alters `users`, the second alters `audits`. */
export const LATER_MIGRATIONS = ['Nicknames1900000000000', 'Severities1900000000001'];
