import { isAlias, isScalar, parseAllDocuments, visit } from 'yaml';
import { isObject } from '../../components/is-object';
import { FileError } from './import-file';

/** The most aliases of a document that are resolved: they can stand for much more text than they have. */
const MAX_ALIASES = 100;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * The resources of a YAML file: each document has one, or a list of them. Numbers keep every digit.
 * @throws FileError for invalid YAML, with the position
 */
export function yamlItems(text: string): readonly unknown[] {
  const documents = parseAllDocuments(text, { intAsBigInt: true });
  const items = [...documents].flatMap((document): unknown[] => {
    const [error] = document.errors;
    if (error) throw new FileError(`The file is not valid YAML: ${error.message}`);
    let aliases = 0;
    visit(document, (_key, node) => {
      if (isAlias(node)) aliases++;
      if (isScalar(node)) node.value = exactValue(node.value, node.source);
    });
    if (aliases > MAX_ALIASES)
      throw new FileError(`The file has more than ${MAX_ALIASES} aliases. Use “muster import”.`);
    const value: unknown = document.toJS();
    return value === null || value === undefined ? [] : Array.isArray(value) ? value : [value];
  });
  const wrong = items.findIndex((item) => !isObject(item));
  if (wrong >= 0) throw new FileError(`Item ${wrong + 1} of the file is not a mapping.`);
  return items;
}

/** A number with the digits of the file, unless JavaScript writes it in the same way. */
function exactValue(value: unknown, source: string | undefined): unknown {
  if (typeof value !== 'number' && typeof value !== 'bigint') return value;
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new FileError(`JSON has no value for ${source ?? String(value)}.`);
  const text = source !== undefined && NUMBER.test(source) ? source : String(value);
  return String(Number(text)) === text ? Number(text) : (JSON.rawJSON?.(text) ?? Number(text));
}
