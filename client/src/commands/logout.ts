import { Command } from 'commander';
import { CliError, EXIT } from '../cli-error';
import type { GlobalOptions } from './session';
import { printStatus } from '../output/console';
import { DEFAULT_PROFILE, profilesPath, readProfiles, saveProfile } from '../settings/profiles';
import { nonEmpty } from '../settings/settings';

/** `muster logout` */
export function logoutCommand(): Command {
  return new Command('logout').action((_, command: Command) => {
    const { profile } = command.optsWithGlobals<GlobalOptions>();
    const name = profile ?? nonEmpty(process.env['MUSTER_PROFILE']) ?? DEFAULT_PROFILE;
    if (!readProfiles().has(name))
      throw new CliError(`There is no profile ${JSON.stringify(name)} in ${profilesPath()}.`, EXIT.notFound);
    saveProfile(name, undefined);
    printStatus(
      `Deleted the profile ${JSON.stringify(name)}. Its API key is still valid: use "muster user key revoke" to revoke it.`,
    );
  });
}
