import input from '@inquirer/input';
import password from '@inquirer/password';
import { EXIT, Failure } from '../../failures';
import type { ConnectionFlags } from '../../settings/settings';

/**
 * Asks at the terminal for what flags do not say. The key is not shown.
 * @param url what is proposed
 * @throws Failure where somebody would rather not say
 */
export async function askForLogin(flags: ConnectionFlags, url: string) {
  try {
    return await asked(flags, url);
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError')
      throw new Failure('Interrupted: nothing was kept.', EXIT.interrupted);
    throw error;
  }
}

async function asked(flags: ConnectionFlags, proposed: string) {
  // What is asked goes where a person reads, and leaves standard output to results.
  const terminal = { output: process.stderr };
  const one = async (message: string) => (await input({ message }, terminal)).trim();
  const url = flags.url ?? (await input({ message: 'Where is Muster?', default: proposed }, terminal)).trim();
  const token = await password({ message: 'API key', mask: true }, terminal);
  const user = flags.user ?? (await one('User (need not be given)'));
  const project = flags.project ?? (await one("Project, by its UUID (else the user's own)"));
  return { url, token, ...(user === '' ? {} : { user }), ...(project === '' ? {} : { project }) };
}
