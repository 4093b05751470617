import { Command, Option } from 'commander';
import { randomBytes } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { NetworkError } from '@muster/api-types';
import { exactJson } from '../api/exact-json';
import { CliError, EXIT, usageError } from '../cli-error';
import { allowLongRequests, InterruptHandler, readBytes } from './long-requests';
import { allDevices } from './resources/all-devices';
import { addFilters, filterOptions, filterQuery, type FilterOption } from './resources/filter-flags';
import type { OptionValues } from './resources/member-flags';
import { openSession } from './session';
import { collectList } from './shared-options';
import { detectFileKind, FILE_FORMATS, fileWriteError, STDIO, type FileFormat } from '../files/file-access';
import { countLines, splitLines } from '../files/split-lines';
import { describeKinds } from '../lookup/resource-finder';
import { print, printLines } from '../output/console';
import { startProgress, type Progress } from '../output/progress';
import { describeInvalidChoice } from '../text';

/** The options of an export. Filters have options of their own. */
interface ExportOptions extends OptionValues {
  readonly format?: FileFormat;
  readonly kind?: readonly string[];
  readonly resolved?: true;
  readonly quiet?: true;
}

const EXPORT_HELP = `
An export is a consistent snapshot of the inventory. A file is created when it is complete. Do not import an export with
--resolved: it would set inherited values on each device.`;

/** The kinds that exports contain. */
const kinds = (): string[] => [
  'cloud',
  'label',
  'region',
  'cell',
  ...describeKinds('device').map(({ kind }) => kind),
];

/** `muster export` */
export function exportCommand(): Command {
  const filters = filterOptions(allDevices);
  const command = new Command('export')
    .argument('[file]', 'the file to write; - for standard output', '-')
    .addOption(
      new Option(
        '--format <format>',
        'the format; by default from the extension of the file, else NDJSON',
      ).choices(FILE_FORMATS),
    )
    .addOption(
      new Option(
        '--kind <kind>',
        'only resources of this kind; may be repeated, or a comma-separated list',
      ).argParser(collectList),
    )
    .option('--resolved', 'export the resolved variables of devices and cells instead of their own')
    .option('-q, --quiet', 'do not show the progress');
  return addFilters(command, filters)
    .addHelpText('after', EXPORT_HELP)
    .action(async (file: string, options: ExportOptions, command: Command) => {
      await runExport(file, { ...options, ...requestedFormat(options, command) }, filters, kinds(), command);
    });
}

/** The global option `-o` is an alias of `--format`. */
function requestedFormat({ format }: ExportOptions, command: Command): { format?: FileFormat } {
  if (format !== undefined || command.getOptionValueSourceWithGlobals('output') !== 'cli') return {};
  const { output } = command.optsWithGlobals<{ output: string }>();
  const requested = FILE_FORMATS.find((one) => one === output);
  if (requested === undefined)
    throw usageError(`Invalid export format ${output}. The formats are ${FILE_FORMATS.join(', ')}.`);
  return { format: requested };
}

/** Runs an export. @param kinds the kinds that exports contain */
async function runExport(
  file: string,
  options: ExportOptions,
  filters: readonly FilterOption[],
  kinds: readonly string[],
  command: Command,
): Promise<void> {
  const unknown = options.kind?.find((kind) => !kinds.includes(kind));
  if (unknown !== undefined) throw usageError(describeInvalidChoice('kind', unknown, kinds));
  const { format, gzip } = detectFileKind(file, options.format);
  const { muster, finder } = openSession(command);
  const filtered = await filterQuery(filters, options, finder);
  await allowLongRequests();
  const interrupts = new InterruptHandler();
  const progress = await startProgress({
    total: undefined,
    verb: 'exported',
    // The progress would be mixed with the export on the same terminal.
    isQuiet: options.quiet === true || (file === STDIO && process.stdout.isTTY),
  });
  try {
    const response = await muster.open('get', '/v1/export', {
      query: {
        ...filtered,
        format: format === 'csv' ? 'csv' : 'ndjson',
        kind: options.kind,
        ...(options.resolved ? { 'resolved-values': true } : {}),
      },
      signal: interrupts.signal,
    });
    const counted = withProgress(readBytes(response, false, TRUNCATED), progress);
    await writeExport({ file, gzip }, convert(format, counted), interrupts.signal);
  } catch (error) {
    progress.end();
    if (interrupts.isInterrupted)
      throw new CliError(`Interrupted. ${incompleteText(file)}`, EXIT.interrupted);
    if (error instanceof NetworkError && error.message === TRUNCATED)
      throw new CliError(`${TRUNCATED} ${incompleteText(file)}`, EXIT.unavailable);
    throw error;
  } finally {
    progress.end();
    interrupts.dispose();
  }
}

const TRUNCATED = 'The export was truncated.';

const incompleteText = (file: string): string =>
  file === STDIO ? 'The printed output is incomplete.' : `${file} was not written.`;

async function* withProgress(
  bytes: AsyncIterable<Uint8Array>,
  progress: Progress,
): AsyncGenerator<Uint8Array> {
  let [size, lines] = [0, 0];
  for await (const chunk of bytes) {
    size += chunk.length;
    lines += countLines(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    progress.update(size, lines);
    yield chunk;
  }
}

/** Converts the lines of an export to the requested format. */
function convert(format: FileFormat, bytes: AsyncIterable<Uint8Array>): AsyncIterable<string | Uint8Array> {
  switch (format) {
    case 'ndjson':
    case 'csv':
      return bytes;
    case 'json':
      return toJsonArray(bytes);
    case 'yaml':
      return toYamlDocuments(bytes);
  }
}

async function* toJsonArray(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const lines of splitLines(bytes)) {
    const texts = lines.map((line) => line.toString('utf8').trimEnd());
    if (texts.length === 0) continue;
    yield `${isFirst ? '[\n' : ',\n'}${texts.join(',\n')}`;
    isFirst = false;
  }
  yield isFirst ? '[]\n' : '\n]\n';
}

/** Writes a document for each resource, so that readers need not hold all of them in memory. */
async function* toYamlDocuments(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const { toYaml } = await import('../output/yaml.js');
  for await (const lines of splitLines(bytes))
    if (lines.length > 0)
      yield lines.map((line) => `---\n${toYaml(exactJson.parse(line.toString('utf8')))}`).join('');
}

/** The permission bits of a file mode. */
const PERMISSION_BITS = 0o777;

interface ExportTarget {
  readonly file: string;
  readonly gzip: boolean;
}

/**
 * Writes an export. A file is replaced atomically: it is written under a temporary name, and renamed when it is complete.
 * @throws CliError if the file cannot be written; errors of the pieces
 */
async function writeExport(
  { file, gzip }: ExportTarget,
  pieces: AsyncIterable<string | Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  if (file === STDIO) {
    await printPieces(pieces);
    return;
  }
  const existing = statSync(file, { throwIfNoEntry: false });
  // Pipes and devices are written directly.
  const isPlain = existing === undefined || existing.isFile() || existing.isDirectory();
  // A symbolic link stays; the file that it refers to is replaced.
  const target = existing === undefined ? file : realpathSync(file);
  const temporary = isPlain
    ? join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}.part`)
    : file;
  try {
    // The temporary file has the permissions of the existing one.
    const mode = existing === undefined ? undefined : existing.mode & PERMISSION_BITS;
    // Opened before the pieces are read, and written through this handle only: a write stream may still be opening when
    // the pipeline fails, and then creates the file after its removal.
    const handle = await open(temporary, isPlain ? 'wx' : 'w', mode);
    try {
      const source = Readable.from(pieces, { objectMode: false });
      const write = (chunks: AsyncIterable<Uint8Array>) => writeFile(handle, chunks);
      await (gzip ? pipeline(source, createGzip(), write, { signal }) : pipeline(source, write, { signal }));
      if (!isPlain) return;
      if (mode !== undefined) await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (error) {
    if (isPlain) await rm(temporary, { force: true });
    throw isFileSystemError(error) ? fileWriteError(file, error) : error;
  }
}

/** Prints the export. Control characters are escaped on a terminal only. */
async function printPieces(pieces: AsyncIterable<string | Uint8Array>): Promise<void> {
  if (!process.stdout.isTTY) {
    for await (const piece of pieces) await print(piece);
    return;
  }
  const decoder = new TextDecoder();
  for await (const piece of pieces)
    await printLines(typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true }));
}

/** Whether an error is about the file. Network errors of the pieces have a cause. */
const isFileSystemError = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && !('cause' in error);
