import { Readable } from 'node:stream';
import { Injectable, Logger } from '@nestjs/common';
import { isVariableRole } from '../../auth/access';
import type { ChangeSet } from '../../changes/change-set';
import type { LargeChange, LargePreview } from '../../changes/large-change';
import { inChangeSet } from '../../changes/large-operation';
import type { Operation } from '../../changes/operation';
import { ChangesService } from '../../changes/changes.service';
import { LabelAssignments } from '../../labels/label-assignments';
import { type Idempotency, type RequestContext, UNSHOWN_PAGE } from '../../core/context/request-context';
import type { WriteOutcome } from '../../core/write-result';
import { InventoryError } from '../../core/errors';
import { type BodyLine, ClientDisconnectedError, type ImportOptions } from './import-request';
import { BodyRejectedError, ImportRejectedError } from './import-rejection';
import type { ImportSummary } from './import-report';
import { ImportRun } from './import-run';
import { ImportStaging } from './import-staging';
import { LineTable } from './line-table';
import { SimilarKeys } from './similar-keys';
import { resolveInvalidLines } from './resolve-references';
import { TemporarySpace } from './temporary-space';
import { Environment } from '../../config/environment';
import { Database } from '../../database/database';
import { toInventoryError } from '../../database/errors/database-error-mapping';
import { raw, sql } from '../../database/sql';
import { inSavepoint } from '../../database/transaction';
import { MAX_SESSIONS } from '../../database/session';
import { ConcurrencyLimiter, sharesOf } from '../../core/concurrency';

/** The request body of an import. */
export interface ImportBody {
  /**
   * Reads the lines as they arrive.
   * @param maxBytes the maximum size of the decompressed body
   * @throws InventoryError 400, 413, 415; ClientDisconnectedError; at once or while lines are read
   */
  readLines(maxBytes: number): AsyncIterable<readonly BodyLine[]>;
  /** Whether all of it has been received. */
  isReceived(): boolean;
  /** Identifies the request, if a retry must not repeat its effects. The lines must have been read. */
  idempotency(): Idempotency | undefined;
  /** Aborted when the client disconnects. */
  readonly disconnected: AbortSignal;
}

/** An import whose lines are stored. */
interface StagedImport {
  /** The staged lines with their results. The caller must close their table. */
  readonly staging: ImportStaging;
}

/** The result of an import. */
export interface ImportResult extends StagedImport {
  readonly summary: ImportSummary;
  /** Whether this is the stored result of an earlier request. Then the lines have none. */
  readonly isReplayed: boolean;
  /** The impact of a dry run. */
  readonly impact: LargePreview | undefined;
  readonly outcome: WriteOutcome;
}

/** How an import runs. */
interface RunOptions extends ImportOptions {
  /** How long it waits for each lock; absent: as long as any change. */
  readonly lockTimeout?: string;
}

/** How many of the largest bodies the staged lines of all imports of a process may take. Those of a user take half. */
const SPACE_FACTOR = 4;

/** How long a dry run that only explains an error waits for other changes. */
const BRIEF_LOCK_TIMEOUT = '1s';

/** For lines that do not come from a client. */
const NEVER_DISCONNECTED = new AbortController().signal;

/** Imports inventories: stages the lines of the body, then writes all of them in one change. */
@Injectable()
export class ImportService {
  private readonly log = new Logger('Import');
  /** Each import holds its client's connection, disk space of the database, and a session, until its response is sent. */
  private readonly limiter = new ConcurrencyLimiter({
    maxConcurrent: MAX_SESSIONS,
    message: 'Too many imports are running. Retry later.',
    retryAfterSeconds: 10,
    shares: { ...sharesOf(MAX_SESSIONS), callsName: 'imports' },
  });

  private readonly space: TemporarySpace;

  constructor(
    private readonly changes: ChangesService,
    private readonly labels: LabelAssignments,
    private readonly environment: Environment,
    private readonly database: Database,
    private readonly similarKeys: SimilarKeys,
  ) {
    this.space = new TemporarySpace(SPACE_FACTOR * environment.IMPORT_LIMIT_BYTES);
  }

  /**
   * @throws InventoryError 400, 403, 405, 409, 413, 415; also for a failed line; 503 if too many imports are running, or
   *   they need too much space
   */
  async import(ctx: RequestContext, body: ImportBody, options: RunOptions): Promise<ImportResult> {
    assertAnyWriteRole(ctx);
    const lines = body.readLines(this.environment.IMPORT_LIMIT_BYTES);
    const work = async (staging: ImportStaging): Promise<ImportResult> => {
      await staging.stage(lines, options.mode);
      const identified = { ...ctx, idempotency: body.idempotency() };
      return options.mode === 'all' && staging.report.failed > 0
        ? this.findOtherFaults(identified, staging, options, body.disconnected)
        : this.write(identified, staging, options, body.disconnected);
    };
    try {
      return await this.untilClosed(ctx, () => this.withStaging(ctx, options, work));
    } catch (error) {
      if (!(error instanceof ClientDisconnectedError)) throw error;
      const point = body.isReceived() ? 'the import was committed' : 'the end of the body';
      this.log.warn(
        `The client of an import disconnected before ${point}: nothing was imported (request ${ctx.requestId}).`,
      );
      throw InventoryError.invalidBody('invalid_format', 'The body is incomplete: nothing was imported.');
    }
  }

  /**
   * Prepares an import of few lines, to run with other writes in one change. A line that cannot be imported fails it.
   * @throws InventoryError 403
   */
  prepare(ctx: RequestContext, lines: readonly BodyLine[]): Operation<ImportSummary> {
    assertAnyWriteRole(ctx);
    const staged: ImportStaging[] = [];
    const { run, note } = inChangeSet({
      run: async (writer) => {
        const [staging] = staged;
        if (!staging) throw new Error('the lines of an import were not staged');
        const change = { ...writer, inPart: <T>(work: PartWork<T>) => writer.inPart(inSavepointOf(work)) };
        await new ImportRun(change, staging, this.labels, 'all', NEVER_DISCONNECTED).write();
        const { report } = staging;
        if (report.failed > 0) throw new ImportRejectedError(report.rejection);
        return report.summary;
      },
    });
    return {
      note,
      run,
      // Within the transaction, it would wait for another connection.
      check: async () => {
        const { staging } = await this.untilClosed(ctx, () => this.stage(ctx, lines));
        staged.push(staging);
      },
      release: async () => {
        for (const { table } of staged.splice(0)) await table.close();
      },
    };
  }

  /**
   * Makes a dry run of lines that cannot be proposed, as an import of their own: its errors name the lines of the request.
   * @param disconnected aborted when the client disconnects
   * @returns the error with all faults of all lines; undefined if the proposal was rejected for another reason, or if the dry run fails:
   *   that must not hide why the proposal was rejected
   */
  async findFaults(
    ctx: RequestContext,
    lines: readonly BodyLine[],
    options: ImportOptions,
    disconnected: AbortSignal,
  ): Promise<InventoryError | undefined> {
    const body = {
      readLines: () => Readable.from([lines]),
      isReceived: () => true,
      idempotency: () => undefined,
      disconnected,
    };
    const hasty = { ...options, lockTimeout: BRIEF_LOCK_TIMEOUT };
    try {
      const { staging } = await this.import({ ...ctx, preview: UNSHOWN_PAGE }, body, hasty);
      await staging.table.close();
      return undefined;
    } catch (error) {
      if (error instanceof ImportRejectedError || error instanceof BodyRejectedError) return error;
      this.logUnchecked(ctx, error);
      return undefined;
    }
  }

  private logUnchecked({ requestId: request_id }: RequestContext, error: unknown): void {
    const message = 'Lines of a faulty import could not be checked.';
    if (error instanceof InventoryError || toInventoryError(error))
      this.log.warn({ request_id, error: String(error) }, message);
    else this.log.error({ request_id, err: error }, message);
  }

  /** @throws ImportRejectedError if a line is invalid */
  private stage(ctx: RequestContext, lines: readonly BodyLine[]): Promise<StagedImport> {
    return this.withStaging(ctx, { showsChanges: false }, async (staging) => {
      await staging.stage(Readable.from([lines]), 'all');
      const { report, staged, skipped } = staging;
      if (report.failed > 0)
        throw new ImportRejectedError({
          ...report.rejection,
          unchecked: staged + skipped,
          isStopped: report.hasMaxErrors,
        });
      return { staging };
    });
  }

  /** Counts an import as running until its table is closed. */
  private untilClosed<T extends StagedImport>(ctx: RequestContext, work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const run = async () => {
        const result = await work();
        resolve(result);
        await result.staging.table.closed;
      };
      this.limiter.run(run, { caller: ctx }).catch(reject);
    });
  }

  /** Closes the table if the work fails. */
  private async withStaging<T>(
    ctx: RequestContext,
    { showsChanges }: Pick<ImportOptions, 'showsChanges'>,
    work: (staging: ImportStaging) => Promise<T>,
  ): Promise<T> {
    const table = new LineTable(this.database, this.space.begin(ctx));
    try {
      return await work(new ImportStaging(ctx, table, showsChanges, this.similarKeys));
    } catch (error) {
      await table.close();
      throw error;
    }
  }

  /**
   * Rejects an import with invalid lines. It writes the valid ones and rolls them back, so that all faults of all lines
   * are reported together. If none is valid, it only reads, and does not wait for other imports.
   */
  private async findOtherFaults(
    ctx: RequestContext,
    staging: ImportStaging,
    options: RunOptions,
    signal: AbortSignal,
  ): Promise<ImportResult> {
    const { report, staged, skipped, linesToLookUp } = staging;
    const isStopped = report.hasMaxErrors;
    if (!isStopped)
      try {
        if (staged > 0) return await this.write(ctx, staging, options, signal);
        if (linesToLookUp.length > 0)
          await this.database.snapshot((on) => resolveInvalidLines(on, ctx, staging));
      } catch (error) {
        // Any other error concerns the import as a whole. The lines are invalid without it, too.
        if (error instanceof ImportRejectedError) throw error;
        if (!(error instanceof InventoryError)) {
          if (!toInventoryError(error)) throw error;
          this.logUnchecked(ctx, error);
        }
        report.reset();
      }
    throw new ImportRejectedError({ ...report.rejection, unchecked: staged + skipped, isStopped });
  }

  private async write(
    ctx: RequestContext,
    staging: ImportStaging,
    { mode, maxAffectedDevices, lockTimeout }: RunOptions,
    signal: AbortSignal,
  ): Promise<ImportResult> {
    const state = { isReplayed: true };
    const { report } = staging;
    const run = async (change: LargeChange): Promise<ImportSummary> => {
      state.isReplayed = false;
      if (lockTimeout !== undefined)
        await change.tx.execute(sql`SET LOCAL lock_timeout = ${raw(`'${lockTimeout}'`)}`);
      await new ImportRun(change, staging, this.labels, mode, signal).write();
      if (mode === 'all' && report.failed > 0) throw new ImportRejectedError(report.rejection);
      return report.summary;
    };
    const { result, preview, ...outcome } = await this.changes.runLarge(ctx, {
      maxDevices: maxAffectedDevices,
      run,
    });
    return { summary: result, staging, isReplayed: state.isReplayed, impact: preview, outcome };
  }
}

type PartWork<T> = (change: ChangeSet) => Promise<T>;

/**
 * The same work, as a part of the change that is rolled back if it fails: the import then finds the line whose fault it is.
 */
const inSavepointOf =
  <T>(work: PartWork<T>): PartWork<T> =>
  async (change) => {
    const part = change.part({});
    const tryWork = async () => {
      try {
        return { result: await work(part) };
      } catch (error) {
        return { error };
      }
    };
    const tried = await inSavepoint(change.tx, tryWork, (done) => 'result' in done);
    if ('error' in tried) throw tried.error;
    change.add(part);
    return tried.result;
  };

/** Rejects callers without any write role before the body is read. @throws InventoryError 403 */
function assertAnyWriteRole({ principal: { isAdmin, isRoot, roles } }: RequestContext): void {
  if (isAdmin || isRoot || roles.some((role) => isVariableRole(role) || role.endsWith(':write'))) return;
  throw InventoryError.forbidden(
    'An import needs a role: *:write, that of a collection such as hosts:write, or one for a variable.',
    ['*:write'],
  );
}
