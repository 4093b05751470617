import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { DescribedChange } from '../changes/change-diff';
import {
  Impacts,
  type ChangeHead,
  type ImpactAssessor,
  type ImpactCount,
  type PreviewedImpact,
} from '../changes/impact-assessor';
import type { PreviewPage } from '../core/context/request-context';
import { Visibility } from '../core/context/visibility';
import { VariableResolver } from '../variables/variable-resolver';
import { Assessment } from './impact-assessment';
import { impactText } from './impact-page';
import { Tally } from './impact-accumulator';

/** Assesses the impact of changes on the resolved variables of devices. */
@Injectable()
export class ImpactService implements ImpactAssessor, OnModuleInit {
  constructor(
    private readonly impacts: Impacts,
    private readonly resolver: VariableResolver,
  ) {}

  onModuleInit(): void {
    this.impacts.take(this);
  }

  async count(change: DescribedChange): Promise<ImpactCount> {
    const assessment = new Assessment(change, this.resolver);
    await assessment.lockOrder();
    const devices = await assessment.count(Visibility.WHOLE);
    const hidden = change.policy?.hidden ?? [];
    if (hidden.length === 0 || devices === 0) return { devices, seenByEverybody: devices };
    return { devices, seenByEverybody: await assessment.count(new Visibility(hidden, [])) };
  }

  async page(change: DescribedChange, page: PreviewPage): Promise<PreviewedImpact> {
    const { visibility, base } = change.ctx;
    const found = await new Assessment(change, this.resolver).page(visibility, {
      behind: page.marker ?? 0,
      most: page.limit + 1,
    });
    return { devices: found.devices, body: impactText(found, page, base) };
  }

  tally(head: ChangeHead, page: PreviewPage | undefined): Tally {
    return new Tally(head, page, this.resolver);
  }
}
