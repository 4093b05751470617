import { Option, type Argument, type Command } from 'commander';
import { readProfiles } from '../../settings/profiles';
import { readLine, type Reading } from './completion-context';
import { Finder, kindsOf, resourceOf } from '../../lookup/resource-finder';
import type { ResourceDescription } from '../../api/resource-description';
import { resources } from '../../api/resources';
import { Muster } from '../../api/muster';
import { asObject } from '../../api/exact-json';
import { settingsOf, type ConnectionFlags } from '../../settings/settings';

/** Something that may stand where the cursor is. */
export interface Suggestion {
  readonly value: string;
  readonly description?: string;
}

/** What may stand where the cursor is; `FILES` where that is a file. */
export async function suggestionsFor(
  program: Command,
  words: readonly string[],
  current: string,
): Promise<readonly Suggestion[] | typeof FILES> {
  const reading = readLine(program, words, current);
  const { asked } = reading;
  if (asked.what === 'nothing') return [];
  if (asked.what === 'commands') return beginning(commandsOf(asked.of), current);
  if (asked.what === 'options') return beginning(asked.of.toReversed().flatMap(optionsOf), current);
  // Of several that are joined by commas the last is being typed.
  const list = asked.place instanceof Option && JOINED.has(asked.place.name());
  const begin = list ? asked.typed.lastIndexOf(',') + 1 : 0;
  const found = await valuesOf(asked.place, reading, asked.typed.slice(begin));
  if (found === FILES) return found;
  const front = asked.before + asked.typed.slice(0, begin);
  return beginning(found, asked.typed.slice(begin)).map((one) => ({ ...one, value: front + one.value }));
}

const JOINED = new Set(['labels', 'fields']);

const beginning = (suggestions: readonly Suggestion[], typed: string): Suggestion[] =>
  suggestions.filter(({ value }) => value.startsWith(typed));

const commandsOf = (command: Command): Suggestion[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .map((one) => ({ value: one.name(), description: one.description() }));

const optionsOf = (command: Command): Suggestion[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, description }) => (long === undefined ? [] : [{ value: long, description }]));

async function valuesOf(
  place: Argument | Option,
  reading: Reading,
  typed: string,
): Promise<readonly Suggestion[] | typeof FILES> {
  const { argChoices } = place;
  if (argChoices) return argChoices.map(suggested);
  const { chain, operands, options } = reading;
  const name = place.name();
  const isOption = place instanceof Option;
  const word = isOption ? placeholderOf(place) : name;
  if (/file|path/.test(word)) return FILES;
  if (isOption && name === 'profile') return [...readProfiles().keys()].map(suggested);
  if (isOption && name === 'fields') return fieldsOf(chain.at(-2)?.name() ?? '').map(suggested);
  const isKey = /^keys?$/.test(word);
  const kind = kindOf(name, word, isOption, reading);
  if (!isKey && name !== 'project' && (kind === undefined || !isKind(kind))) return [];
  const known = new KnownNames(flagsOf(options));
  if (isKey) return (await known.keys(operands[0], operands[1])).map(suggested);
  if (isOption && name === 'project') return known.projects();
  return (await known.ofKind(kind ?? word, typed)).map(suggested);
}

/** The kind whose names may stand there: often the placeholder is called by it. */
function kindOf(
  name: string,
  word: string,
  isOption: boolean,
  { operands, options }: Reading,
): string | undefined {
  if (isOption && name === 'labels') return 'label';
  if (isOption && name === 'resource') return options.get('kind');
  return word === 'name' && !isOption ? operands[0] : word;
}

const suggested = (value: string): Suggestion => ({ value });

/** What an option calls its value: `region` of `--region <region>`. */
const placeholderOf = ({ flags }: Option): string => /[<[]([^>\]]*?)(?:\.\.\.)?[>\]]/.exec(flags)?.[1] ?? '';

function flagsOf(options: ReadonlyMap<string, string>) {
  const names = ['profile', 'url', 'project', 'user', 'token'] as const;
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = options.get(name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}
/** Stands in place of words where files are meant: each shell knows best how to complete these. */
export const FILES = ':files';

/** In milliseconds: nobody waits longer for a key to do something. */
const PATIENCE = 1_000;
/** Who is far away may be more patient. */
function patience(): number {
  const given = process.env['MUSTER_COMPLETION_TIMEOUT'] ?? '';
  return /^\d{1,6}$/.test(given) ? Number(given) : PATIENCE;
}

/** As many as the smallest page of any deployment may have. */
const PAGE = 100;

/** What the service knows, for whoever presses a key: asked once, within a moment. */
class KnownNames {
  private readonly muster: Muster;
  private readonly project: string | undefined;
  private readonly signal = AbortSignal.timeout(patience());

  /** @throws Failure where nothing says by which key it can be asked */
  constructor(flags: ConnectionFlags) {
    const { connection } = settingsOf(flags);
    this.muster = new Muster({
      ...connection,
      retries: 0,
      // Whatever is asked here, also by what looks for a name, is asked within the one moment.
      fetch: (url, init) => fetch(url, { ...init, signal: this.signal }),
    });
    this.project = connection.project;
  }

  /** The names of a kind that begin so: of `device`, those of every kind of device. */
  async ofKind(kind: string, prefix: string): Promise<string[]> {
    const found = await Promise.all(kindsOf(kind).map((resource) => this.ofResource(resource, prefix)));
    return [...new Set(found.flat())].sort();
  }

  /** Projects are addressed by their UUIDs. */
  async projects(): Promise<{ readonly value: string; readonly description: string }[]> {
    const items = await this.page('projects', { fields: 'id,name', limit: PAGE });
    return items.map(({ id, name }) => ({ value: String(id), description: String(name) }));
  }

  /** The keys of the variables of one resource; without one, every key that is in use. */
  async keys(kind: string | undefined, name: string | undefined): Promise<string[]> {
    if (kind === undefined || name === undefined || !isKind(kind)) {
      const items = await this.page('variable-keys', { limit: PAGE });
      return items.map(({ key }) => String(key));
    }
    const { id, resource } = await new Finder(this.muster, this.project).find(kind, name);
    const { body } = await this.muster.request('get', `/v1/${resource.collection}/{id}/variables`, {
      path: { id },
    });
    return Object.keys(asObject(asObject(body)['variables']));
  }

  private async ofResource(
    { collection, kind, nameMember }: ResourceDescription,
    prefix: string,
  ): Promise<string[]> {
    if (nameMember === null) return [];
    const query = {
      ...(kind === 'project' ? {} : { project_id: this.project }),
      fields: nameMember,
      sort_keys: nameMember,
      ...(prefix === '' ? {} : { name_prefix: prefix }),
      limit: PAGE,
    };
    const items = await this.page(collection, query);
    // A shell puts in what all have in common, and what all have is what the first and the last have.
    const rest =
      items.length < PAGE ? [] : (await this.page(collection, { ...query, sort_dir: 'desc' })).slice(0, 1);
    return [...items, ...rest].map((item) => String(item[nameMember]));
  }

  private async page(
    collection: string,
    query: Readonly<Record<string, string | number | undefined>>,
  ): Promise<Readonly<Record<string, unknown>>[]> {
    const { items } = await this.muster.firstPage(`/v1/${collection}`, { query });
    return items.map(asObject);
  }
}

/** Whether a word of a command line stands for resources that have names. */
const isKind = (word: string): boolean => word === 'device' || resources.some(({ kind }) => kind === word);

/** The members that lists of a kind can show. */
const fieldsOf = (kind: string): readonly string[] =>
  isKind(kind) && kind !== 'device' ? resourceOf(kind).fields : [];
