import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { toMembers } from '../../../api/exact-json';
import { usageError } from '../../../cli-error';
import { fileReadError, readTextFile } from '../../../files/file-access';
import { parseAnswer, type Answer, type ListPath, type NetBoxAnswers } from './answers';
import { textOf } from './members';

/**
 * The answers of a NetBox in a folder: the pages of a list in the files of `dcim/devices/`, or the only one in
 * `dcim/devices.json`. Other files, such as saved headers, are ignored.
 */
export class AnswersFolder implements NetBoxAnswers {
  /** @throws CliError if there is no such folder */
  constructor(private readonly folder: string) {
    if (!isFolder(folder)) throw usageError(`${folder} is not a folder.`);
  }

  async readVersion(): Promise<string | undefined> {
    for await (const { body } of this.answers('status')) {
      const version = textOf(toMembers(body)?.get('netbox-version'));
      if (version !== undefined) return version;
    }
    return undefined;
  }

  async *pages(path: ListPath): AsyncGenerator<Answer> {
    let isFound = false;
    for await (const answer of this.answers(path)) {
      if (toMembers(answer.body)?.has('results') !== true) continue;
      isFound = true;
      yield answer;
    }
    if (!isFound)
      throw usageError(
        `${join(this.folder, path)} has no answers of NetBox. "muster export-netbox" saves them, or curl: GET /api/${path}/?limit=0.`,
      );
  }

  private async *answers(path: string): AsyncGenerator<Answer> {
    const folder = join(this.folder, path);
    const files = isFolder(folder)
      ? readdirSync(folder)
          .filter((name) => name.endsWith('.json'))
          .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
          .map((name) => join(folder, name))
      : [`${folder}.json`].filter((file) => statSync(file, { throwIfNoEntry: false }) !== undefined);
    for (const file of files) {
      const text = await readTextFile(file);
      yield { text, body: parseAnswer(text, file), origin: file };
    }
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (error) {
    throw fileReadError(path, error);
  }
}
