import { usage } from '../../failures';
import { readText } from '../../files/file-access';
import { BEGINNING, titleOf } from '../../files/file-fault';
import { brokenJson } from '../../files/json-check';
import { readYaml } from '../../files/yaml-documents';
import { exactJson, isLosslessNumber } from '../../api/exact-json';
import { parseKey } from './assignments';

/**
 * Reads variables from a file: an object of keys and values, as JSON or YAML.
 * @param file `-` for standard input
 * @throws Failure where it cannot be read, or holds something else
 */
export async function readVariables(file: string): Promise<Readonly<Record<string, unknown>>> {
  const value = await parsed(await readText(file), file);
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isLosslessNumber(value))
    throw usage(`${titleOf(file)} holds no variables: it has to be an object of keys and values.`);
  for (const key of Object.keys(value)) parseKey(key);
  return Object.fromEntries(Object.entries(value));
}

/** JSON is tried first: it is what is told apart from everything else. */
async function parsed(text: string, file: string): Promise<unknown> {
  try {
    return exactJson.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    if (file.endsWith('.json') || /^\s*[{[]/.test(text))
      throw brokenJson(text, error, titleOf(file), BEGINNING);
    return readYaml(text, titleOf(file));
  }
}
