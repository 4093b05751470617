import type { Command } from 'commander';
import { isUuid } from '../lookup/resource-finder';
import { Muster } from '../api/muster';
import { usage } from '../cli-error';
import { exactJson } from '../api/exact-json';
import type { Format } from '../output/formats';
import { goOnUnheard, say } from '../output/console';
import {
  assertOneLine,
  type ConnectionFlags,
  misspellingWarnings,
  type Settings,
  settingsOf,
  VARIABLES,
} from '../settings/settings';

/** The options that every command takes. */
export interface GlobalOptions extends ConnectionFlags {
  readonly output: Format;
  /** Why, for the change records. */
  readonly reason?: string;
  readonly allProjects?: true;
}

/** What a command works with. */
export interface Session {
  readonly muster: Muster;
  /** The project that lists are narrowed to: a root user's would show every project. */
  readonly project: string | undefined;
  readonly format: Format;
  /** What each setting comes from, as a person would name it. */
  readonly origins: Settings['origins'];
}

let opened: Settings | undefined;

/** What the command's session was opened with, if it was: errors may be about that. */
export const openedSettings = (): Settings | undefined => opened;

/** @param command the one that runs, which has the options @throws Failure where a setting is wrong */
export function openSession(command: Command): Session {
  const { output, reason, allProjects, ...flags } = command.optsWithGlobals<GlobalOptions>();
  if (reason !== undefined) assertOneLine(reason, '--reason');
  // Before the settings are checked: a misspelled one may be the one that is missing.
  say(...misspellingWarnings(Object.keys(process.env), VARIABLES));
  opened = settingsOf(flags);
  const { connection, origins, overridden } = opened;
  if (overridden.length > 0)
    say(
      `The environment goes before the profile ${JSON.stringify(flags.profile)}: ${overridden.join(', ')} from there.`,
    );
  if (connection.project !== undefined && !isUuid(connection.project))
    throw usage(
      `A project is named by its UUID, and ${JSON.stringify(connection.project)} (${origins.project}) is none.`,
    );
  const muster = new Muster({
    ...connection,
    json: exactJson,
    fetch: (url, init) => {
      if (init.method !== 'GET') goOnUnheard();
      return fetch(url, init);
    },
    ...(reason === undefined ? {} : { reason }),
    onRetry: (cause, delay) => {
      say(`${cause}; trying again in ${(delay / 1000).toFixed(1)} s`);
    },
  });
  return { muster, project: allProjects ? undefined : connection.project, format: output, origins };
}
