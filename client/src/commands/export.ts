import { Command, Option } from 'commander';
import { Finder, kindsOf, resourceOf } from '../lookup/resource-finder';
import { EXIT, Failure, usage } from '../cli-error';
import { FILE_FORMATS, type FileFormat, kindOfFile, STANDARD, unwritable } from '../files/file-access';
import { addFilters, type FilterOption, filterOptions, filterQuery } from './resources/filter-flags';
import type { GivenOptions } from './resources/member-flags';
import { Unreachable } from '../api/errors';
import { lineEnds, physicalLines } from '../files/lines';
import { exactJson } from '../api/exact-json';
import { startProgress, type Progress } from '../output/progress';
import { allowLongRequests, bytesOf, Interruption } from './long-requests';
import { openSession } from './session';
import { randomBytes } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { print, printLines } from '../output/console';

/** What the command line says of an export, beside the filters. */
interface ExportOptions extends GivenOptions {
  readonly format?: FileFormat;
  readonly kind?: readonly string[];
  readonly resolved?: true;
  readonly quiet?: true;
}

const ABOUT = `
It is one state of the inventory, however long it takes. A file comes into being when all of it is there. An export with
--resolved is not meant to be imported: it would set on each device what it inherits.`;

/** The kinds that stand in exports: devices, and what they stand in and carry. */
const kinds = (): string[] => [
  'cloud',
  'label',
  'region',
  'cell',
  ...kindsOf('device').map(({ kind }) => kind),
];

/** `muster export` */
export function exportCommand(): Command {
  const filters = filterOptions(resourceOf('host'));
  const command = new Command('export')
    .argument('[file]', 'where to; without it, or with -, standard output', '-')
    .addOption(
      new Option('--format <format>', "as what: else the file's name tells, else lines of JSON").choices(
        FILE_FORMATS,
      ),
    )
    .addOption(
      new Option(
        '--kind <kind>',
        'only of this kind; may be given several times, or joined by commas',
      ).argParser((text: string, before: readonly string[] | undefined) => [
        ...(before ?? []),
        ...text.split(','),
      ]),
    )
    .option('--resolved', 'the variables that devices and cells resolve to, in place of their own')
    .option('-q, --quiet', 'do not tell how far it is');
  return addFilters(command, filters)
    .addHelpText('after', ABOUT)
    .action(async (file: string, options: ExportOptions, own: Command) => {
      await runExport(file, { ...options, ...formatOf(options, own) }, filters, kinds(), own);
    });
}

/** `-o`, which is of all commands, says the same as `--format`. */
function formatOf({ format }: ExportOptions, own: Command): { format?: FileFormat } {
  if (format !== undefined || own.getOptionValueSourceWithGlobals('output') !== 'cli') return {};
  const { output } = own.optsWithGlobals<{ output: string }>();
  const asked = FILE_FORMATS.find((one) => one === output);
  if (asked === undefined) throw usage(`An export has no format ${output}: ${FILE_FORMATS.join(', ')}.`);
  return { format: asked };
}

/** What `muster export` does. @param kinds those that there are */
async function runExport(
  file: string,
  options: ExportOptions,
  filters: readonly FilterOption[],
  kinds: readonly string[],
  command: Command,
): Promise<void> {
  const unknown = options.kind?.find((kind) => !kinds.includes(kind));
  if (unknown !== undefined)
    throw usage(`There is no kind ${JSON.stringify(unknown)} in exports: there are ${kinds.join(', ')}.`);
  const { format, gzip } = kindOfFile(file, options.format);
  const { muster, project } = openSession(command);
  const filtered = await filterQuery(filters, options, new Finder(muster, project));
  await allowLongRequests();
  const interruption = new Interruption();
  const progress = await startProgress({
    total: undefined,
    done: 'exported',
    // What is printed on the same terminal would be torn apart.
    isQuiet: options.quiet === true || (file === STANDARD && process.stdout.isTTY),
  });
  try {
    const answer = await muster.open('get', '/v1/export', {
      query: {
        ...filtered,
        format: format === 'csv' ? 'csv' : 'ndjson',
        kind: options.kind,
        ...(options.resolved ? { 'resolved-values': true } : {}),
      },
      signal: interruption.signal,
    });
    const counted = told(bytesOf(answer, false, CUT_OFF), progress);
    await writeAll({ file, gzip }, written(format, counted), interruption.signal);
  } catch (error) {
    progress.end();
    if (interruption.isThere) throw new Failure(`Interrupted. ${left(file)}`, EXIT.interrupted);
    if (error instanceof Unreachable && error.message === CUT_OFF)
      throw new Failure(`${CUT_OFF} ${left(file)}`, EXIT.unreachable);
    throw error;
  } finally {
    progress.end();
    interruption.end();
  }
}

const CUT_OFF = 'The export was cut off before its end.';

const left = (file: string): string =>
  file === STANDARD ? 'What was printed is not all.' : `${file} was not written.`;

async function* told(bytes: AsyncIterable<Uint8Array>, progress: Progress): AsyncGenerator<Uint8Array> {
  let [size, lines] = [0, 0];
  for await (const chunk of bytes) {
    size += chunk.length;
    lines += lineEnds(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    progress.at(size, lines);
    yield chunk;
  }
}

/** The lines of an export in the form that was asked for, as they come. */
function written(format: FileFormat, bytes: AsyncIterable<Uint8Array>): AsyncIterable<string | Uint8Array> {
  switch (format) {
    case 'ndjson':
    case 'csv':
      return bytes;
    case 'json':
      return asArray(bytes);
    case 'yaml':
      return asDocuments(bytes);
  }
}

async function* asArray(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const lines of physicalLines(bytes)) {
    const texts = lines.map((line) => line.toString('utf8').trimEnd());
    if (texts.length === 0) continue;
    yield `${isFirst ? '[\n' : ',\n'}${texts.join(',\n')}`;
    isFirst = false;
  }
  yield isFirst ? '[]\n' : '\n]\n';
}

/** A document for each, so that whoever reads them need not hold all. */
async function* asDocuments(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const { yamlOf } = await import('../output/yaml.js');

  for await (const lines of physicalLines(bytes))
    if (lines.length > 0)
      yield lines.map((line) => `---\n${yamlOf(exactJson.parse(line.toString('utf8')))}`).join('');
}

/** Of a file's mode: who may do what. */
const PERMISSIONS = 0o777;

/** Where an export goes. */
interface Target {
  readonly file: string;
  readonly gzip: boolean;
}

/**
 * Writes pieces out. A file is written beside the one that is meant, and takes its place once it is complete: one that was
 * cut off never looks whole.
 * @throws Failure for what cannot be written; and whatever the making of the pieces throws
 */
async function writeAll(
  { file, gzip }: Target,
  pieces: AsyncIterable<string | Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  if (file === STANDARD) {
    await printAll(pieces);
    return;
  }
  const found = statSync(file, { throwIfNoEntry: false });
  // Pipes and devices are written to as they are.
  const isPlain = found === undefined || found.isFile() || found.isDirectory();
  // A link goes on leading to the file.
  const place = found === undefined ? file : realpathSync(file);
  const written = isPlain
    ? join(dirname(place), `.${basename(place)}.${randomBytes(6).toString('hex')}.part`)
    : file;
  try {
    // What others may not read they may not read meanwhile either.
    const mode = found === undefined ? undefined : found.mode & PERMISSIONS;
    // Opened before the pieces are read: a pipeline that fails at once would not wait for a stream that is still opening,
    // and the file would be created after it was removed.
    const handle = await open(written, isPlain ? 'wx' : 'w', mode);
    try {
      const out = handle.createWriteStream({ autoClose: false });
      const source = Readable.from(pieces, { objectMode: false });
      await (gzip ? pipeline(source, createGzip(), out, { signal }) : pipeline(source, out, { signal }));
      if (!isPlain) return;
      if (mode !== undefined) await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(written, place);
  } catch (error) {
    if (isPlain) await rm(written, { force: true });
    throw isOfFiles(error) ? unwritable(file, error) : error;
  }
}

/** In a pipe byte by byte; on a terminal there is nothing to obey in it. */
async function printAll(pieces: AsyncIterable<string | Uint8Array>): Promise<void> {
  if (!process.stdout.isTTY) {
    for await (const piece of pieces) await print(piece);
    return;
  }
  const decoder = new TextDecoder();
  for await (const piece of pieces)
    await printLines(typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true }));
}

/** What went wrong with the file itself has a path, or came of writing; all else comes from the pieces. */
const isOfFiles = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && !('cause' in error);
