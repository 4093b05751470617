import type { PreviewPage } from '../core/context/request-context';
import type { Visibility } from '../core/context/variable-keys';
import type { ChangeDiff, VariableChange } from './change-diff';

/** The impact of a change on all variables, also those that the caller may not see. */
export interface AssessedImpact {
  readonly devices: number;
  /** The keys whose resolved values change; absent if no rule of the project looks at them. */
  readonly keys?: Iterable<string> | undefined;
}

/** For how many devices a change alters the resolved value of some variable. */
export interface ImpactCount extends AssessedImpact {
  /** The same, considering only variables that are not private in the project. */
  readonly publicDevices: number;
}

/** The impact of a large change. */
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

/** Adds up the impact of a large change. What devices inherit from must come before devices. */
export interface ImpactAccumulator {
  add(part: ChangeDiff): Promise<void>;
  /** The impact of all parts. Called once, at the end. */
  count(): Promise<AccumulatedImpact>;
  /** The impact of all parts, as the caller may see it. Available only if `accumulate` got a page. */
  page(): Promise<PreviewedImpact>;
  /** What the rules of the project look at. Available only if the project has rules. */
  assess(): Promise<AssessedImpact>;
}

/** Ids of devices, in order. Many are in an array of numbers without boxes. */
export type DeviceIds = Float64Array | readonly number[];

/** The devices on which the resolved value of a variable changes in the same way. */
export interface EffectGroup extends VariableChange {
  /**
   * Their ids, in order. A device that the change creates has a negative number, by its position among these: its id is
   * another one in the next dry run.
   */
  readonly devices: DeviceIds;
}

/** Everything that a change does to the resolved variables of devices, for a reader who sees everything. */
export interface ChangeEffects {
  /** Those with the most devices first. */
  readonly groups: readonly EffectGroup[];
  /** Like `ImpactAssessor.count`. It always has the keys. */
  readonly count: ImpactCount;
  /**
   * The impact as somebody may see it, like that of `ImpactAssessor.page`.
   * @param hasGroups whether it has the counts of devices by changes of values
   */
  page(page: PreviewPage, visibility: Visibility, hasGroups: boolean): Promise<PreviewedImpact>;
}

/** Computes what a change does to the resolved variables of devices. */
export interface ImpactAssessor {
  /** Exact. Avoids reading every device where possible. */
  count(change: ChangeDiff): Promise<ImpactCount>;
  /** Like `count`, without waiting for concurrent changes. It always has the keys. */
  assess(change: ChangeDiff): Promise<AssessedImpact>;
  /**
   * Like `count`, with a page of the devices and those of their variables that the caller may see. The first page has
   * the counts of devices by changes of values.
   */
  page(change: ChangeDiff, page: PreviewPage): Promise<PreviewedImpact>;
  /**
   * Like `page`, for everything at once. Outside of a dry run, it is exact like `count`.
   * @returns what is valid within the transaction of the change
   */
  effects(change: ChangeDiff): Promise<ChangeEffects>;
  /**
   * @param page the page of devices to return at the end; absent: devices are only counted
   * @param countsVisible whether to count separately what the caller may see
   */
  accumulate(head: ChangeHead, page: PreviewPage | undefined, countsVisible: boolean): ImpactAccumulator;
}

/** The token of the `ImpactAssessor`. It knows devices and what they inherit, so it is above this folder: see `AppModule`. */
export const IMPACT_ASSESSOR = Symbol('impact assessor');
