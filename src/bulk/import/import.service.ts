import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Request } from 'express';
import { isVariableRole } from '../../auth/access';
import { RefusalLog } from '../../auth/audit-log/auth-audit-log';
import { Changes } from '../../changes/changes.service';
import { LabelAssignments } from '../../labels/label-assignments';
import type { RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors/inventory-error';
import { whileClientStays } from '../../http/request';
import { Gone } from './client-disconnected';
import { bodyLines } from './import-body';
import { IMPORT_LIMITS, type ImportLimits } from './import-limits';
import type { Mode } from './import-query';
import { ImportRefused } from './import-rejected';
import { ImportRun } from './import-run';
import { ImportLimiter } from './import-limiter';
import { Intake } from './import-staging';
import type { Summary } from './import-report';
import { Workspace } from './temp-dir';

/** What came of an import. */
export interface Imported {
  readonly summary: Summary;
  /** The lines, with what each came to; undefined where an answer is given again, which does not keep it. */
  readonly intake: Intake | undefined;
  /** The impact of an import that was only tried, as JSON text. */
  readonly impact: string | undefined;
}

/** Imports whole inventories: the lines first, and then all that they say in one change. */
@Injectable()
export class ImportService {
  private readonly log = new Logger('Import');

  constructor(
    private readonly changes: Changes,
    private readonly labels: LabelAssignments,
    private readonly limiter: ImportLimiter,
    private readonly refusals: RefusalLog,
    @Inject(IMPORT_LIMITS) private readonly limits: ImportLimits,
  ) {}

  /**
   * @param tell makes the answer, while what the lines came to is at hand
   * @returns what came of it, and the folder with it, which has to be removed
   * @throws InventoryError 400, 403, 405, 409, 413, 415, for a line too
   */
  async import(
    ctx: RequestContext,
    request: Request,
    mode: Mode,
  ): Promise<{ readonly result: Imported; readonly workspace: Workspace }> {
    requireAnyRole(ctx);
    const lines = bodyLines(request, this.limits.bytes);
    const owner = { project: ctx.projectId, request: ctx.requestId };
    try {
      const work = async (workspace: Workspace): Promise<Imported> => {
        const intake = await Intake.create(ctx, workspace);
        await intake.take(lines);
        if (mode === 'all' && intake.outcomes.failed > 0) throw new ImportRefused(intake.outcomes.summary);
        const imported = await whileClientStays(request, (gone) => this.write(ctx, intake, mode, gone));
        this.noteForbidden(request, imported.summary);
        return imported;
      };
      return await this.limiter.run(() => Workspace.within(owner, work));
    } catch (error) {
      if (!(error instanceof Gone)) throw error;
      const when = request.complete ? 'it was done' : 'its body had ended';
      this.log.warn(
        `An import was cut off before ${when}: nothing of it was written (request ${ctx.requestId}).`,
      );
      throw new InventoryError('invalid_request', 'The body was cut off: nothing of it was written.');
    }
  }

  /** Lines that the caller's roles do not allow are refused one by one, where the others are written. */
  private noteForbidden(request: Request, { errors }: Summary): void {
    const [first, ...others] = errors.filter(({ code }) => code === 'forbidden');
    if (first) this.refusals.notePart(request, first.message, 1 + others.length);
  }

  private async write(ctx: RequestContext, intake: Intake, mode: Mode, gone: AbortSignal): Promise<Imported> {
    const state = { isReplayed: true };
    const { outcomes } = intake;
    const { result, preview } = await this.changes.writeInParts(ctx, undefined, async (change) => {
      state.isReplayed = false;
      await new ImportRun(change, intake, this.labels, gone).write();
      if (mode === 'all' && outcomes.failed > 0) throw new ImportRefused(outcomes.summary);
      return outcomes.summary;
    });
    return { summary: result, intake: state.isReplayed ? undefined : intake, impact: preview?.body };
  }
}

/** Whoever may write nothing at all sends nothing either. @throws InventoryError 403 */
function requireAnyRole({ principal: { isAdmin, isRoot, roles } }: RequestContext): void {
  if (isAdmin || isRoot || roles.some((role) => isVariableRole(role) || role.endsWith(':write'))) return;
  throw new InventoryError('forbidden', 'The roles of this user do not allow this.');
}
