import { Command } from 'commander';
import type { GlobalOptions } from './session';
import { printList } from '../output/formats';
import type { Row } from '../output/rows';
import { readProfiles } from '../settings/profiles';

/** `muster profile` */
export function profileCommand(): Command {
  return new Command('profile').addCommand(
    new Command('list')
      .description('Lists the profiles, without their API keys.')
      .action(async (_, command: Command) => {
        const { output } = command.optsWithGlobals<GlobalOptions>();
        await printList(output, profileRows(), {
          names: ['profile', 'url', 'user', 'project'],
          name: 'profile',
        });
      }),
  );
}

const profileRows = (): Row[] =>
  [...readProfiles()].map(([profile, { url = null, user = null, project = null }]) => ({
    profile,
    url,
    user,
    project,
  }));
