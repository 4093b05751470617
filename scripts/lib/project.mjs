// These files run before packages are installed, on any Node version: only built-in modules and plain JavaScript.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/** The path of one of the project's files. */
export function fileOf(name) {
  return join(PROJECT, name);
}

/** An expected failure, with a message of one sentence. */
export class Failure extends Error {}

/** Runs the work. After an expected failure, it prints only the message and exits with 1. */
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
