import { Command } from 'commander';
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CliError, EXIT, usageError } from '../cli-error';
import { fileWriteError } from '../files/file-access';
import { print } from '../output/console';
import { pluralize } from '../text';
import { startProgress } from '../output/progress';
import {
  LISTS,
  readList,
  type Answer,
  type ListPath,
  type NetBoxAnswers,
  idOf,
} from './import/netbox/answers';
import { NetBoxClient, type NetBoxConnection } from './import/netbox/netbox-client';
import { ReadingProgress } from './import/netbox/reading-progress';
import { addNetBoxConnectionOptions } from './import/netbox/netbox-options';
import { InterruptHandler } from './long-requests';

interface ExportOptions extends NetBoxConnection {
  readonly interfaces?: true;
  readonly quiet?: true;
}

const EXPORT_HELP = `
Saves every page of the lists that an import needs, as NetBox sent it. The folder may contain secrets from config contexts:
only its owner may read it. It must be new or empty, and exists only if the export is complete.`;

/** `muster export-netbox` */
export function exportNetBoxCommand(): Command {
  const command = new Command('export-netbox').argument('<path>', 'the folder to create');
  return addNetBoxConnectionOptions(command)
    .option('--interfaces', 'save interfaces, too, which only a mapping with uplinks needs')
    .option('-q, --quiet', 'do not show the progress')
    .addHelpText('after', EXPORT_HELP)
    .action(async (folder: string, options: ExportOptions) => {
      await runExport(folder, options);
    });
}

async function runExport(folder: string, options: ExportOptions): Promise<void> {
  await assertEmpty(folder);
  const interrupts = new InterruptHandler();
  const temporary = join(dirname(folder), `.muster-netbox-${randomBytes(6).toString('hex')}.part`);
  const progress = await startProgress({
    total: undefined,
    verb: 'saved',
    unit: 'objects',
    isQuiet: options.quiet === true,
  });
  const lists = LISTS.filter((path) => path !== 'dcim/interfaces' || options.interfaces === true);
  try {
    const answers = new NetBoxClient(options, interrupts.signal);
    const reading = new ReadingProgress(progress);
    reading.request('status');
    const version = await answers.readVersion();
    await saveFile(temporary, 'status', 'status.json', JSON.stringify({ 'netbox-version': version }));
    await answers.assertReadable(lists, reading);
    const objects = await saveLists(answers, lists, temporary, reading);
    await replaceEmpty(temporary, folder);
    progress.end();
    await print(`Saved ${pluralize(objects, 'object')} of NetBox ${version ?? ''} to ${folder}.\n`);
  } catch (error) {
    if (interrupts.isInterrupted) throw new CliError('Interrupted. Nothing was saved.', EXIT.interrupted);
    throw error;
  } finally {
    progress.end();
    interrupts.dispose();
    await rm(temporary, { recursive: true, force: true });
  }
}

/** @returns the number of objects */
async function saveLists(
  answers: NetBoxAnswers,
  lists: readonly ListPath[],
  folder: string,
  progress: ReadingProgress,
): Promise<number> {
  let objects = 0;
  for (const path of lists) {
    const pages = new SavedPages(answers, folder);
    objects += (await readList(pages, path, (item) => idOf(item['id']), progress)).length;
  }
  return objects;
}

/** Saves pages while they are read. A list that is read again replaces its pages. */
class SavedPages implements NetBoxAnswers {
  constructor(
    private readonly answers: NetBoxAnswers,
    private readonly folder: string,
  ) {}

  readVersion(): Promise<string | undefined> {
    return this.answers.readVersion();
  }

  assertReadable(paths: readonly ListPath[], progress: ReadingProgress): Promise<void> {
    return this.answers.assertReadable(paths, progress);
  }

  async *pages(path: ListPath): AsyncGenerator<Answer> {
    await rm(join(this.folder, path), { recursive: true, force: true });
    let number = 0;
    for await (const answer of this.answers.pages(path)) {
      number++;
      await saveFile(this.folder, path, `page-${String(number).padStart(3, '0')}.json`, answer.text);
      yield answer;
    }
  }
}

async function saveFile(folder: string, path: string, name: string, text: string): Promise<void> {
  const file = join(folder, path, name);
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, text, { mode: 0o600 });
  } catch (error) {
    throw fileWriteError(file, error);
  }
}

/** @throws CliError if something is there that is not an empty folder */
async function assertEmpty(folder: string): Promise<void> {
  const content = await readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw fileWriteError(folder, error);
  });
  if (content.length > 0) throw usageError(`${folder} is not empty: use a new folder.`);
}

/** Moves a folder to a path where nothing or an empty folder is. */
async function replaceEmpty(temporary: string, folder: string): Promise<void> {
  try {
    await rmdir(folder).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    });
    await rename(temporary, folder);
  } catch (error) {
    throw fileWriteError(folder, error);
  }
}
