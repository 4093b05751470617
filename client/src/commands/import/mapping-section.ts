import { exactJson, toMembers } from '../../api/exact-json';
import { findClosest } from '../../text';
import { usageError, type CliError } from '../../cli-error';
import { variableKeyError, type KeyMapping } from './variable-keys';

/**
 * The members of a mapping.
 * @param document the parsed file; null for an empty one
 * @param template the parsed template, with every member and its default
 * @param file its name, for messages
 * @throws CliError for an invalid mapping
 */
export function mappingRoot(document: unknown, template: unknown, file: string): MappingSection {
  const defaults = toMembers(template) ?? new Map<string, unknown>();
  const given = document === null ? new Map<string, unknown>() : toMembers(document);
  if (!given)
    throw usageError(`${file} is not a mapping file. Its members are ${[...defaults.keys()].join(', ')}.`);
  return new MappingSection(file, '', given, defaults);
}

/** The members of a mapping file, or of one of its sections. */
export class MappingSection {
  constructor(
    private readonly file: string,
    /** With a point at the end: `regions.`. */
    private readonly path: string,
    private readonly given: ReadonlyMap<string, unknown>,
    private readonly defaults: ReadonlyMap<string, unknown>,
  ) {
    const known = [...defaults.keys()];
    const unknown = [...given.keys()].find((name) => !defaults.has(name));
    if (unknown === undefined) return;
    const closest = findClosest(unknown, known);
    const hint = closest === undefined ? `The members are ${known.join(', ')}.` : `Did you mean ${closest}?`;
    throw usageError(`${file}: unknown member ${path}${unknown}. ${hint}`);
  }

  section(name: string): MappingSection {
    const given = this.given.get(name);
    const members = given === undefined || given === null ? new Map<string, unknown>() : toMembers(given);
    if (!members) throw this.error(name, 'an object');
    return new MappingSection(
      this.file,
      `${this.path}${name}.`,
      members,
      toMembers(this.defaults.get(name)) ?? new Map<string, unknown>(),
    );
  }

  choice<T extends string>(name: string, choices: readonly T[]): T {
    const value = this.value(name);
    const chosen = choices.find((one) => one === value);
    if (chosen === undefined) throw this.error(name, `one of ${choices.join(', ')}`);
    return chosen;
  }

  boolean(name: string): boolean {
    const value = this.value(name);
    if (typeof value !== 'boolean') throw this.error(name, 'true or false');
    return value;
  }

  /** @param empty what null stands for; by default null is an error */
  text(name: string, empty?: string): string {
    const value = this.value(name);
    if (value === null && empty !== undefined) return empty;
    if (typeof value !== 'string' || (value === '' && empty === undefined)) throw this.error(name, 'a text');
    return value;
  }

  optionalText(name: string): string | undefined {
    return this.value(name) === null ? undefined : this.text(name);
  }

  texts(name: string): readonly string[] {
    const value = this.value(name);
    if (!isTexts(value)) throw this.error(name, 'a list of texts');
    return value;
  }

  /** An IP address; undefined for null. */
  optionalAddress(name: string): string | undefined {
    const address = this.optionalText(name);
    if (address !== undefined && !isAddress(address))
      throw usageError(`${this.file}: ${this.path}${name}: ${JSON.stringify(address)} is not an IP address.`);
    return address;
  }

  /** The members `rename` and `invalid_keys`. */
  keyMapping(): KeyMapping {
    const rename = this.textMap('rename');
    for (const key of rename.values()) {
      const error = variableKeyError(key);
      if (error !== undefined) throw usageError(`${this.file}: ${this.path}rename: ${error}.`);
    }
    return { rename, invalidKeys: this.choice('invalid_keys', ['skip', 'replace']) };
  }

  /** Whether the file has the member. */
  has(name: string): boolean {
    return this.given.has(name);
  }

  textMap(name: string): ReadonlyMap<string, string> {
    const members = toMembers(this.value(name));
    const entries = [...(members ?? [])].flatMap(([key, value]): [string, string][] =>
      typeof value === 'string' && value !== '' ? [[key, value]] : [],
    );
    if (members?.size !== entries.length) throw this.error(name, 'an object whose values are texts');
    return new Map(entries);
  }

  /** The member as it is in the file, or its default. */
  value(name: string): unknown {
    return this.given.has(name) ? this.given.get(name) : this.defaults.get(name);
  }

  private error(name: string, expected: string): CliError {
    const value = exactJson.stringify(this.given.get(name));
    return usageError(`${this.file}: ${this.path}${name}: expected ${expected}, not ${value}.`);
  }
}

/** Whether a value is a list of texts that are not empty. */
const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string' && one !== '');

/** Whether a text is an IPv4 or IPv6 address. Without `node:net`: the explorer, in a browser, checks mappings, too. */
const isAddress = (text: string): boolean =>
  /^\d+(\.\d+){3}$/.test(text)
    ? text.split('.').every((part) => part === String(Math.min(Number(part), 255)))
    : /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`);
