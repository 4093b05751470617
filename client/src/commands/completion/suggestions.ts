import { Option, type Argument, type Command } from 'commander';
import { asObject, exactJson } from '../../api/exact-json';
import { Muster, type RequestOptions } from '../../api/muster';
import type { ResourceDescription } from '../../api/resource-description';
import { resources } from '../../api/resources';
import { parseContext, type CompletionContext } from './completion-context';
import { describeKind, describeKinds, ResourceFinder } from '../../lookup/resource-finder';
import { renewedToken } from '../../oidc/login-tokens';
import { readProfiles } from '../../settings/profiles';
import { readSettings, type ConnectionFlags } from '../../settings/settings';

export interface Suggestion {
  readonly value: string;
  readonly description?: string;
}

/** The suggestions at the cursor; `FILES` for the name of a file. */
export async function suggestionsFor(
  program: Command,
  words: readonly string[],
  current: string,
): Promise<readonly Suggestion[] | typeof FILES> {
  const context = parseContext(program, words, current);
  const { request } = context;
  if (request.what === 'nothing') return [];
  if (request.what === 'commands') return startingWith(commandSuggestions(request.of), current);
  if (request.what === 'options')
    return startingWith(request.of.toReversed().flatMap(optionSuggestions), current);
  // In a comma-separated list, the last element is completed.
  const isList = request.target instanceof Option && COMMA_SEPARATED.has(request.target.name());
  const start = isList ? request.typed.lastIndexOf(',') + 1 : 0;
  const found = await valueSuggestions(request.target, context, request.typed.slice(start));
  if (found === FILES) return found;
  const prefix = request.before + request.typed.slice(0, start);
  return startingWith(found, request.typed.slice(start)).map((one) => ({
    ...one,
    value: prefix + one.value,
  }));
}

const COMMA_SEPARATED = new Set(['labels', 'fields']);

const startingWith = (suggestions: readonly Suggestion[], typed: string): Suggestion[] =>
  suggestions.filter(({ value }) => value.startsWith(typed));

const commandSuggestions = (command: Command): Suggestion[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .map((one) => ({ value: one.name(), description: one.description() }));

const optionSuggestions = (command: Command): Suggestion[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, description }) => (long === undefined ? [] : [{ value: long, description }]));

async function valueSuggestions(
  target: Argument | Option,
  context: CompletionContext,
  typed: string,
): Promise<readonly Suggestion[] | typeof FILES> {
  const { argChoices } = target;
  if (argChoices) return argChoices.map(toSuggestion);
  const { commands, operands, options } = context;
  const name = target.name();
  const isOption = target instanceof Option;
  const word = isOption ? placeholder(target) : name;
  if (/file|path/.test(word)) return FILES;
  if (isOption && name === 'profile') return [...readProfiles().keys()].map(toSuggestion);
  if (isOption && name === 'fields') return fieldsOfKind(commands.at(-2)?.name() ?? '').map(toSuggestion);
  // A condition begins with a key.
  const isKey = /^keys?$/.test(word) || (isOption && (name === 'where' || name === 'vars'));
  const kind = kindFor(name, word, isOption, context);
  const isProposal = !isOption && word === 'proposal';
  if (!isKey && !isProposal && name !== 'project' && (kind === undefined || !isKind(kind))) return [];
  const lookup = new NameLookup(connectionFlags(options));
  if (isProposal) return lookup.proposals();
  if (isOption && name === 'where') return lookup.conditions(typed);
  if (isKey) return (await lookup.keys(operands[0], operands[1])).map(toSuggestion);
  if (isOption && name === 'project') return lookup.projects();
  return (await lookup.namesOfKind(kind ?? word, typed)).map(toSuggestion);
}

/** The kind whose names are completed: usually the placeholder is a kind. */
function kindFor(
  name: string,
  word: string,
  isOption: boolean,
  { operands, options }: CompletionContext,
): string | undefined {
  if (isOption && name === 'labels') return 'label';
  if (isOption && name === 'resource') return options.get('kind');
  return word === 'name' && !isOption ? operands[0] : word;
}

const toSuggestion = (value: string): Suggestion => ({ value });

/** The placeholder of an option: `region` of `--region <region>`. */
const placeholder = ({ flags }: Option): string => /[<[]([^>\]]*?)(?:\.\.\.)?[>\]]/.exec(flags)?.[1] ?? '';

const CONNECTION_FLAGS = new Set(['profile', 'url', 'project', 'user', 'token']);

const connectionFlags = (options: ReadonlyMap<string, string>): ConnectionFlags =>
  Object.fromEntries([...options].filter(([name]) => CONNECTION_FLAGS.has(name)));

/** Printed instead of suggestions: the shell completes the names of files itself. */
export const FILES = ':files';

const DEFAULT_TIMEOUT_MS = 1_000;

/** The timeout of completion, which users with a slow connection can raise. */
function timeoutMs(): number {
  const setting = process.env['MUSTER_COMPLETION_TIMEOUT'] ?? '';
  return /^\d{1,6}$/.test(setting) ? Number(setting) : DEFAULT_TIMEOUT_MS;
}

/** A page size that every configuration of the service accepts. */
const PAGE_SIZE = 100;

/** Requests names from the service, with one timeout for all requests and without retries. */
class NameLookup {
  private readonly muster: Muster;
  private readonly project: string | undefined;
  private readonly signal = AbortSignal.timeout(timeoutMs());

  /** @throws CliError if there is no API key */
  constructor(flags: ConnectionFlags) {
    const { connection, login } = readSettings(flags);
    this.muster = new Muster({
      ...connection,
      ...(login ? { getToken: renewedToken(login.name, login.profile) } : {}),
      retries: 0,
      // The timeout also applies to the requests of the resource finder.
      fetch: (url, init) => fetch(url, { ...init, signal: this.signal }),
    });
    this.project = connection.project;
  }

  /** The names of a kind with a prefix; `device` means every kind of device. */
  async namesOfKind(kind: string, prefix: string): Promise<string[]> {
    const found = await Promise.all(
      describeKinds(kind).map((resource) => this.namesOfResource(resource, prefix)),
    );
    return [...new Set(found.flat())].sort();
  }

  /** The UUIDs of projects, with their names as descriptions. */
  async projects(): Promise<{ readonly value: string; readonly description: string }[]> {
    const items = await this.fetchPage('projects', { fields: 'id,name', limit: PAGE_SIZE });
    return items.map(({ id, name }) => ({ value: String(id), description: String(name) }));
  }

  /** The ids of proposals that can still be applied, newest first, with their titles as descriptions. */
  async proposals(): Promise<{ readonly value: string; readonly description: string }[]> {
    const items = await this.fetchPage('proposals', {
      state: ['open', 'approved', 'rejected'],
      project_id: this.project,
      fields: 'id,title',
      sort_dir: 'desc',
      limit: PAGE_SIZE,
    });
    return items.map(({ id, title }) => ({ value: String(id), description: String(title) }));
  }

  /** The keys of the variables of a resource; without a resource, all keys in use. */
  async keys(kind: string | undefined, name: string | undefined): Promise<string[]> {
    if (kind === undefined || name === undefined || !isKind(kind)) {
      const items = await this.fetchPage('variable-keys', { limit: PAGE_SIZE });
      return items.map(({ key }) => String(key));
    }
    const found = await new ResourceFinder(this.muster, this.project).findIfAny(kind, name);
    if (!found) return [];
    const { id, resource } = found;
    const { body } = await this.muster.request('get', `/v1/${resource.collection}/{id}/variables`, {
      path: { id },
    });
    return Object.keys(asObject(asObject(body)['variables']));
  }

  /** The keys of variables; after a key and `=`, the most frequent values of devices. */
  async conditions(typed: string): Promise<Suggestion[]> {
    const [, before = '', key = ''] = /^(\s*([^\s"=!<>^~.[]+)\s*!?=\s*)/.exec(typed) ?? [];
    if (key === '') return (await this.keys(undefined, undefined)).map(toSuggestion);
    const { body } = await this.muster.request('get', '/v1/variable-keys/{key}/values', {
      path: { key },
      query: { project_id: this.project, limit: PAGE_SIZE },
    });
    const { values } = asObject(body);
    return (Array.isArray(values) ? values : []).map((one) =>
      toSuggestion(before + exactJson.stringify(asObject(one)['value'])),
    );
  }

  private async namesOfResource(
    { collection, kind, nameMember }: ResourceDescription,
    prefix: string,
  ): Promise<string[]> {
    if (nameMember === null) return [];
    const query = {
      ...(kind === 'project' ? {} : { project_id: this.project }),
      fields: nameMember,
      sort_keys: nameMember,
      ...(prefix === '' ? {} : { name_prefix: prefix }),
      limit: PAGE_SIZE,
    };
    const items = await this.fetchPage(collection, query);
    // Shells insert the common prefix of all names, which is the common prefix of the first and the last one.
    const last =
      items.length < PAGE_SIZE
        ? []
        : (await this.fetchPage(collection, { ...query, sort_dir: 'desc' })).slice(0, 1);
    return [...items, ...last].map((item) => String(item[nameMember]));
  }

  private async fetchPage(
    collection: string,
    query: NonNullable<RequestOptions['query']>,
  ): Promise<Readonly<Record<string, unknown>>[]> {
    const { items } = await this.muster.firstPage(`/v1/${collection}`, { query });
    return items.map(asObject);
  }
}

/** Whether a word is a kind of resource. */
const isKind = (word: string): boolean => word === 'device' || resources.some(({ kind }) => kind === word);

/** The values of `--fields` for lists of a kind. */
const fieldsOfKind = (kind: string): readonly string[] =>
  isKind(kind) && kind !== 'device' ? describeKind(kind).fields : [];
