import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { usageError } from '../../../cli-error';
import { fileReadError, readTextFile } from '../../../files/file-access';
import { inPageOrder, SavedAnswers, type NetBoxAnswers } from './answers';

/** The answers of a NetBox in a folder. @throws CliError if there is no such folder */
export function readAnswersFolder(folder: string): NetBoxAnswers {
  if (!isFolder(folder)) throw usageError(`${folder} is not a folder.`);
  return new SavedAnswers(folder, (path) => filesOf(join(folder, path)));
}

/** @param path of the list in the folder */
function filesOf(path: string) {
  const files = isFolder(path)
    ? inPageOrder(readdirSync(path)).map((name) => join(path, name))
    : [`${path}.json`].filter((file) => statSync(file, { throwIfNoEntry: false }) !== undefined);
  return files.map((name) => ({ name, readText: () => readTextFile(name) }));
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (error) {
    throw fileReadError(path, error);
  }
}
