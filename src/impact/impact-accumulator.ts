import type { DescribedChange, DescribedObject } from '../changes/change-diff';
import type { ChangeHead, ImpactCount, ImpactTally, PreviewedImpact } from '../changes/impact-assessor';
import type { PreviewPage } from '../core/context/request-context';
import { Visibility } from '../core/context/visibility';
import type { VariableResolver } from '../variables/variable-resolver';
import { Assessment, together } from './impact-assessment';
import { ChangedLevels, isLevel } from './changed-levels';
import { impactText, type Impact } from './impact-page';
import type { Page } from './indirectly-affected-devices';
import { DEVICE_KINDS } from './key-definitions';

const NO_IMPACT: Impact = { devices: 0, keys: [], items: [] };

/**
 * Adds up the impact of a batched change. It holds the updated regions, cells and labels, because devices of later
 * batches can inherit from them, and the ids of the touched devices, so that none is counted twice.
 */
export class Tally implements ImpactTally {
  private readonly levelUpdates: DescribedObject[] = [];
  private levels = new ChangedLevels([]);
  private readonly touched: number[] = [];
  private readonly directCount = { devices: 0, seenByEverybody: 0 };
  private directPage = NO_IMPACT;
  /** What everybody may see; undefined: all variables. */
  private readonly publicVisibility: Visibility | undefined;

  constructor(
    private readonly head: ChangeHead,
    private readonly preview: PreviewPage | undefined,
    private readonly resolver: VariableResolver,
  ) {
    const hidden = head.policy?.hidden ?? [];
    this.publicVisibility = hidden.length === 0 ? undefined : new Visibility(hidden, []);
  }

  async add(part: DescribedChange): Promise<void> {
    this.addLevelUpdates(
      part.objects.filter(({ shape, action }) => isLevel(shape.kind) && action === 'update'),
    );
    const devices = part.objects.filter(({ shape }) => DEVICE_KINDS.includes(shape.kind));
    if (devices.length === 0) return;
    const assessment = new Assessment({ ...part, objects: devices }, this.resolver, this.levels);
    for (const id of assessment.touchedIds) this.touched.push(id);
    if (this.preview) {
      const direct = await assessment.pageOfTouched(this.head.ctx.visibility, this.pageBounds);
      this.directPage = together(this.directPage, direct, this.pageBounds);
      return;
    }
    const count = await assessment.countTouched(Visibility.WHOLE);
    this.directCount.devices += count;
    this.directCount.seenByEverybody += this.publicVisibility
      ? await assessment.countTouched(this.publicVisibility)
      : count;
  }

  async count(): Promise<ImpactCount> {
    const indirect = await this.assessIndirect().countReached(Visibility.WHOLE, this.touched);
    const seenByEverybody = this.publicVisibility
      ? await this.assessIndirect().countReached(this.publicVisibility, this.touched)
      : indirect;
    return {
      devices: this.directCount.devices + indirect,
      seenByEverybody: this.directCount.seenByEverybody + seenByEverybody,
    };
  }

  async page(): Promise<PreviewedImpact> {
    if (!this.preview) throw new Error('an impact that is only counted has no page');
    const { visibility, base } = this.head.ctx;
    const indirect = await this.assessIndirect().pageOfReached(visibility, this.pageBounds, this.touched);
    const found = together(this.directPage, indirect, this.pageBounds);
    return { devices: found.devices, body: impactText(found, this.preview, base) };
  }

  private addLevelUpdates(levels: readonly DescribedObject[]): void {
    if (levels.length === 0) return;
    if (this.touched.length > 0)
      throw new Error('a batched change must update regions, cells and labels before devices');
    this.levelUpdates.push(...levels);
    this.levels = new ChangedLevels(this.levelUpdates);
  }

  /** An assessment of the devices that the change does not touch. */
  private assessIndirect(): Assessment {
    return new Assessment({ ...this.head, objects: [] }, this.resolver, this.levels);
  }

  /** One device more than is shown, which tells whether another page follows. */
  private get pageBounds(): Page {
    return { behind: this.preview?.marker ?? 0, most: (this.preview?.limit ?? 0) + 1 };
  }
}
