import type { PreviewPage } from '../core/context/request-context';
import type { ChangeDiff } from './change-diff';

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

/** The token of the `ImpactAssessor`. It knows devices and what they inherit, so it is above this folder: see `AppModule`. */
export const IMPACT_ASSESSOR = Symbol('impact assessor');
