import type { Measurements } from '../core/app-metrics';
import type { DescribedObject } from './change-diff';

type Touched = Pick<DescribedObject, 'shape' | 'action'>;

/** How many resources a change has touched, by kind and what was done. They count once it is committed. */
export class RecordedCounts {
  private readonly counts = new Map<string, { kind: string; action: string; resources: number }>();

  add(objects: readonly Touched[]): this {
    for (const { shape, action } of objects) {
      const key = `${shape.kind} ${action}`;
      const count = this.counts.get(key);
      if (count) count.resources++;
      else this.counts.set(key, { kind: shape.kind, action, resources: 1 });
    }
    return this;
  }

  /** To be called when there is nothing any more that could take the change back. */
  committed({ records, changed }: Measurements): void {
    records.inc();
    for (const { resources, ...labels } of this.counts.values()) changed.inc(labels, resources);
  }
}
