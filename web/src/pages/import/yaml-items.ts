import { isAlias, isPair, isScalar, LineCounter, parseAllDocuments, type Scalar, visit } from 'yaml';
import {
  ambiguityText,
  isSameReading,
  readScalarAs,
  SCALAR_TAG_RESOLVERS,
  SCALAR_TAGS,
  type ScalarReading,
} from '../../../../client/src/files/yaml-scalars';
import { parseJson } from '../../api/exact-json';
import { isObject } from '../../components/is-object';
import { FileError } from './import-file';

/** The most aliases of a document that are resolved: they can stand for much more text than they have. */
const MAX_ALIASES = 100;

/** How many values are named that the versions of YAML read differently. */
const MAX_AMBIGUOUS = 10;

/**
 * The resources of a YAML file: each document has one, or a list of them. Numbers keep every digit.
 * @throws FileError for invalid YAML, with the position; and for values that the versions of YAML read differently, as `muster import`
 */
export function yamlItems(text: string): readonly unknown[] {
  const lines = new LineCounter();
  // Scalars stay texts, which are read here.
  const documents = parseAllDocuments(text, {
    ...{ schema: 'failsafe', merge: true, lineCounter: lines },
    customTags: SCALAR_TAG_RESOLVERS,
  });
  const ambiguous: string[] = [];
  const items = [...documents].flatMap((document): unknown[] => {
    const [error] = [...document.errors, ...document.warnings];
    if (error) throw new FileError(`The file is not valid YAML: ${error.message}`);
    const { explicit, version } = document.directives.yaml;
    let aliases = 0;
    visit(document, (key, node) => {
      if (isAlias(node)) aliases++;
      if (!isScalar(node) || isPair(node)) return;
      const { tag } = node;
      if (tag === undefined ? node.type !== 'PLAIN' : !SCALAR_TAGS.has(tag)) return;
      const { source = '' } = node;
      // A merge key.
      if (key === 'key' && source === '<<') return;
      const position = `line ${lines.linePos(node.range?.[0] ?? 0).line}`;
      const reading = readScalarAs(source, explicit === true && version === '1.1' ? '1.1' : '1.2', tag);
      const in11 = readScalarAs(source, '1.1', tag);
      if (explicit !== true && !isSameReading(reading, in11))
        ambiguous.push(`${position}: ${ambiguityText(source, in11, reading)}`);
      else setValue(node, reading, key === 'key', position);
    });
    if (aliases > MAX_ALIASES)
      throw new FileError(`The file has more than ${MAX_ALIASES} aliases. Use “muster import”.`);
    if (ambiguous.length > 0) return [];
    const value: unknown = document.toJS();
    return value === null || value === undefined ? [] : Array.isArray(value) ? value : [value];
  });
  if (ambiguous.length > 0) throw new FileError(ambiguousText(ambiguous));
  const wrong = items.findIndex((item) => !isObject(item));
  if (wrong >= 0) throw new FileError(`Item ${wrong + 1} of the file is not a mapping.`);
  return items;
}

/** Sets the value of a scalar without quotes. Keys keep their texts. */
function setValue(node: Scalar, { type, json }: ScalarReading, isKey: boolean, position: string): void {
  if (type === 'text' || (isKey && json === '')) return;
  if (json === '')
    throw new FileError(
      `${position}: ${node.source ?? ''} is ${type === 'invalid' ? 'invalid' : `a ${type}`}, which JSON does not have. Put quotes around a text.`,
    );
  node.value = isKey ? json : parseJson(json);
}

function ambiguousText(ambiguous: readonly string[]): string {
  const more = ambiguous.length > MAX_AMBIGUOUS ? `; and ${ambiguous.length - MAX_AMBIGUOUS} more` : '';
  return `YAML 1.1 (Ansible, Salt, PyYAML) and YAML 1.2 read these values differently: ${ambiguous.slice(0, MAX_AMBIGUOUS).join('; ')}${more}. Put quotes around a text, or begin the document with %YAML 1.1 or %YAML 1.2, and --- in the next line.`;
}
