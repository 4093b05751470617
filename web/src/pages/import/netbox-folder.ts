import { parse } from 'yaml';
import {
  convertSavedNetBox,
  type ConvertedFolder,
} from '../../../../client/src/commands/import/netbox/saved-netbox';
import { parseJson } from '../../api/exact-json';
import { deviceKinds } from '@muster/api-types';
import { readFile } from '../../api/request';
import { isObject } from '../../components/is-object';
import { NDJSON } from '../../components/import-write';
import type { Folder } from './folder';
import { wholeText, type ImportBody } from './import-file';

/** A folder of `muster export-netbox`, converted to an import. */
export interface NetBoxImport {
  readonly body: ImportBody;
  /** What is imported, what is skipped, and why. */
  readonly summary: readonly string[];
}

/**
 * Converts a folder of `muster export-netbox`, as `muster import --from netbox --files` does.
 * @param mapping a mapping file; undefined for the defaults
 * @throws Error if the folder is incomplete, or the mapping is wrong; ApiError, NetworkError
 */
export async function convertNetBox(
  { name, files }: Folder,
  mapping: File | undefined,
): Promise<NetBoxImport> {
  const converted = await convertSavedNetBox({
    folder: name,
    files: new Map([...files].map(([path, file]) => [path, () => wholeText(file)])),
    mapping: { file: mapping?.name ?? 'mapping', text: mapping ? await wholeText(mapping) : '' },
    parseYaml: (text): unknown => parse(text),
    existing: exportedLines(),
  });
  return { body: bodyOf(converted), summary: converted.summary };
}

const bodyOf = ({ lines }: ConvertedFolder): ImportBody => ({
  content: new Blob(lines.map(({ text }) => `${text}\n`)),
  contentType: NDJSON,
  lineTitle: (line) => lines[line - 1]?.resource ?? `line ${line}`,
});

/** What the project has: the conversion also removes what an earlier one has set. */
async function* exportedLines(): AsyncGenerator<Readonly<Record<string, unknown>>> {
  const kind = ['label', 'region', 'cell', ...deviceKinds.map((one) => one.kind)];
  const exported = await readFile({ method: 'GET', path: '/v1/export', query: { kind } });
  for await (const line of linesOf(exported)) {
    const resource = parseJson(line);
    if (isObject(resource)) yield resource;
  }
}

/** The lines of a text, of which only a part is in memory. */
async function* linesOf(text: Blob): AsyncGenerator<string> {
  const reader = text.stream().pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
