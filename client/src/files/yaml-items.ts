import type { Document, Scalar } from 'yaml';
import { exactJson, isLosslessNumber, LosslessNumber } from '../api/exact-json';
import { fileFault, positionIn, utf8Text } from './file-access';
import { physicalLines } from './lines';

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A number with a point or an exponent, in parts that make one of JSON: `+.5`, `5.`, `007.5`. */
const YAML_NUMBER = /^(?:\+|(-))?0*(\d*)\.?(\d*)([eE][+-]?\d+)?$/;

/** The yaml package, once it is needed. */
type Yaml = typeof import('yaml');

/**
 * The resources of a YAML file as lines of JSON: a document is one of them, or a list of them. One document is held in
 * memory at a time. Numbers keep every digit.
 * @throws Failure for what is no YAML, with the place
 */
export async function* yamlItems(bytes: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<string[]> {
  const yaml = await import('yaml');
  for await (const { text, line } of documents(bytes, file)) {
    const items = itemsOf(read(yaml, text, file, line), file, line);
    yield items.map((item) => exactJson.stringify(item));
  }
}

/** The value of a text that is one document. @throws Failure */
export async function readYaml(text: string, file: string): Promise<unknown> {
  return read(await import('yaml'), text, file, 1);
}

/** The text of each document, and the line that it begins in. */
async function* documents(
  bytes: AsyncIterable<Uint8Array>,
  file: string,
): AsyncGenerator<{ text: string; line: number }> {
  let lines: string[] = [];
  let begin = 1;
  let at = 0;
  for await (const some of physicalLines(bytes))
    for (const one of some) {
      const line = utf8Text(one, file, { line: ++at, column: 1 });
      // Wherever it stands, a line like this ends a document: no text and no block goes on behind it.
      if (/^---(?:\s|$)/.test(line) && lines.some((earlier) => !/^(?:%|\s*$)/.test(earlier))) {
        yield { text: lines.join(''), line: begin };
        lines = [];
        begin = at;
      }
      lines.push(line);
    }
  yield { text: lines.join(''), line: begin };
}

/** @param line in which the text begins */
function read(yaml: Yaml, text: string, file: string, line: number): unknown {
  const document = yaml.parseDocument(text, { merge: true, intAsBigInt: true, prettyErrors: false });
  const faultAt = (offset: number, message: string) =>
    fileFault(file, positionIn(text, offset, { line, column: 1 }), message);
  // A warning is of a tag that nobody here knows: what it stands before means something else than it says.
  const [fault] = [...document.errors, ...document.warnings];
  if (fault) throw faultAt(fault.pos[0], `this is not valid YAML: ${fault.message}`);
  yaml.visit(document, {
    Scalar(role, node) {
      const { value, source } = node;
      if (role === 'key') asMember(node);
      else if (typeof value === 'number' || typeof value === 'bigint') {
        const number = exactNumber(value, source);
        if (!number) throw faultAt(node.range?.[0] ?? 0, 'JSON has no such number.');
        node.value = number;
      }
    },
  });
  const value = plainValue(document, file, line);
  if (!isJson(value))
    throw fileFault(
      file,
      { line, column: 1 },
      'this holds something that JSON has no word for: a set, binary data, itself.',
    );
  return value;
}

/** In JSON all names of members are texts: they are called as they are written. */
function asMember(node: Scalar): void {
  if (['number', 'bigint', 'boolean'].includes(typeof node.value) || node.value === null)
    node.value = node.source ?? String(node.value);
}

/** A number stays as it is written, where JSON would write it so; undefined where JSON cannot. */
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

/** @throws Failure for aliases of what is not there, and for those that stand for too much */
function plainValue(document: Document, file: string, line: number): unknown {
  try {
    return document.toJS({ maxAliasCount: 10_000 });
  } catch (error) {
    if (error instanceof ReferenceError)
      throw fileFault(file, { line, column: 1 }, `this is not valid YAML: ${error.message}`);
    throw error;
  }
}

/** Deeper than the service takes values: what contains itself has no end. */
const DEEPEST = 100;

function isJson(value: unknown, depth = 0): boolean {
  if (depth > DEEPEST) return false;
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth + 1));
  if (typeof value !== 'object' || value === null || isLosslessNumber(value)) return true;
  const isPlain = Object.getPrototypeOf(value) === Object.prototype;
  return isPlain && Object.values(value).every((item) => isJson(item, depth + 1));
}

function itemsOf(value: unknown, file: string, line: number): unknown[] {
  if (value === null || value === undefined) return [];
  const items: unknown[] = Array.isArray(value) ? value : [value];
  items.forEach((item, at) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item) || isLosslessNumber(item))
      throw fileFault(file, { line, column: 1 }, `item ${String(at + 1)} of this document is no mapping.`);
  });
  return items;
}
