import type { Command } from 'commander';
import { Finder } from '../../addressing/finder';
import { Unreachable } from '../../api/errors';
import { EXIT, Failure, usage } from '../../failures';
import { kindOfFile, STANDARD, type FileFormat } from '../../files/file-format';
import { lineEnds, physicalLines } from '../../files/lines';
import { exactJson } from '../../api/exact-json';
import { startProgress, type Progress } from '../../output/progress';
import { bytesOf } from '../answer-bytes';
import { Interruption } from '../interruption';
import { allowLongRequests } from '../long-requests';
import { filterQuery, type FilterOption } from '../resources/filter-options';
import { openSession } from '../session';
import type { ExportOptions } from './export.command';
import { writeAll } from './written-file';

/** What `muster export` does. @param kinds those that there are */
export async function runExport(
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
  const { yamlOf } = await import('../../output/yaml.js');

  for await (const lines of physicalLines(bytes))
    if (lines.length > 0)
      yield lines.map((line) => `---\n${yamlOf(exactJson.parse(line.toString('utf8')))}`).join('');
}
