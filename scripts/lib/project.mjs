// These files run before anything is installed, on whatever Node there is: built-in modules and plain JavaScript.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/** The path of one of the project's files. */
export function fileOf(name) {
  return join(PROJECT, name);
}

/** An expected failure; its message is one sentence for a person. */
export class Failure extends Error {}

/** Runs the work; a failure that was to be expected ends the process with its sentence and nothing else. */
export async function orExplain(work) {
  try {
    await work();
  } catch (error) {
    const sentence = sentenceOf(error);
    if (sentence === undefined) throw error;
    console.error(sentence);
    process.exit(1);
  }
}

function sentenceOf(error) {
  if (error instanceof Failure) return error.message;
  switch (error.code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `Muster cannot write ${error.path}: start it as the user that this folder belongs to.`;
    case 'ENOSPC':
    case 'EDQUOT':
      return `The disk of ${PROJECT} is full: make room on it and start again.`;
    default:
      return undefined;
  }
}
