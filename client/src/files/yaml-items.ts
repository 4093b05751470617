import { exactJson, isLosslessNumber } from '../api/exact-json';
import { decodeUtf8, fileError } from './file-access';
import { splitLines } from './split-lines';
import { readDocument } from './yaml-document';
import type { YamlVersion } from './yaml-scalars';

/**
 * Reads the resources of a YAML file and returns each as a line of JSON. A document contains a resource or a list of them.
 * Numbers keep every digit. Memory holds one document at a time.
 * @param version the version of documents without a directive; by default, values have to mean the same in both
 * @throws CliError for invalid YAML, with the position
 */
export async function* readYamlItems(
  bytes: AsyncIterable<Uint8Array>,
  file: string,
  version: YamlVersion | undefined,
): AsyncGenerator<string[]> {
  const yaml = await import('yaml');
  for await (const { text, line } of splitDocuments(bytes, file)) {
    const items = documentItems(readDocument(yaml, { text, file, line, version }), file, line);
    // One by one, because aliases can make the lines much longer than the document.
    for (const item of items) yield [exactJson.stringify(item)];
  }
}

/** Parses a text that is one YAML document. @param version as of `readYamlItems` @throws CliError */
export async function parseYaml(
  text: string,
  file: string,
  version: YamlVersion | undefined,
): Promise<unknown> {
  return readDocument(await import('yaml'), { text, file, line: 1, version });
}

/** The text of each document with its directives, and the number of its first line. */
async function* splitDocuments(
  bytes: AsyncIterable<Uint8Array>,
  file: string,
): AsyncGenerator<{ text: string; line: number }> {
  let lines: string[] = [];
  let firstLine = 1;
  let lineNumber = 0;
  const hasContent = (): boolean => lines.some((line) => !/^(?:%|\s*(?:#|$))/.test(line));
  for await (const some of splitLines(bytes))
    for (const one of some) {
      const text = decodeUtf8(one, file, { line: ++lineNumber, column: 1 });
      const line = lineNumber === 1 ? text.replace(/^\uFEFF/, '') : text;
      // Such lines always end a document, even within a block. After `...`, directives may follow.
      const isStart = /^---(?:\s|$)/.test(line);
      const isEnd = /^\.\.\.(?:\s|$)/.test(line);
      if ((isStart || isEnd) && hasContent()) {
        yield { text: lines.join('') + (isEnd ? line : ''), line: firstLine };
        lines = [];
        firstLine = lineNumber;
      }
      // An empty line in place of the end keeps the numbers of lines.
      lines.push(isEnd ? '\n' : line);
    }
  yield { text: lines.join(''), line: firstLine };
}

function documentItems(value: unknown, file: string, line: number): unknown[] {
  if (value === null || value === undefined) return [];
  const items: unknown[] = Array.isArray(value) ? value : [value];
  items.forEach((item, at) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item) || isLosslessNumber(item))
      throw fileError(file, { line, column: 1 }, `item ${String(at + 1)} of this document is not a mapping.`);
  });
  return items;
}
