import { exactJson, toMembers, toNumber, isLosslessNumber } from '../../../api/exact-json';
import { CliError, EXIT, usageError } from '../../../cli-error';
import type { ReadingProgress } from './reading-progress';

/**
 * The lists of NetBox that imports read: their paths below `/api/`. Objects come before those that they refer to: so a site
 * that is created meanwhile is in its list if one of the devices is in it.
 */
export const LISTS = [
  'dcim/devices',
  'virtualization/virtual-machines',
  'dcim/interfaces',
  'extras/config-contexts',
  'virtualization/clusters',
  'dcim/locations',
  'dcim/sites',
  'dcim/regions',
  'dcim/site-groups',
  'dcim/device-roles',
  'dcim/platforms',
] as const;
export type ListPath = (typeof LISTS)[number];

/** One page of a list, as NetBox sent it. */
export interface Answer {
  readonly text: string;
  /** The parsed text. Numbers keep every digit. */
  readonly body: unknown;
  /** Where it comes from, for messages: a URL or a file. */
  readonly origin: string;
  /** Whether objects were created or deleted before this page, since the one before it was read. */
  readonly isShifted?: boolean;
}

/** The answers of a NetBox: of a server, or in a folder. */
export interface NetBoxAnswers {
  /** The version of NetBox; undefined if it is unknown. @throws CliError if NetBox rejects the request */
  readVersion(): Promise<string | undefined>;
  /** Checks that lists can be read, before reading takes long. @throws CliError that names those that cannot */
  assertReadable(paths: readonly ListPath[], progress: ReadingProgress): Promise<void>;
  /** The pages of a list. @throws CliError if they cannot be read */
  pages(path: ListPath): AsyncGenerator<Answer>;
}

/** Parses an answer. @throws CliError if it is not JSON: proxies answer with pages of their own */
export function parseAnswer(text: string, origin: string): unknown {
  try {
    return exactJson.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CliError(
      `${origin} is not an answer of NetBox: invalid JSON.`,
      EXIT.unavailable,
      /^\s*</.test(text)
        ? ['  It is a web page: the URL may be another one, or a proxy before NetBox may require a login.']
        : [],
    );
  }
}

/** A page of a list. */
interface Page {
  readonly items: readonly Members[];
  /** How many objects the list has; undefined if NetBox does not say so. */
  readonly count: number | undefined;
}

/** @throws CliError if the answer is not a page of a list */
function parsePage({ body, origin }: Answer): Page {
  const members = toMembers(body);
  const results = members?.get('results');
  if (!Array.isArray(results)) throw usageError(`${origin} is not a list of NetBox: it has no results.`);
  const items = results.map((item) => {
    if (toMembers(item)) return item as Members;
    throw usageError(`${origin} is not a list of NetBox: a result is not an object.`);
  });
  const count = toNumber(members?.get('count') ?? undefined);
  return { items, count: Number.isInteger(count) ? count : undefined };
}

/** How often a list is read because it changed meanwhile. */
const MAX_READS = 3;

/**
 * Reads all objects of a list. Pages are offsets, so a deletion between two of them hides an object: then it starts again.
 * @param convert what to keep of an object
 * @throws CliError if the list is incomplete
 */
export async function readList<T>(
  answers: NetBoxAnswers,
  path: ListPath,
  convert: (item: Members, origin: string) => T,
  progress: ReadingProgress,
): Promise<T[]> {
  for (let read = 1; ; read++) {
    const found = new Map<string, T>();
    let count: number | undefined;
    let isChanged = false;
    progress.request(path);
    for await (const answer of answers.pages(path)) {
      const page = parsePage(answer);
      isChanged ||= answer.isShifted === true || (page.count ?? Infinity) < (count ?? 0);
      count = page.count ?? count;
      for (const item of page.items) found.set(idOf(item['id']), convert(item, answer.origin));
      progress.add(answer, page.items.length);
      if (isChanged) break;
      progress.request(path);
    }
    if (!isChanged && (count === undefined || found.size === count)) return [...found.values()];
    if (read === MAX_READS)
      throw new CliError(
        isChanged
          ? `The list ${path} was changed while it was read, ${String(MAX_READS)} times.`
          : `The list ${path} is incomplete: ${String(found.size)} of ${String(count)} objects were read.`,
        EXIT.unavailable,
        ['  Read it again. If it is a folder, a saved page may be missing.'],
      );
  }
}

/** A file with an answer of NetBox. */
export interface AnswerFile {
  /** For messages. */
  readonly name: string;
  readonly readText: () => Promise<string>;
}

/**
 * The saved answers of a NetBox: the pages of a list in the files of `dcim/devices/`, or the only one in
 * `dcim/devices.json`. Other files, such as saved headers, are ignored.
 */
export class SavedAnswers implements NetBoxAnswers {
  /**
   * @param folder its name, for messages
   * @param filesOf the files of a list, in the order of its pages
   */
  constructor(
    private readonly folder: string,
    private readonly filesOf: (path: string) => readonly AnswerFile[],
  ) {}

  async readVersion(): Promise<string | undefined> {
    for await (const { body } of this.answers('status')) {
      const version = textOf(toMembers(body)?.get('netbox-version'));
      if (version !== undefined) return version;
    }
    return undefined;
  }

  async assertReadable(paths: readonly ListPath[]): Promise<void> {
    const missing: ListPath[] = [];
    for (const path of paths) {
      const first = await this.pages(path).next();
      if (first.done === true) missing.push(path);
    }
    const [path] = missing;
    if (path !== undefined)
      throw usageError(
        `${this.folder} has no answers of NetBox for ${missing.join(', ')}. "muster export-netbox" saves them, or curl: GET /api/${path}/?limit=0.`,
      );
  }

  async *pages(path: ListPath): AsyncGenerator<Answer> {
    for await (const answer of this.answers(path))
      if (toMembers(answer.body)?.has('results') === true) yield answer;
  }

  private async *answers(path: string): AsyncGenerator<Answer> {
    for (const { name, readText } of this.filesOf(path)) {
      const text = await readText();
      yield { text, body: parseAnswer(text, name), origin: name };
    }
  }
}

/** Sorts the names of files of a list by their page. */
export const inPageOrder = (names: readonly string[]): string[] =>
  names.filter((name) => name.endsWith('.json')).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));

/** The members of an object in NetBox's answers. */
export type Members = Readonly<Record<string, unknown>>;

/** A reference to another object. */
export interface Reference {
  readonly id: string;
  readonly name: string;
  /** Empty for objects without one. */
  readonly slug: string;
}

/** An id as text. */
export const idOf = (value: unknown): string =>
  typeof value === 'number' || isLosslessNumber(value) ? String(value) : '';

/** A text; undefined for an empty one and other values. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** The value of a choice, such as a status: `{ value, label }`. */
export const choiceOf = (value: unknown): string | undefined => textOf(objectOf(value)?.['value']);

/** An object; undefined for other values. */
export const objectOf = (value: unknown): Members | undefined =>
  toMembers(value) ? (value as Members) : undefined;

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A nested object as a reference; undefined if there is none. */
export function referenceOf(value: unknown): Reference | undefined {
  const object = objectOf(value);
  if (!object) return undefined;
  const name = textOf(object['name']) ?? textOf(object['display']) ?? '';
  return { id: idOf(object['id']), name, slug: textOf(object['slug']) ?? '' };
}

/**
 * A value of a custom field or member as a variable: a choice becomes its value, and another object of NetBox its name.
 * Any other value stays as it is; undefined for a value that is not set.
 */
export function simplify(value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) return value.map((item) => simplify(item) ?? null);
  const object = objectOf(value);
  if (!object) return value;
  if ('value' in object && 'label' in object && Object.keys(object).length === 2) return object['value'];
  const isReference = 'id' in object && 'url' in object && 'display' in object;
  return isReference ? (textOf(object['name']) ?? object['display']) : value;
}
