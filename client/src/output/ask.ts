import { EXIT, Failure } from '../failures';
import { visible } from './visible';

/** Whether there is somebody to be asked, who sees what it is about. */
export const canAsk = (): boolean =>
  [process.stdin, process.stdout, process.stderr].every(({ isTTY }) => isTTY);

/**
 * Asks at the terminal, on standard error; whoever says nothing has said no.
 * @throws Failure for Ctrl-C, and where the terminal is gone
 */
export async function confirm(question: string): Promise<boolean> {
  const { default: ask } = await import('@inquirer/confirm');
  try {
    return await ask({ message: visible(question), default: false }, { output: process.stderr });
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError')
      throw new Failure('Interrupted: nothing was changed.', EXIT.interrupted);
    throw error;
  }
}
