import { Injectable } from '@nestjs/common';
import type { PreviewPage } from '../shared/context/request-context';
import type { DescribedChange } from './described-change';

/** For how many devices a change alters the resolved value of some variable. */
export interface ImpactCount {
  readonly devices: number;
  /** The same, counted by those variables alone that the project hides from nobody. */
  readonly seenByEverybody: number;
}

/** Finds out what a change does to the resolved variables of devices. */
export interface ImpactAssessor {
  /** Exact; without looking at every device where that can be avoided. */
  count(change: DescribedChange): Promise<ImpactCount>;
  /**
   * The same with the devices themselves, a page of them, as far as the one who asks may see their variables.
   * @returns the number of devices and the `impact` of a preview as JSON text
   */
  page(
    change: DescribedChange,
    page: PreviewPage,
  ): Promise<{ readonly devices: number; readonly body: string }>;
}

/**
 * Changes have an impact, but do not know what a device is and what it inherits: those who do, which come later in
 * the order of imports, take the part here.
 */
@Injectable()
export class Impacts {
  private assessor: ImpactAssessor | undefined;

  take(assessor: ImpactAssessor): void {
    this.assessor = assessor;
  }

  async count(change: DescribedChange): Promise<ImpactCount> {
    // Without one (the commands, which touch no inventory) nothing that is touched has to do with devices.
    return this.assessor ? this.assessor.count(change) : { devices: 0, seenByEverybody: 0 };
  }

  async page(change: DescribedChange, page: PreviewPage): ReturnType<ImpactAssessor['page']> {
    if (!this.assessor) throw new Error('nobody assesses impacts');
    return this.assessor.page(change, page);
  }
}
