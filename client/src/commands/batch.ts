import { Command, Option } from 'commander';
import { usageError } from '../cli-error';
import { asObject, exactJson, toMembers } from '../api/exact-json';
import type { RequestOptions } from '../api/muster';
import { displayFileName, FILE_FORMATS, type FileFormat } from '../files/file-access';
import { pluralize } from '../text';
import { printList, printOne, type OutputFormat } from '../output/formats';
import type { Row } from '../output/rows';
import { deletionsOf, parseChangeRecord, summarizeChange } from './change';
import { addConfirmationOptions, confirmImpact, type ConfirmationOptions } from './confirmed-write';
import { reportChange } from './report-write';
import { assertAllowed, MAX_SHOWN_DEVICES, readImpact } from './impact-preview';
import { FileSource } from '../files/file-source';
import type { YamlVersion } from '../files/yaml-scalars';
import { proposeInstead } from './propose';
import { printPreviews } from './resources/print-previews';
import { openSession } from './session';
import { yamlOption } from './shared-options';

/** How a file with operations is read. */
interface FileOptions {
  readonly format?: FileFormat;
  readonly yaml?: YamlVersion;
}

interface BatchOptions extends ConfirmationOptions, FileOptions {}

/** The formats of files with operations. */
export const BATCH_FORMATS = FILE_FORMATS.filter((format) => format !== 'csv');

const BATCH_HELP = `
Each operation has a method, a path and a body, as in the API, and optionally if_match, if_none_match and an id, by which
later operations refer to what it creates:

  - {id: rack, method: POST, path: /v1/cells, body: {name: rack-9, region_id: 1}}
  - {method: PUT, path: "/v1/cells/{rack.id}/variables", body: {power_feed: B}}

The file can also be the body of the request, {note: ..., operations: [...]}: without --reason, its note is the reason.

All operations are done, or none. Without --yes, a dry run comes first, and the command asks for confirmation if more than one
device would resolve other values, or more than one resource would be deleted.`;

/** `muster batch` */
export const batchCommand = (): Command =>
  addConfirmationOptions(new Command('batch'))
    .argument('<file>', 'the operations, in order: a YAML, NDJSON or JSON file, or - for standard input')
    .addOption(
      new Option('--format <format>', 'the format of the file, if its name does not say it').choices(
        BATCH_FORMATS,
      ),
    )
    .addOption(yamlOption())
    .addHelpText('after', BATCH_HELP)
    .action(async (file: string, options: BatchOptions, command: Command) => {
      const { dryRun, yes } = options;
      const body = await readBatch(file, options);
      const session = openSession(command, { isNoteReason: true });
      const { muster, format } = session;
      const send = (query: RequestOptions['query']) => muster.request('post', '/v1/batch', { query, body });
      if (await proposeInstead(session, [{ method: 'post', path: '/v1/batch', options: { body } }])) return;
      const title = pluralize(body.operations.length, 'operation');
      if (dryRun || !yes) {
        const preview = asObject((await send({ dry_run: true, limit: MAX_SHOWN_DEVICES })).body);
        if (dryRun) return printPreviews(session, [preview]);
        await confirm(preview, title);
      }
      const response = await send({});
      const result = asObject(response.body);
      if (format !== 'table') await printBatchResults(format, result);
      await reportChange(session, `Did ${title}`, response);
    });

/** Prints the whole response; as CSV, a row for each operation or for each resource in its result; the names of these. */
export async function printBatchResults(format: OutputFormat, result: Row): Promise<void> {
  if (format !== 'csv' && format !== 'name') return printOne(format, result, 'change_id');
  const rows = (result['results'] as unknown[]).map(asObject).flatMap(resultRows);
  await printList(
    format,
    format === 'csv' ? rows : rows.filter(({ resource_name: name }) => name !== undefined),
    { names: ['id', 'status', 'resource_id', 'resource_name'], name: 'resource_name' },
  );
}

/** The rows of one result. Results of deletions, and of writes to variables, have no resource. */
function resultRows({ id, status, body }: Row): Row[] {
  const resources = (Array.isArray(body) ? body : [body]).map((one) => toMembers(one));
  return resources.map((resource) => ({
    id,
    status,
    resource_id: resource?.get('id'),
    // The name of a label is its member `label`.
    resource_name: resource?.get('name') ?? resource?.get('label'),
  }));
}

/** @throws CliError if the user declines, or there is no terminal to ask at */
async function confirm(preview: Row, title: string): Promise<void> {
  assertAllowed(preview);
  const change = parseChangeRecord(preview['change']);
  await confirmImpact(
    readImpact(preview['impact']),
    `do ${title} (${summarizeChange(change)})`,
    deletionsOf(change),
  );
}

/** The body of the request: with the operations of a file, or the only document of the file, which has `operations`. */
interface Batch {
  readonly operations: readonly unknown[];
}

/** @throws CliError for a file that cannot be read, is not of its format, or has no operations */
export async function readBatch(file: string, options: FileOptions): Promise<Batch> {
  const items = await readItems(file, options);
  const document = items.length === 1 ? toMembers(items[0]) : undefined;
  const operations = document?.has('operations') ? document.get('operations') : items;
  const title = displayFileName(file);
  if (!Array.isArray(operations)) throw usageError(`${title}: "operations" is not a list.`);
  if (operations.length === 0) throw usageError(`${title} has no operations.`);
  return operations === items ? { operations } : { ...asObject(items[0]), operations };
}

/** @throws CliError for a file that cannot be read, or is not of its format */
async function readItems(file: string, { format, yaml }: FileOptions): Promise<unknown[]> {
  const source = new FileSource([file], {
    format,
    formats: BATCH_FORMATS,
    yaml,
    inParts: true,
    isOneDocument: true,
    isReadTwice: false,
  });
  const title = displayFileName(file);
  if (source.isCsv) throw usageError(`${title} is a table: operations are YAML, NDJSON or JSON.`);
  const items: unknown[] = [];
  try {
    for await (const pieces of source.pieces())
      for (const { bytes } of pieces) {
        const line = bytes.toString('utf8').trim();
        if (line !== '') items.push(parseLine(line, title, items.length + 1));
      }
  } finally {
    source.close();
  }
  return items;
}

function parseLine(line: string, title: string, nth: number): unknown {
  try {
    return exactJson.parse(line);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw usageError(`${title}, operation ${String(nth)}: ${error.message}`);
  }
}
