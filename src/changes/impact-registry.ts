import { Injectable } from '@nestjs/common';
import type { PreviewPage } from '../core/context/request-context';
import type { ChangeDiff } from './change-diff';

/** For how many devices a change alters the resolved value of some variable. */
export interface ImpactCount {
  readonly devices: number;
  /** The same, counted by those variables alone that the project hides from nobody. */
  readonly publicDevices: number;
}

/** What there is to know of a preview's impact. */
export interface PreviewedImpact {
  readonly devices: number;
  /** The `impact` of a preview as JSON text. */
  readonly body: string;
}

/** What a change is made by and where, whatever it does. */
export type ChangeHead = Omit<ChangeDiff, 'objects'>;

/** Adds up the impact of a change that is described part by part: what devices inherit from comes before them. */
export interface ImpactAccumulator {
  add(part: ChangeDiff): Promise<void>;
  /** Of all parts. Asked once, at the end. */
  count(): Promise<ImpactCount>;
  /** Of all parts, as whoever asks may see it; only of a tally that was begun with a page. */
  page(): Promise<PreviewedImpact>;
}

/** Finds out what a change does to the resolved variables of devices. */
export interface ImpactAssessor {
  /** Exact; without looking at every device where that can be avoided. */
  count(change: ChangeDiff): Promise<ImpactCount>;
  /**
   * The same with the devices themselves, a page of them, as far as the one who asks may see their variables.
   * @returns the number of devices and the `impact` of a preview as JSON text
   */
  page(change: ChangeDiff, page: PreviewPage): Promise<PreviewedImpact>;
  /** @param page which of the devices to name in the end; absent: they are only counted */
  accumulate(head: ChangeHead, page: PreviewPage | undefined): ImpactAccumulator;
}

/**
 * Changes have an impact, but do not know what a device is and what it inherits: those who do, which come later in
 * the order of imports, take the part here.
 */
@Injectable()
export class ImpactRegistry {
  private assessor: ImpactAssessor | undefined;

  register(assessor: ImpactAssessor): void {
    this.assessor = assessor;
  }

  async count(change: ChangeDiff): Promise<ImpactCount> {
    // Without one (the commands, which touch no inventory) nothing that is touched has to do with devices.
    return this.assessor ? this.assessor.count(change) : { devices: 0, publicDevices: 0 };
  }

  async page(change: ChangeDiff, page: PreviewPage): Promise<PreviewedImpact> {
    return this.known.page(change, page);
  }

  accumulate(head: ChangeHead, page: PreviewPage | undefined): ImpactAccumulator {
    return this.known.accumulate(head, page);
  }

  private get known(): ImpactAssessor {
    if (!this.assessor) throw new Error('nobody assesses impacts');
    return this.assessor;
  }
}
