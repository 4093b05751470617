import { Command } from 'commander';
import { CliError, EXIT } from '../cli-error';
import type { GlobalOptions } from './session';
import { isLogin, revokeLogin } from '../oidc/login-tokens';
import { printStatus } from '../output/console';
import { DEFAULT_PROFILE, profilesPath, readProfiles, saveProfile } from '../settings/profiles';
import { nonEmpty } from '../settings/settings';

/** `muster logout` */
export function logoutCommand(): Command {
  return new Command('logout').action(async (_, command: Command) => {
    const { profile } = command.optsWithGlobals<GlobalOptions>();
    const name = profile ?? nonEmpty(process.env['MUSTER_PROFILE']) ?? DEFAULT_PROFILE;
    const saved = readProfiles().get(name);
    if (!saved)
      throw new CliError(`There is no profile ${JSON.stringify(name)} in ${profilesPath()}.`, EXIT.notFound);
    saveProfile(name, undefined);
    const deleted = `Deleted the profile ${JSON.stringify(name)}.`;
    if (!isLogin(saved)) {
      printStatus(`${deleted} Its API key is still valid: use "muster user key revoke" to revoke it.`);
      return;
    }
    printStatus(deleted);
    await revokeLogin(saved);
  });
}
