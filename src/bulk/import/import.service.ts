import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Request } from 'express';
import { isVariableRole } from '../../auth/access';
import { RefusalLog } from '../../auth/audit-log/auth-audit-log';
import { ChangesService } from '../../changes/changes.service';
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

/** The result of an import. */
export interface Imported {
  readonly summary: Summary;
  /** The staged lines with their results; undefined if a stored response is replayed. */
  readonly intake: Intake | undefined;
  /** The impact of a dry run, as JSON text. */
  readonly impact: string | undefined;
}

/** Imports inventories: stages the lines of the body, then writes all of them in one change. */
@Injectable()
export class ImportService {
  private readonly log = new Logger('Import');

  constructor(
    private readonly changes: ChangesService,
    private readonly labels: LabelAssignments,
    private readonly limiter: ImportLimiter,
    private readonly refusals: RefusalLog,
    @Inject(IMPORT_LIMITS) private readonly limits: ImportLimits,
  ) {}

  /**
   * @returns the result, and the temporary directory with it; the caller must remove the directory
   * @throws InventoryError 400, 403, 405, 409, 413, 415; also for a failed line
   */
  async import(
    ctx: RequestContext,
    request: Request,
    mode: Mode,
  ): Promise<{ readonly result: Imported; readonly tempDir: Workspace }> {
    assertAnyWriteRole(ctx);
    const lines = bodyLines(request, this.limits.bytes);
    const owner = { project: ctx.projectId, request: ctx.requestId };
    try {
      const work = async (tempDir: Workspace): Promise<Imported> => {
        const staging = await Intake.create(ctx, tempDir);
        await staging.take(lines);
        if (mode === 'all' && staging.outcomes.failed > 0) throw new ImportRefused(staging.outcomes.summary);
        const imported = await whileClientStays(request, (signal) => this.write(ctx, staging, mode, signal));
        this.auditForbidden(request, imported.summary);
        return imported;
      };
      return await this.limiter.run(() => Workspace.within(owner, work));
    } catch (error) {
      if (!(error instanceof Gone)) throw error;
      const point = request.complete ? 'the import was committed' : 'the end of the body';
      this.log.warn(
        `The client of an import disconnected before ${point}: nothing was imported (request ${ctx.requestId}).`,
      );
      throw new InventoryError('invalid_request', 'The body is incomplete: nothing was imported.');
    }
  }

  /** Logs lines that the roles of the caller do not allow, in an import whose other lines were written. */
  private auditForbidden(request: Request, { errors }: Summary): void {
    const [first, ...others] = errors.filter(({ code }) => code === 'forbidden');
    if (first) this.refusals.notePart(request, first.message, 1 + others.length);
  }

  private async write(
    ctx: RequestContext,
    staging: Intake,
    mode: Mode,
    signal: AbortSignal,
  ): Promise<Imported> {
    const state = { isReplayed: true };
    const { outcomes: report } = staging;
    const { result, preview } = await this.changes.writeInBatches(ctx, undefined, async (change) => {
      state.isReplayed = false;
      await new ImportRun(change, staging, this.labels, signal).write();
      if (mode === 'all' && report.failed > 0) throw new ImportRefused(report.summary);
      return report.summary;
    });
    return { summary: result, intake: state.isReplayed ? undefined : staging, impact: preview?.body };
  }
}

/** Rejects callers without any write role before the body is read. @throws InventoryError 403 */
function assertAnyWriteRole({ principal: { isAdmin, isRoot, roles } }: RequestContext): void {
  if (isAdmin || isRoot || roles.some((role) => isVariableRole(role) || role.endsWith(':write'))) return;
  throw new InventoryError('forbidden', 'The roles of this user do not allow this.');
}
