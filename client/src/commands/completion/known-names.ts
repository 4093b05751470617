import { Finder, kindsOf, resourceOf } from '../../addressing/finder';
import type { ResourceDescription } from '../../api/resource-description';
import { resources } from '../../api/resources';
import { Muster } from '../../api/muster';
import { asObject } from '../../api/exact-json';
import { settingsOf, type ConnectionFlags } from '../../settings/settings';

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
export class KnownNames {
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
export const isKind = (word: string): boolean =>
  word === 'device' || resources.some(({ kind }) => kind === word);

/** The members that lists of a kind can show. */
export const fieldsOf = (kind: string): readonly string[] =>
  isKind(kind) && kind !== 'device' ? resourceOf(kind).fields : [];
