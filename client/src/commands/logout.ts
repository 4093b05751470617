import { Command } from 'commander';
import { EXIT, Failure } from '../cli-error';
import { say } from '../output/console';
import { DEFAULT_PROFILE, keepProfile, profileFile, readProfiles } from '../settings/profiles';
import { present } from '../settings/settings';
import type { GlobalOptions } from './session';

/** `muster logout` */
export function logoutCommand(): Command {
  return new Command('logout').action((_, command: Command) => {
    const { profile } = command.optsWithGlobals<GlobalOptions>();
    const name = profile ?? present(process.env['MUSTER_PROFILE']) ?? DEFAULT_PROFILE;
    if (!readProfiles().has(name))
      throw new Failure(`There is no profile ${JSON.stringify(name)} in ${profileFile()}.`, EXIT.notFound);
    keepProfile(name, undefined);
    say(
      `The profile ${JSON.stringify(name)} is forgotten. Its API key works on, for whoever has it: "muster user key revoke" ends it.`,
    );
  });
}
