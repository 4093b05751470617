import { InventoryError } from '../../core/errors/inventory-error';
import { documentOf, membersOf } from '../../core/json/json-document';
import { isObject } from '../../core/context/variable-key';

/** The keys of the variables that are no parameters. */
export interface ClassifyingKeys {
  readonly classes: string;
  readonly environment: string;
}

/** What Puppet has for itself in its top scope: with a parameter of such a name it compiles no catalog. */
const RESERVED = ['trusted', 'facts', 'server_facts'];

/** What Puppet is told of classes where no variable tells of any. */
const NO_CLASSES = '{}';

/**
 * What Puppet reads of a node from its classifier, as JSON text: all its variables are parameters, but for the two that
 * name its classes and its environment, and those that Puppet does not take.
 * @param variables resolved, as PostgreSQL prints them
 * @throws InventoryError 405 where one of the two is not what Puppet can read: a node is rather not configured at all than
 *   without its classes
 */
export function classifiedNode(variables: string, keys: ClassifyingKeys): string {
  const parameters = new Map(membersOf(variables));
  const take = (key: string): string | undefined => {
    const text = parameters.get(JSON.stringify(key));
    parameters.delete(JSON.stringify(key));
    return text === 'null' ? undefined : text;
  };
  const classes = take(keys.classes);
  const environment = take(keys.environment);
  for (const key of RESERVED) parameters.delete(JSON.stringify(key));
  if (classes !== undefined) requireClasses(keys.classes, JSON.parse(classes));
  if (environment !== undefined) requireEnvironment(keys.environment, JSON.parse(environment));
  const members = [
    ['"classes"', classes ?? NO_CLASSES],
    ['"parameters"', documentOf(parameters)],
    ...(environment === undefined ? [] : [['"environment"', environment]]),
  ] as [string, string][];
  return documentOf(members);
}

function requireClasses(key: string, value: unknown): void {
  const isReadable = Array.isArray(value)
    ? value.every((name) => typeof name === 'string' && name !== '')
    : isObject(value) && Object.values(value).every((given) => given === null || isObject(given));
  if (!isReadable)
    throw InventoryError.forbiddenByInventory(
      key,
      'must be an array of the names of classes, or an object of names with parameters or null',
    );
}

function requireEnvironment(key: string, value: unknown): void {
  if (typeof value !== 'string' || value === '')
    throw InventoryError.forbiddenByInventory(key, 'must be the name of an environment');
}
