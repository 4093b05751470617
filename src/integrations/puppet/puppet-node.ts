import { isObject } from '../../core/context/variable-keys';
import { InventoryError } from '../../core/errors';
import { documentOf, membersOf } from '../../core/json/json-text';

/** The keys of the variables that are not passed as parameters. */
interface PuppetVariableKeys {
  readonly classes: string;
  readonly environment: string;
}

/** Reserved top-scope names. Puppet fails to compile a catalog with such a parameter. */
const RESERVED_PARAMETERS = ['trusted', 'facts', 'server_facts'];

const NO_CLASSES = '{}';

/**
 * Renders the response of an external node classifier (ENC), as JSON text. All variables become parameters, except
 * those for the classes and the environment, and reserved names.
 * @param variables resolved, as PostgreSQL prints them
 * @throws InventoryError 405 if the classes or the environment are invalid for Puppet. A failed run is safer than a
 *   node that is configured without its classes.
 */
export function renderPuppetNode(variables: string, keys: PuppetVariableKeys): string {
  const parameters = new Map(membersOf(variables));
  const takeValue = (key: string): string | undefined => {
    const text = parameters.get(JSON.stringify(key));
    parameters.delete(JSON.stringify(key));
    return text === 'null' ? undefined : text;
  };
  const classes = takeValue(keys.classes);
  const environment = takeValue(keys.environment);
  for (const key of RESERVED_PARAMETERS) parameters.delete(JSON.stringify(key));
  if (classes !== undefined) assertClasses(keys.classes, JSON.parse(classes));
  if (environment !== undefined) assertEnvironment(keys.environment, JSON.parse(environment));
  const members = [
    ['"classes"', classes ?? NO_CLASSES],
    ['"parameters"', documentOf(parameters)],
    ...(environment === undefined ? [] : [['"environment"', environment]]),
  ] as [string, string][];
  return documentOf(members);
}

function assertClasses(key: string, value: unknown): void {
  const isValid = Array.isArray(value)
    ? value.every((name) => typeof name === 'string' && name !== '')
    : isObject(value) &&
      Object.values(value).every((parameters) => parameters === null || isObject(parameters));
  if (!isValid)
    throw InventoryError.validationException(
      key,
      'invalid_type',
      'must be an array of class names, or an object that maps class names to parameters or null',
    );
}

function assertEnvironment(key: string, value: unknown): void {
  if (typeof value !== 'string' || value === '')
    throw InventoryError.validationException(key, 'invalid_format', 'must be the name of an environment');
}
