import type { Document, Scalar } from 'yaml';
import { exactJson, isLosslessNumber, LosslessNumber } from '../api/exact-json';
import { decodeUtf8, fileError, positionAt } from './file-access';
import { splitLines } from './split-lines';

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The parts of a YAML number that JSON writes differently: `+.5`, `5.`, `007.5`. */
const YAML_NUMBER = /^(?:\+|(-))?0*(\d*)\.?(\d*)([eE][+-]?\d+)?$/;

type Yaml = typeof import('yaml');

/**
 * Reads the resources of a YAML file and returns each as a line of JSON. A document contains a resource or a list of them.
 * Numbers keep every digit. Memory holds one document at a time.
 * @throws CliError for invalid YAML, with the position
 */
export async function* readYamlItems(
  bytes: AsyncIterable<Uint8Array>,
  file: string,
): AsyncGenerator<string[]> {
  const yaml = await import('yaml');
  for await (const { text, line } of splitDocuments(bytes, file)) {
    const items = documentItems(parseDocument(yaml, text, file, line), file, line);
    yield items.map((item) => exactJson.stringify(item));
  }
}

/** Parses a text that is one YAML document. @throws CliError */
export async function parseYaml(text: string, file: string): Promise<unknown> {
  return parseDocument(await import('yaml'), text, file, 1);
}

/** The text of each document, and the number of its first line. */
async function* splitDocuments(
  bytes: AsyncIterable<Uint8Array>,
  file: string,
): AsyncGenerator<{ text: string; line: number }> {
  let lines: string[] = [];
  let firstLine = 1;
  let lineNumber = 0;
  for await (const some of splitLines(bytes))
    for (const one of some) {
      const line = decodeUtf8(one, file, { line: ++lineNumber, column: 1 });
      // Such a line always ends a document, even within a block.
      if (/^---(?:\s|$)/.test(line) && lines.some((earlier) => !/^(?:%|\s*$)/.test(earlier))) {
        yield { text: lines.join(''), line: firstLine };
        lines = [];
        firstLine = lineNumber;
      }
      lines.push(line);
    }
  yield { text: lines.join(''), line: firstLine };
}

/** @param line the number of the first line of the text */
function parseDocument(yaml: Yaml, text: string, file: string, line: number): unknown {
  const document = yaml.parseDocument(text, { merge: true, intAsBigInt: true, prettyErrors: false });
  const errorAt = (offset: number, message: string) =>
    fileError(file, positionAt(text, offset, { line, column: 1 }), message);
  // Warnings are about unknown tags, which change the meaning of a value.
  const [first] = [...document.errors, ...document.warnings];
  if (first) throw errorAt(first.pos[0], `invalid YAML: ${first.message}`);
  yaml.visit(document, {
    Scalar(role, node) {
      const { value, source } = node;
      if (role === 'key') keepKeyText(node);
      else if (typeof value === 'number' || typeof value === 'bigint') {
        const number = exactNumber(value, source);
        if (!number) throw errorAt(node.range?.[0] ?? 0, 'this number cannot be represented in JSON.');
        node.value = number;
      }
    },
  });
  const value = toPlainValue(document, file, line);
  if (!isJson(value))
    throw fileError(
      file,
      { line, column: 1 },
      'this document contains a value that JSON cannot represent: a set, binary data, or a reference to itself.',
    );
  return value;
}

/** Member names in JSON are strings: keeps the text of keys such as `1`, `true` and `null`. */
function keepKeyText(node: Scalar): void {
  if (['number', 'bigint', 'boolean'].includes(typeof node.value) || node.value === null)
    node.value = node.source ?? String(node.value);
}

/** A number with every digit, in the notation of JSON; undefined if JSON cannot represent it. */
function exactNumber(value: number | bigint, source = ''): LosslessNumber | undefined {
  if (JSON_NUMBER.test(source)) return new LosslessNumber(source);
  if (typeof value === 'bigint') return new LosslessNumber(String(value));
  const [, sign = '', whole = '', fraction = '', exponent = ''] = YAML_NUMBER.exec(source) ?? [];
  if (whole + fraction !== '')
    return new LosslessNumber(
      `${sign}${whole === '' ? '0' : whole}${fraction === '' ? '' : `.${fraction}`}${exponent}`,
    );
  return Number.isFinite(value) ? new LosslessNumber(JSON.stringify(value)) : undefined;
}

/** @throws CliError for undefined aliases, and for aliases that expand to too much */
function toPlainValue(document: Document, file: string, line: number): unknown {
  try {
    return document.toJS({ maxAliasCount: 10_000 });
  } catch (error) {
    if (error instanceof ReferenceError)
      throw fileError(file, { line, column: 1 }, `invalid YAML: ${error.message}`);
    throw error;
  }
}

/** More than the service accepts. A value that contains itself is infinitely deep. */
const MAX_DEPTH = 100;

function isJson(value: unknown, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth + 1));
  if (typeof value !== 'object' || value === null || isLosslessNumber(value)) return true;
  const isPlain = Object.getPrototypeOf(value) === Object.prototype;
  return isPlain && Object.values(value).every((item) => isJson(item, depth + 1));
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
