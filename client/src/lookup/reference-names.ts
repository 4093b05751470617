import { ApiError } from '@muster/api-types';
import { asObject, exactJson } from '../api/exact-json';
import type { Muster } from '../api/muster';
import type { ResourceDescription } from '../api/resource-description';
import { resources } from '../api/resources';

/** Up to this number, names are requested one by one; for more, the whole list is read. */
const MAX_SINGLE_LOOKUPS = 8;
const CONCURRENCY = 8;

/** An id as text: projects have texts as ids, all other kinds numbers. */
const idText = (id: unknown): string => (typeof id === 'string' ? id : exactJson.stringify(id));

/** Caches the names of referenced resources, by kind and id, and loads them with few requests. */
export class ReferenceNames {
  private readonly names = new Map<string, Map<string, string>>();
  private readonly loadedKinds = new Set<string>();

  constructor(
    private readonly muster: Muster,
    private readonly project: string | undefined,
  ) {}

  /** The name for an id; the id itself if it was not found; an empty text for null. */
  nameOf(kind: string, id: unknown): string {
    if (id === null || id === undefined) return '';
    return this.namesOf(kind).get(idText(id)) ?? idText(id);
  }

  /** Loads the names that are not cached yet. @param kind `device` for devices of any kind */
  async load(kind: string, ids: readonly unknown[]): Promise<void> {
    const names = this.namesOf(kind);
    const idTexts = ids.filter((id) => id !== null && id !== undefined).map(idText);
    const missing = [...new Set(idTexts)].filter((id) => !names.has(id));
    const resource = resources.find((one) => one.kind === kind);
    if (resource && missing.length > MAX_SINGLE_LOOKUPS && !this.loadedKinds.has(kind))
      await this.loadAll(resource);
    const remaining = missing.filter((id) => !names.has(id));
    for (let i = 0; i < remaining.length; i += CONCURRENCY)
      await Promise.all(remaining.slice(i, i + CONCURRENCY).map((id) => this.loadOne(kind, id)));
  }

  /** Sets the name of a resource, which is then not loaded. */
  setName(kind: string, id: unknown, name: unknown): void {
    this.namesOf(kind).set(idText(id), String(name));
  }

  private namesOf(kind: string): Map<string, string> {
    const names = this.names.get(kind) ?? new Map<string, string>();
    this.names.set(kind, names);
    return names;
  }

  private async loadAll({ kind, collection, nameMember }: ResourceDescription): Promise<void> {
    const query = { project_id: this.project, fields: ['id', nameMember ?? 'id'] };
    for await (const item of this.muster.items(`/v1/${collection}`, { query })) {
      const members = asObject(item);
      this.setName(kind, members['id'], members[nameMember ?? 'id']);
    }
    this.loadedKinds.add(kind);
  }

  private async loadOne(kind: string, id: string): Promise<void> {
    const kinds = resources.filter((one) => one.kind === kind || (kind === 'device' && one.isDevice));
    const found = await Promise.all(kinds.map((resource) => this.fetchName(resource, id)));
    this.setName(kind, id, found.find((name) => name !== undefined) ?? id);
  }

  private async fetchName(
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
      // It is a device of another kind, or was deleted in the meantime.
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  }
}
