import { Injectable } from '@nestjs/common';
import { ProjectPolicies } from '../auth/project-policies';
import type { RequestContext } from '../shared/context/request-context';
import { Interruption } from '../shared/http/interruption';
import { Database } from '../shared/persistence/database';
import { ChangeSet } from './change-set';
import { requireReason } from './change-reason';
import { storeChange } from './change-store';
import { describe, requireVisible, type DescribedChange } from './described-change';
import { Impacts } from './impact-assessor';
import { previewAnswer } from './preview';
import { WriteRules } from './write-rules';

/** Writes: each in one transaction, governed, and with its change record inside. */
@Injectable()
export class Changes {
  constructor(
    private readonly database: Database,
    private readonly policies: ProjectPolicies,
    private readonly impacts: Impacts,
    private readonly rules: WriteRules,
  ) {}

  /**
   * Runs `work` in one transaction and records what it touched; if anything fails, nothing has happened.
   * `work` may be run again when it loses against a simultaneous change.
   * @param note the reason in the request's body, which counts where the header gives none
   * @throws InventoryError 400 for a reason that the project's settings do not allow, 403 for a private variable
   * @throws Interruption with what the change would do, if it is only tried
   */
  async write<T>(
    ctx: RequestContext,
    note: string | null | undefined,
    work: (change: ChangeSet) => Promise<T>,
  ): Promise<T> {
    return this.database.transaction(async (tx) => {
      const change = new ChangeSet(ctx, tx, note);
      const result = await work(change);
      const described = await describe(change);
      await this.govern(described);
      if (ctx.preview) {
        const { devices, body } = await this.impacts.page(described, ctx.preview);
        throw new Interruption(previewAnswer(described, devices, body));
      }
      await storeChange(described, await this.impacts.count(described));
      return result;
    });
  }

  private async govern(change: DescribedChange): Promise<void> {
    // The project that is written, which root may have named by nothing but an id in it.
    const policy = await this.policies.of(change.projectId);
    requireReason(policy?.reason, change.reason);
    requireVisible(change);
    await this.rules.check(change);
  }
}
