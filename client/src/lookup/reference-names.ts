import { resources } from '../api/resources';
import type { ResourceDescription } from '../api/resource-description';
import { Refusal } from '../api/errors';
import type { Muster } from '../api/muster';
import { asObject, exactJson } from '../api/exact-json';

/** So many are asked for one by one; of more, the whole list is read. */
const FEW = 8;
/** So many requests are under way at once. */
const AT_ONCE = 8;

/** An id as text: ids are numbers, and of projects texts. */
const idText = (id: unknown): string => (typeof id === 'string' ? id : exactJson.stringify(id));

/** The names of what resources refer to by its id, looked up in few requests and kept. */
export class ReferenceNames {
  private readonly known = new Map<string, Map<string, string>>();
  private readonly read = new Set<string>();

  constructor(
    private readonly muster: Muster,
    private readonly project: string | undefined,
  ) {}

  /** The name of what has this id; an id that was not found is shown as it is, and none as an empty text. */
  of(kind: string, id: unknown): string {
    if (id === null || id === undefined) return '';
    return this.namesOf(kind).get(idText(id)) ?? idText(id);
  }

  /** Looks up the names that are not known yet. @param kind `device` for devices of any kind */
  async load(kind: string, ids: readonly unknown[]): Promise<void> {
    const names = this.namesOf(kind);
    const given = ids.filter((id) => id !== null && id !== undefined).map(idText);
    const missing = [...new Set(given)].filter((id) => !names.has(id));
    const described = resources.find((resource) => resource.kind === kind);
    if (described && missing.length > FEW && !this.read.has(kind)) await this.readAll(described);
    const rest = missing.filter((id) => !names.has(id));
    for (let i = 0; i < rest.length; i += AT_ONCE)
      await Promise.all(rest.slice(i, i + AT_ONCE).map((id) => this.loadOne(kind, id)));
  }

  private learn(kind: string, id: unknown, name: unknown): void {
    this.namesOf(kind).set(idText(id), String(name));
  }

  private namesOf(kind: string): Map<string, string> {
    const names = this.known.get(kind) ?? new Map<string, string>();
    this.known.set(kind, names);
    return names;
  }

  private async readAll({ kind, collection, nameMember }: ResourceDescription): Promise<void> {
    const query = { project_id: this.project, fields: ['id', nameMember ?? 'id'] };
    for await (const item of this.muster.items(`/v1/${collection}`, { query })) {
      const members = asObject(item);
      this.learn(kind, members['id'], members[nameMember ?? 'id']);
    }
    this.read.add(kind);
  }

  private async loadOne(kind: string, id: string): Promise<void> {
    const kinds = resources.filter((one) => one.kind === kind || (kind === 'device' && one.isDevice));
    const found = await Promise.all(kinds.map((resource) => this.nameIn(resource, id)));
    this.learn(kind, id, found.find((name) => name !== undefined) ?? id);
  }

  private async nameIn(
    { collection, nameMember, carriesVariables }: ResourceDescription,
    id: string,
  ): Promise<string | undefined> {
    try {
      const { body } = await this.muster.request('get', `/v1/${collection}/{id}`, {
        path: { id },
        ...(carriesVariables ? { query: { 'resolved-values': false } } : {}),
      });
      return String(asObject(body)[nameMember ?? 'id']);
    } catch (error) {
      // It is of another kind, or it has gone in the meantime.
      if (error instanceof Refusal && error.status === 404) return undefined;
      throw error;
    }
  }
}
