import { CliError, EXIT } from '../../cli-error';
import { requireConfirmation } from '../confirmed-write';
import { BatchImport } from './batches';
import type { ImportMode } from './import-request';
import { Importer, LinesRejectedError } from './import-client';
import type { ImportSource } from './source';
import { MAX_SHOWN, printSummary, type ImportSummary } from './import-report';
import { allowLongRequests, InterruptHandler } from '../long-requests';
import type { Session } from '../session';
import { pluralize } from '../../output/console';
import { startProgress } from '../../output/progress';

/** How an import is sent, whatever its source. */
export interface SendOptions {
  readonly dryRun?: true;
  readonly yes?: true;
  readonly partial?: true;
  readonly batch?: number;
  readonly quiet?: true;
}

/**
 * Imports a source: with a dry run first, unless it is turned off.
 * @throws CliError if the import is rejected or declined, or lines could not be imported; ApiError
 */
export async function importFrom(
  source: ImportSource,
  options: SendOptions,
  session: Session,
): Promise<void> {
  const { format } = session;
  const [dryRun, partial] = [options.dryRun === true, options.partial === true];
  const isCsv = format === 'table';
  const mode = {
    ...{ dryRun, partial },
    byLine: dryRun || (partial && !isCsv),
    maxChangedLines: !dryRun ? 0 : isCsv ? MAX_SHOWN : Infinity,
    // A device can be affected by several batches, so their numbers cannot be added.
    readsAffectedDevices: options.yes === true && !dryRun && options.batch === undefined,
  };
  await allowLongRequests();
  let summary: ImportSummary;
  try {
    if (needsPreview(options)) await confirmImport(source, options, session);
    summary = await sendSource(source, options, session, mode);
  } finally {
    source.close();
  }
  await printSummary(format, summary, dryRun);
  const { failed, created, updated, unchanged } = summary;
  const others =
    created + updated + unchanged === 0 ? '; there were no other lines' : '; the others were imported';
  if (failed > 0)
    throw new CliError(
      `${pluralize(failed, 'line')} could not be imported${dryRun ? ' (nothing was written)' : others}.`,
      EXIT.partial,
    );
}

/** Sends the source once. Shows the progress and handles interrupts. */
async function sendSource(
  source: ImportSource,
  options: SendOptions,
  { muster, format }: Session,
  mode: ImportMode,
): Promise<ImportSummary> {
  const batch = mode.dryRun ? undefined : options.batch;
  const interrupts = new InterruptHandler();
  const progress = await startProgress({
    total: source.size,
    verb: batch === undefined ? 'sent' : 'imported',
    isQuiet: options.quiet === true,
  });
  try {
    const importer = new Importer(muster, source, mode, progress, interrupts);
    return batch === undefined
      ? await importer.importAll()
      : await new BatchImport(importer, source, batch, progress, interrupts).run();
  } catch (error) {
    if (error instanceof LinesRejectedError && format !== 'table')
      await printSummary(format, error.summary, options.dryRun === true);
    throw error;
  } finally {
    progress.end();
    interrupts.dispose();
  }
}

/** Whether a dry run comes first, so that the source is read twice. */
export const needsPreview = ({ dryRun, yes }: SendOptions): boolean => !dryRun && !yes;

/**
 * Does a dry run, and asks for confirmation if more than one existing device would resolve other values, or a table changes
 * the type of a variable.
 * @throws CliError if the user declines, there is no terminal to ask at, or the import is invalid; ApiError
 */
async function confirmImport(source: ImportSource, options: SendOptions, session: Session): Promise<void> {
  // An invalid line does not stop the batches before it, so it must not stop their dry run.
  const partial = options.partial === true || options.batch !== undefined;
  const mode = { dryRun: true, partial, byLine: false, maxChangedLines: 0 };
  const preview = await sendSource(source, options, session, mode);
  const { created, updated, existingDevices = 0, csvWarnings } = preview;
  const typeChanges = csvWarnings?.typeChangesTotal ?? 0;
  if (existingDevices <= 1 && typeChanges === 0) return;
  const devices = `the resolved values of ${pluralize(existingDevices, 'existing device')}`;
  const consequence = `This would create ${pluralize(created, 'resource')}, update ${String(updated)}, and change ${devices}.`;
  const types = typeChanges === 0 ? [] : [`The types of ${pluralize(typeChanges, 'variable')} would change.`];
  await requireConfirmation([consequence, ...types], `change ${devices}`, () =>
    printSummary('table', preview, true),
  );
}
