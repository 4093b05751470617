import { Injectable } from '@nestjs/common';
import type { PreviewPage } from '../core/context/request-context';
import type { ChangeDiff } from './change-diff';

/** A rule for every write, in addition to the checks of its service. */
export interface WritePolicy {
  /** @throws InventoryError if the change violates the rule. The change is then rolled back */
  check(change: ChangeDiff): Promise<void>;
}

/** The registered rules. Modules that are imported later add theirs here. */
@Injectable()
export class WritePolicies {
  private readonly policies: WritePolicy[] = [];

  add(policy: WritePolicy): void {
    this.policies.push(policy);
  }

  async check(change: ChangeDiff): Promise<void> {
    for (const policy of this.policies) await policy.check(change);
  }
}

/** For how many devices a change alters the resolved value of some variable. */
export interface ImpactCount {
  readonly devices: number;
  /** The same, considering only variables that are not private in the project. */
  readonly publicDevices: number;
}

/** The impact of a change that was written in batches. */
export interface AccumulatedImpact extends ImpactCount {
  /** The same, considering only variables that the caller may see; all devices if they are not counted separately. */
  readonly visibleDevices: number;
}

/** The impact in a preview. */
export interface PreviewedImpact {
  readonly devices: number;
  /** How many of these devices the change creates. */
  readonly newDevices: number;
  /** The member `impact` of the preview, as JSON text. */
  readonly body: string;
}

/** Who makes a change, where and why. */
export type ChangeHead = Omit<ChangeDiff, 'objects'>;

/** Adds up the impact of a change that is written in batches. What devices inherit from must come before devices. */
export interface ImpactAccumulator {
  add(batch: ChangeDiff): Promise<void>;
  /** The impact of all batches. Called once, at the end. */
  count(): Promise<AccumulatedImpact>;
  /** The impact of all batches, as the caller may see it. Available only if `accumulate` got a page. */
  page(): Promise<PreviewedImpact>;
}

/** Computes what a change does to the resolved variables of devices. */
export interface ImpactAssessor {
  /** Exact. Avoids reading every device where possible. */
  count(change: ChangeDiff): Promise<ImpactCount>;
  /** Like `count`, with a page of the devices and those of their variables that the caller may see. */
  page(change: ChangeDiff, page: PreviewPage): Promise<PreviewedImpact>;
  /**
   * @param page the page of devices to return at the end; absent: devices are only counted
   * @param countsVisible whether to count separately what the caller may see
   */
  accumulate(head: ChangeHead, page: PreviewPage | undefined, countsVisible: boolean): ImpactAccumulator;
}

/**
 * Holds the assessor of impacts. This module does not depend on devices and inheritance: the module that does is
 * imported later, and registers its assessor here.
 */
@Injectable()
export class ImpactRegistry {
  private assessor: ImpactAssessor | undefined;

  register(assessor: ImpactAssessor): void {
    this.assessor = assessor;
  }

  async count(change: ChangeDiff): Promise<ImpactCount> {
    // Commands register no assessor: they do not touch the inventory.
    return this.assessor ? this.assessor.count(change) : { devices: 0, publicDevices: 0 };
  }

  async page(change: ChangeDiff, page: PreviewPage): Promise<PreviewedImpact> {
    return this.known.page(change, page);
  }

  accumulate(head: ChangeHead, page: PreviewPage | undefined, countsVisible: boolean): ImpactAccumulator {
    return this.known.accumulate(head, page, countsVisible);
  }

  private get known(): ImpactAssessor {
    if (!this.assessor) throw new Error('no impact assessor is registered');
    return this.assessor;
  }
}
