import { Command } from 'commander';
import { printList, type Row } from '../output/formats';
import { readProfiles } from '../settings/profiles';
import type { GlobalOptions } from './session';

/** `muster profile` */
export function profileCommand(): Command {
  return new Command('profile').addCommand(
    new Command('list')
      .description('Lists the profiles, without their API keys.')
      .action(async (_, command: Command) => {
        const { output } = command.optsWithGlobals<GlobalOptions>();
        await printList(output, profiles(), {
          names: ['profile', 'url', 'user', 'project'],
          name: 'profile',
        });
      }),
  );
}

async function* profiles(): AsyncGenerator<Row> {
  for (const [profile, { url, user, project }] of readProfiles())
    yield await Promise.resolve({ profile, url: url ?? null, user: user ?? null, project: project ?? null });
}
