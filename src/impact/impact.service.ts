import { Injectable } from '@nestjs/common';
import type { ChangeDiff, ObjectDiff, VariableChange } from '../changes/change-diff';
import type {
  AccumulatedImpact,
  AssessedImpact,
  ChangeEffects,
  ChangeHead,
  DeviceIds,
  ImpactAccumulator,
  ImpactAssessor,
  ImpactCount,
  PreviewedImpact,
} from '../changes/impact-assessor';
import { distinctDevices } from '../changes/effect-devices';
import { hasKeyRules, isGoverned } from '../changes/approval-check';
import type { PreviewPage } from '../core/context/request-context';
import { Visibility } from '../core/context/variable-keys';
import { isLevelKind } from '../variables/key-levels';
import { VariableResolver } from '../variables/variable-resolver';
import { ImpactAssessment, mergeImpacts } from './impact-assessment';
import { ChangedLevels } from './changed-levels';
import { renderImpact, type DeviceImpact } from './device-impact';
import { GroupCounts } from './group-counts';
import type { DeviceRange } from './indirectly-affected-devices';
import { deviceKindNames } from '../devices/device-kinds';

/** The number of touched devices whose resolved values change, considering only some variables. */
interface DirectCount {
  readonly visibility: Visibility;
  devices: number;
}

/** The bounds of a page without devices, for what a rule looks at. */
const NO_DEVICES: DeviceRange = { after: 0, limit: 0 };

const NO_IMPACT: DeviceImpact = { devices: 0, newDevices: 0, keys: [], items: [] };

/** Groups for the first page of a preview: the others would have the same. */
const groupsOf = ({ marker }: PreviewPage): GroupCounts | undefined =>
  marker === undefined ? new GroupCounts() : undefined;

/**
 * Adds up the impact of a large change. It holds the updated regions, cells and labels, because devices of later
 * parts can inherit from them, and the ids of the touched devices, so that none is counted twice.
 */
export class DeviceImpactAccumulator implements ImpactAccumulator {
  private readonly levelUpdates: ObjectDiff[] = [];
  private levels = new ChangedLevels([]);
  private readonly touched: number[] = [];
  /** The counts with the names that the result has. Equal ones are the same object. */
  private readonly directCounts: Readonly<
    Record<'devices' | 'publicDevices' | 'visibleDevices', DirectCount>
  >;
  private directPage = NO_IMPACT;
  /** On all variables, if the project has rules. */
  private directImpact = NO_IMPACT;
  /** Counted for the first page of a preview. */
  private readonly groups: GroupCounts | undefined;

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
    this.groups = preview && groupsOf(preview);
  }

  async add(part: ChangeDiff): Promise<void> {
    this.addLevelUpdates(
      part.objects.filter(({ mapping, action }) => isLevelKind(mapping.kind) && action === 'update'),
    );
    const devices = part.objects.filter(({ mapping }) => deviceKindNames.includes(mapping.kind));
    if (devices.length === 0) return;
    const assessment = new ImpactAssessment({ ...part, objects: devices }, this.resolver, this.levels);
    for (const id of assessment.touchedIds) this.touched.push(id);
    if (isGoverned(this.head)) {
      const direct = await assessment.pageOfDirect(Visibility.ALL, NO_DEVICES);
      this.directImpact = mergeImpacts(this.directImpact, direct, NO_DEVICES);
    }
    if (this.preview) {
      const direct = await assessment.pageOfDirect(this.head.ctx.visibility, this.pageBounds, this.groups);
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

  async assess(): Promise<AssessedImpact> {
    const indirect = await this.assessIndirect().pageOfIndirect(Visibility.ALL, NO_DEVICES, this.touched);
    return mergeImpacts(this.directImpact, indirect, NO_DEVICES);
  }

  async page(): Promise<PreviewedImpact> {
    if (!this.preview) throw new Error('an impact that is only counted has no page');
    const { visibility, base } = this.head.ctx;
    const assessment = this.assessIndirect();
    const indirect = await assessment.pageOfIndirect(visibility, this.pageBounds, this.touched);
    const found = mergeImpacts(this.directPage, indirect, this.pageBounds);
    if (this.groups) await assessment.countGroupsOfIndirect(this.groups, visibility, this.touched);
    const { devices, newDevices } = found;
    return { devices, newDevices, body: renderImpact(found, this.preview, base, this.groups) };
  }

  private addLevelUpdates(levels: readonly ObjectDiff[]): void {
    if (levels.length === 0) return;
    if (this.touched.length > 0)
      throw new Error('a large change must update regions, cells and labels before devices');
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

/** The position of the first id after another one. */
function firstAfter(ids: DeviceIds, after: number): number {
  let position = 0;
  while (position < ids.length && (ids[position] ?? 0) <= after) position++;
  return position;
}

/** Assesses the impact of changes on the resolved variables of devices. */
@Injectable()
export class ImpactService implements ImpactAssessor {
  constructor(private readonly resolver: VariableResolver) {}

  async count(change: ChangeDiff): Promise<ImpactCount> {
    const assessment = new ImpactAssessment(change, this.resolver);
    await assessment.lockOrder();
    const { devices, keys }: AssessedImpact =
      isGoverned(change) && hasKeyRules(change.policy)
        ? await assessment.page(Visibility.ALL, NO_DEVICES)
        : { devices: await assessment.count(Visibility.ALL) };
    const hidden = change.policy?.privateKeys ?? [];
    const publicDevices =
      hidden.length === 0 || devices === 0 ? devices : await assessment.count(new Visibility(hidden, []));
    return { devices, keys, publicDevices };
  }

  assess(change: ChangeDiff): Promise<AssessedImpact> {
    return new ImpactAssessment(change, this.resolver).page(Visibility.ALL, NO_DEVICES);
  }

  async page(change: ChangeDiff, page: PreviewPage): Promise<PreviewedImpact> {
    const { visibility, base } = change.ctx;
    const assessment = new ImpactAssessment(change, this.resolver);
    const groups = groupsOf(page);
    const bounds = { after: page.marker ?? 0, limit: page.limit + 1 };
    const found = await assessment.page(visibility, bounds, groups);
    const { devices, newDevices } = found;
    return { devices, newDevices, body: renderImpact(found, page, base, groups) };
  }

  async effects(change: ChangeDiff): Promise<ChangeEffects> {
    const assessment = new ImpactAssessment(change, this.resolver);
    if (!change.ctx.preview) await assessment.lockOrder();
    const { groups, created, touched, indirect } = await assessment.effects();
    const hidden = change.policy?.privateKeys ?? [];
    return {
      groups,
      get count() {
        const isPublic = new Visibility(hidden, []);
        const [all, visible] = [groups, groups.filter(({ key }) => isPublic.sees(JSON.parse(key) as string))];
        const devices = distinctDevices(all).length;
        return {
          devices,
          publicDevices: visible.length === all.length ? devices : distinctDevices(visible).length,
          keys: new Set(all.map(({ key }) => JSON.parse(key) as string)),
        };
      },
      page: async (page, visibility, hasGroups) => {
        const visible = groups.filter(({ key }) => visibility.sees(JSON.parse(key) as string));
        const all = distinctDevices(visible);
        const after = page.marker ?? 0;
        const start = firstAfter(all, after);
        const existing = Array.from(all.slice(start, start + page.limit + 1));
        const newDevices = Array.from(all.slice(0, firstAfter(all, 0)), (id) => created[-1 - id] ?? 0);
        // Their ids are the greatest.
        const ids = [...existing, ...newDevices.filter((id) => id > after).sort((a, b) => a - b)];
        const found = {
          devices: all.length,
          newDevices: newDevices.length,
          keys: new Set(visible.map(({ key }) => JSON.parse(key) as string)),
          items: await assessment.changesOf(ids.slice(0, page.limit + 1), visibility),
        };
        const counts = hasGroups ? new GroupCounts() : undefined;
        if (counts && indirect) {
          const sees = ({ key }: VariableChange) => visibility.sees(JSON.parse(key) as string);
          counts.addDevices(
            touched.map(({ changes, region }) => ({ region, changes: changes.filter(sees) })),
          );
          for (const one of indirect) if (sees(one.change)) counts.add(one.change, one.counted);
        } else if (counts) await assessment.countGroups(counts, visibility);
        const body = renderImpact(found, page, change.ctx.base, counts);
        return { devices: found.devices, newDevices: found.newDevices, body };
      },
    };
  }

  accumulate(
    head: ChangeHead,
    page: PreviewPage | undefined,
    countsVisible: boolean,
  ): DeviceImpactAccumulator {
    return new DeviceImpactAccumulator(head, page, this.resolver, countsVisible);
  }
}
