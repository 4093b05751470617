import type { DescribedChange, DescribedObject } from '../changes/change-diff';
import type { ChangeHead, ImpactCount, ImpactTally, PreviewedImpact } from '../changes/impact-assessor';
import type { PreviewPage } from '../core/context/request-context';
import { Visibility } from '../core/context/visibility';
import type { VariableResolver } from '../variables/variable-resolver';
import { Assessment, together } from './impact-assessment';
import { ChangedLevels, isLevel } from './changed-levels';
import { impactText, type Impact } from './impact-page';
import { DEVICE_KINDS } from './key-definitions';

const NOTHING: Impact = { devices: 0, keys: [], items: [] };

/**
 * The impact of a change that comes part by part. Kept of it are the regions, cells and labels that it alters, because
 * every later device may inherit from them, and the ids of its devices, which are not counted twice.
 */
export class Tally implements ImpactTally {
  private readonly altered: DescribedObject[] = [];
  private levels = new ChangedLevels([]);
  private readonly touched: number[] = [];
  private readonly total = { devices: 0, seenByEverybody: 0 };
  private seen = NOTHING;
  private readonly everybody: Visibility | undefined;

  constructor(
    private readonly head: ChangeHead,
    private readonly shown: PreviewPage | undefined,
    private readonly resolver: VariableResolver,
  ) {
    const hidden = head.policy?.hidden ?? [];
    this.everybody = hidden.length === 0 ? undefined : new Visibility(hidden, []);
  }

  async add(part: DescribedChange): Promise<void> {
    this.alter(part.objects.filter(({ shape, action }) => isLevel(shape.kind) && action === 'update'));
    const devices = part.objects.filter(({ shape }) => DEVICE_KINDS.includes(shape.kind));
    if (devices.length === 0) return;
    const assessment = new Assessment({ ...part, objects: devices }, this.resolver, this.levels);
    for (const id of assessment.touchedIds) this.touched.push(id);
    if (this.shown) {
      const touched = await assessment.pageOfTouched(this.head.ctx.visibility, this.window);
      this.seen = together(this.seen, touched, this.window);
      return;
    }
    const count = await assessment.countTouched(Visibility.WHOLE);
    this.total.devices += count;
    this.total.seenByEverybody += this.everybody ? await assessment.countTouched(this.everybody) : count;
  }

  async count(): Promise<ImpactCount> {
    const reached = await this.reaching().countReached(Visibility.WHOLE, this.touched);
    const seenByEverybody = this.everybody
      ? await this.reaching().countReached(this.everybody, this.touched)
      : reached;
    return {
      devices: this.total.devices + reached,
      seenByEverybody: this.total.seenByEverybody + seenByEverybody,
    };
  }

  async page(): Promise<PreviewedImpact> {
    if (!this.shown) throw new Error('a page of an impact that was only counted');
    const { visibility, base } = this.head.ctx;
    const reached = await this.reaching().pageOfReached(visibility, this.window, this.touched);
    const found = together(this.seen, reached, this.window);
    return { devices: found.devices, body: impactText(found, this.shown, base) };
  }

  private alter(levels: readonly DescribedObject[]): void {
    if (levels.length === 0) return;
    if (this.touched.length > 0) throw new Error('a change altered what devices inherit after the devices');
    this.altered.push(...levels);
    this.levels = new ChangedLevels(this.altered);
  }

  /** What the change does to devices that it does not touch. */
  private reaching(): Assessment {
    return new Assessment({ ...this.head, objects: [] }, this.resolver, this.levels);
  }

  /** With one device more than is shown, so that it is known whether there is one. */
  private get window() {
    return { behind: this.shown?.marker ?? 0, most: (this.shown?.limit ?? 0) + 1 };
  }
}
