import type { ResourceMapping } from '../database/resource-mapping';
import type { CreatedState, LockedResource, Snapshot, TrackedResource } from './resource-snapshot';

/** Identifies a resource within a change. */
export const resourceKey = (mapping: ResourceMapping, projectId: string, id: number): string =>
  `${mapping.kind} ${projectId} ${String(id)}`;

/** The resources that a change, or a part of it, has touched, with their states before. */
export class TouchedResources {
  private readonly resources = new Map<string, TrackedResource>();

  /** @param earlier those of the earlier parts of the same change */
  constructor(private readonly earlier?: TouchedResources) {}

  /** What the record contains: not what the change created and deleted. */
  get recorded(): readonly TrackedResource[] {
    return [...this.resources.values()].filter(({ before, deleted }) => before !== undefined || !deleted);
  }

  get count(): number {
    return this.resources.size;
  }

  /** How many resources the earlier parts have touched. */
  get earlierCount(): number {
    return this.earlier?.resources.size ?? 0;
  }

  /** Tracks a resource that was created. */
  created(mapping: ResourceMapping, projectId: string, id: number, createdState?: CreatedState): void {
    this.set({ mapping, projectId, id, before: undefined, createdState, deleted: false });
  }

  /** Tracks a resource that was locked, with the state that it had when it was first touched. */
  locked(before: LockedResource): void {
    const { mapping, projectId, id } = before;
    if (!this.resources.has(resourceKey(mapping, projectId, id)))
      this.set({ mapping, projectId, id, before, deleted: false });
  }

  /** Tracks the deletion of a resource. @throws Error if it was not locked */
  deleted({ mapping, projectId, id }: LockedResource): void {
    const touched = this.resources.get(resourceKey(mapping, projectId, id));
    if (!touched) throw new Error(`${mapping.kind} ${String(id)} was deleted without a lock`);
    touched.deleted = true;
  }

  /** Whether this part and the earlier ones have touched no resources of other mappings. */
  areOnly(mapping: ResourceMapping): boolean {
    const all = [this.earlier, this].flatMap((part) => [...(part?.resources.values() ?? [])]);
    return all.every((touched) => touched.mapping === mapping);
  }

  /** The state of a locked resource before the earliest part; undefined if the change has created it. */
  stateAtStart(resource: LockedResource): Snapshot | undefined {
    const key = resourceKey(resource.mapping, resource.projectId, resource.id);
    const touched = this.earlier?.resources.get(key);
    return touched ? touched.before : resource;
  }

  /** Adds what a later part has touched: the first state before counts, and the last one after. */
  add(part: TouchedResources): void {
    for (const touched of part.resources.values()) {
      const { mapping, projectId, id, deleted } = touched;
      const known = this.resources.get(resourceKey(mapping, projectId, id));
      if (known) known.deleted = deleted;
      else this.set({ ...touched });
    }
  }

  private set(touched: TrackedResource): void {
    this.resources.set(resourceKey(touched.mapping, touched.projectId, touched.id), touched);
  }
}
