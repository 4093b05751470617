import { Command } from 'commander';
import { calledName } from '../../lookup/resource-finder';
import { usage } from '../../cli-error';
import { openSession } from '../session';
import { parseAssignments, parseKey } from './assignments';
import { writeCarefully, type VariablesWrite, type WriteOptions } from '../confirmed-write';
import { findTarget, withTarget, type TargetOptions } from './target';
import { BEGINNING, readText, titleOf } from '../../files/file-access';
import { brokenJson } from '../../files/json-items';
import { readYaml } from '../../files/yaml-items';
import { exactJson, isLosslessNumber } from '../../api/exact-json';

interface SetOptions extends TargetOptions, WriteOptions {
  readonly fromFile?: string;
  readonly onlyIfNew?: true;
}

const EXAMPLES = `
Examples:
  muster vars set host web-1 kernel:=6.12 http_port=8443 'ntp_servers=["10.1.0.1"]'
  muster vars set cell north/rack-a power_feed:=B --dry-run
  muster vars set region north --from-file north.yaml --reason "CHG-1042: a second site"`;

type Variables = Readonly<Record<string, unknown>>;

/** `muster vars set` */
export function setCommand(): Command {
  return withWriteOptions(withTarget(new Command('set')))
    .description('Sets variables: key=value, whose value is JSON, or key:=text for a text as it is.')
    .argument('[assignments...]', 'key=value or key:=text')
    .option('--from-file <file>', 'set what this JSON or YAML file holds, too; - is standard input')
    .option('--only-if-new', 'only if the variable is not set there yet; for a single one')
    .addHelpText('after', EXAMPLES)
    .action(async (kind: string, name: string, given: string[], options: SetOptions, command: Command) => {
      const assigned = parseAssignments(given);
      const session = openSession(command);
      const read = options.fromFile === undefined ? {} : await readVariables(options.fromFile);
      const variables = laidOver(read, assigned);
      if (Object.keys(variables).length === 0)
        throw usage('There is nothing to set: say key=value, key:=text, or --from-file.');
      const target = await findTarget(session, kind, name, options);
      const write = options.onlyIfNew ? settingNew(variables) : setting(variables);
      const keys = Object.keys(variables);
      const on = `on ${calledName(target)}`;
      const told = {
        keys,
        did: (set: string) => `Set ${set} ${on}`,
        would: (set: string) => `set ${set} ${on}`,
        already: `${keys.join(', ')} ${keys.length === 1 ? 'is' : 'are'} set so ${on} already`,
      };
      await writeCarefully(session, target, { ...write, ...told }, options);
    });
}

/** Options of what writes variables. */
export const withWriteOptions = (command: Command): Command =>
  command
    .option('--dry-run', 'show which devices would resolve other values, and change nothing')
    .option('-y, --yes', 'do not ask, however many devices it is about');

type Request = Pick<VariablesWrite, 'method' | 'below' | 'body' | 'condition'>;

function setting(variables: Variables): Request {
  const isPair =
    Object.keys(variables).length === 2 && 'value' in variables && typeof variables['key'] === 'string';
  // Variables called `key` and `value` would be taken for a pair; as a member of the resource they are not.
  return isPair
    ? { method: 'put', below: '', body: { variables } }
    : { method: 'put', below: '/variables', body: variables };
}

function settingNew(variables: Variables): Request {
  const [[key, value] = ['', undefined], another] = Object.entries(variables);
  if (another) throw usage('--only-if-new goes with a single variable.');
  const below = `/variables/${encodeURIComponent(key)}`;
  return { method: 'put', below, body: { value }, condition: { 'if-none-match': '*' } };
}

/** One object over another, whose keys are its own whatever they are called. */
const laidOver = (below: Variables, above: Variables): Variables =>
  Object.fromEntries([...Object.entries(below), ...Object.entries(above)]);

/**
 * Reads variables from a file: an object of keys and values, as JSON or YAML.
 * @param file `-` for standard input
 * @throws Failure where it cannot be read, or holds something else
 */
async function readVariables(file: string): Promise<Readonly<Record<string, unknown>>> {
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
