import { Injectable } from '@nestjs/common';
import type { ChangeDiff, ObjectDiff } from '../changes/change-diff';
import type {
  AccumulatedImpact,
  ChangeHead,
  ImpactAccumulator,
  ImpactAssessor,
  ImpactCount,
  PreviewedImpact,
} from '../changes/impact-assessor';
import type { PreviewPage } from '../core/context/request-context';
import { Visibility } from '../core/context/variable-keys';
import { isLevelKind } from '../variables/key-levels';
import { VariableResolver } from '../variables/variable-resolver';
import { ImpactAssessment, mergeImpacts } from './impact-assessment';
import { ChangedLevels } from './changed-levels';
import { renderImpact, type DeviceImpact } from './device-impact';
import type { DeviceRange } from './indirectly-affected-devices';
import { deviceKindNames } from '../devices/device-kinds';

/** The number of touched devices whose resolved values change, considering only some variables. */
interface DirectCount {
  readonly visibility: Visibility;
  devices: number;
}

const NO_IMPACT: DeviceImpact = { devices: 0, newDevices: 0, keys: [], items: [] };

/**
 * Adds up the impact of a batched change. It holds the updated regions, cells and labels, because devices of later
 * batches can inherit from them, and the ids of the touched devices, so that none is counted twice.
 */
export class DeviceImpactAccumulator implements ImpactAccumulator {
  private readonly levelUpdates: ObjectDiff[] = [];
  private levels = new ChangedLevels([]);
  private readonly touched: number[] = [];
  /** The counts with the names that the result has. Equal ones are the same object. */
  private readonly directCounts: Readonly<Record<keyof AccumulatedImpact, DirectCount>>;
  private directPage = NO_IMPACT;

  constructor(
    private readonly head: ChangeHead,
    private readonly preview: PreviewPage | undefined,
    private readonly resolver: VariableResolver,
    countsVisible: boolean,
  ) {
    const hidden = head.policy?.privateKeys ?? [];
    const { visibility } = head.ctx;
    const devices = { visibility: Visibility.ALL, devices: 0 };
    this.directCounts = {
      devices,
      publicDevices: hidden.length === 0 ? devices : { visibility: new Visibility(hidden, []), devices: 0 },
      visibleDevices: visibility.seesEverything || !countsVisible ? devices : { visibility, devices: 0 },
    };
  }

  async add(part: ChangeDiff): Promise<void> {
    this.addLevelUpdates(
      part.objects.filter(({ mapping, action }) => isLevelKind(mapping.kind) && action === 'update'),
    );
    const devices = part.objects.filter(({ mapping }) => deviceKindNames.includes(mapping.kind));
    if (devices.length === 0) return;
    const assessment = new ImpactAssessment({ ...part, objects: devices }, this.resolver, this.levels);
    for (const id of assessment.touchedIds) this.touched.push(id);
    if (this.preview) {
      const direct = await assessment.pageOfDirect(this.head.ctx.visibility, this.pageBounds);
      this.directPage = mergeImpacts(this.directPage, direct, this.pageBounds);
      return;
    }
    for (const count of new Set(Object.values(this.directCounts)))
      count.devices += await assessment.countDirect(count.visibility);
  }

  async count(): Promise<AccumulatedImpact> {
    const totals = new Map<DirectCount, number>();
    for (const count of new Set(Object.values(this.directCounts))) {
      const indirect = await this.assessIndirect().countIndirect(count.visibility, this.touched);
      totals.set(count, count.devices + indirect);
    }
    const { devices, publicDevices, visibleDevices } = this.directCounts;
    const totalOf = (count: DirectCount): number => totals.get(count) ?? 0;
    return {
      devices: totalOf(devices),
      publicDevices: totalOf(publicDevices),
      visibleDevices: totalOf(visibleDevices),
    };
  }

  async page(): Promise<PreviewedImpact> {
    if (!this.preview) throw new Error('an impact that is only counted has no page');
    const { visibility, base } = this.head.ctx;
    const indirect = await this.assessIndirect().pageOfIndirect(visibility, this.pageBounds, this.touched);
    const found = mergeImpacts(this.directPage, indirect, this.pageBounds);
    const { devices, newDevices } = found;
    return { devices, newDevices, body: renderImpact(found, this.preview, base) };
  }

  private addLevelUpdates(levels: readonly ObjectDiff[]): void {
    if (levels.length === 0) return;
    if (this.touched.length > 0)
      throw new Error('a batched change must update regions, cells and labels before devices');
    this.levelUpdates.push(...levels);
    this.levels = new ChangedLevels(this.levelUpdates);
  }

  /** An assessment of the devices that the change does not touch. */
  private assessIndirect(): ImpactAssessment {
    return new ImpactAssessment({ ...this.head, objects: [] }, this.resolver, this.levels);
  }

  /** One device more than is shown, which tells whether another page follows. */
  private get pageBounds(): DeviceRange {
    return { after: this.preview?.marker ?? 0, limit: (this.preview?.limit ?? 0) + 1 };
  }
}

/** Assesses the impact of changes on the resolved variables of devices. */
@Injectable()
export class ImpactService implements ImpactAssessor {
  constructor(private readonly resolver: VariableResolver) {}

  async count(change: ChangeDiff): Promise<ImpactCount> {
    const assessment = new ImpactAssessment(change, this.resolver);
    await assessment.lockOrder();
    const devices = await assessment.count(Visibility.ALL);
    const hidden = change.policy?.privateKeys ?? [];
    if (hidden.length === 0 || devices === 0) return { devices, publicDevices: devices };
    return { devices, publicDevices: await assessment.count(new Visibility(hidden, [])) };
  }

  async page(change: ChangeDiff, page: PreviewPage): Promise<PreviewedImpact> {
    const { visibility, base } = change.ctx;
    const found = await new ImpactAssessment(change, this.resolver).page(visibility, {
      after: page.marker ?? 0,
      limit: page.limit + 1,
    });
    const { devices, newDevices } = found;
    return { devices, newDevices, body: renderImpact(found, page, base) };
  }

  accumulate(
    head: ChangeHead,
    page: PreviewPage | undefined,
    countsVisible: boolean,
  ): DeviceImpactAccumulator {
    return new DeviceImpactAccumulator(head, page, this.resolver, countsVisible);
  }
}
