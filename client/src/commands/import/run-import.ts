import { CliError, EXIT } from '../../cli-error';
import { requireConfirmation } from '../confirmed-write';
import { namesReverts, readChangeIds, revertLinesOfImport } from '../report-write';
import { BatchImport } from './batches';
import type { ImportMode } from './import-request';
import { Importer } from './import-client';
import type { ImportSource } from '../../files/source';
import { columnWarnings } from './csv-warnings';
import { MAX_SHOWN, printSummary, type ImportSummary } from './import-report';
import {
  deleteResources,
  findPruned,
  SourceResources,
  throwIfDeletionsFailed,
  type Deletions,
  type MissingResource,
} from './missing-resources';
import { proposeImport } from './propose-import';
import { printRejected } from './rejected-import';
import { assertAllowed } from '../impact-preview';
import { allowLongRequests, InterruptHandler } from '../long-requests';
import type { Session } from '../session';
import { printStatus } from '../../output/console';
import { pluralize } from '../../text';
import { startProgress } from '../../output/progress';

/** How an import is sent, whatever its source. */
export interface SendOptions {
  readonly dryRun?: true;
  readonly yes?: true;
  readonly partial?: true;
  readonly batch?: number;
  readonly quiet?: true;
  /** The kinds of which resources that the source does not have are deleted. */
  readonly prune?: readonly string[];
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
  const isTable = format === 'table';
  // After a preview, the number is known. A device can be affected by several batches, so their numbers cannot be added.
  const countsDevices = options.yes === true && options.batch === undefined;
  await allowLongRequests();
  let summary: ImportSummary;
  let onlyHere: readonly MissingResource[];
  try {
    if (await proposeImport(session, source)) return;
    const seen = new SourceResources(source.wholeKinds);
    onlyHere = needsPreview(options) ? await confirmImport(source, options, session, seen) : [];
    const mode = {
      dryRun,
      partial,
      byLine: dryRun || (partial && !isTable),
      maxChangedLines: !dryRun ? 0 : isTable ? MAX_SHOWN : Infinity,
      readsChange: !dryRun && (countsDevices || namesReverts(session)),
      ...(dryRun ? linesOf(seen, options) : {}),
    };
    summary = await sendSource(source, options, session, mode);
    if (dryRun && options.prune) onlyHere = await findPruned(session, seen, options.prune);
  } finally {
    source.close();
  }
  const deletions: Deletions = { deleted: dryRun ? [...onlyHere] : [], failed: [], writes: [] };
  const { changes = [] } = summary;
  try {
    if (!dryRun) await deleteResources(session, onlyHere, deletions);
  } finally {
    const result = { ...summary, affectedDevices: countsDevices ? changes[0]?.devices : undefined };
    await printSummary(format, options.prune ? { ...result, deleted: deletions.deleted } : result, dryRun);
  }
  if (namesReverts(session)) {
    const ids = [...changes.map(({ id }) => id), ...(await readChangeIds(session, deletions.writes))];
    printStatus(...revertLinesOfImport(ids));
  }
  throwIfDeletionsFailed(deletions);
  const { failed, created, updated, unchanged } = summary;
  printIfEmpty(summary);
  const others =
    created + updated + unchanged === 0 ? '; there were no other lines' : '; the others were imported';
  if (failed > 0)
    throw new CliError(
      `${pluralize(failed, 'line')} could not be imported${dryRun ? ' (nothing was written)' : others}.`,
      EXIT.partial,
    );
}

/** Sends the source once. Shows the progress and handles interrupts. */
export async function sendSource(
  source: ImportSource,
  options: SendOptions,
  session: Session,
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
    const importer = new Importer(session, source, mode, progress, interrupts);
    return batch === undefined
      ? await importer.importAll()
      : await new BatchImport(importer, source, batch, progress, interrupts).run();
  } catch (error) {
    await printRejected(session.format, error, options.dryRun === true);
    throw error;
  } finally {
    progress.end();
    interrupts.dispose();
  }
}

/** Prints that there was nothing to import: the file may be the wrong one, or have only a header. */
export function printIfEmpty({ created, updated, unchanged, failed }: ImportSummary): void {
  if (created + updated + unchanged + failed === 0) printStatus('The source has no resources.');
}

/** Whether a dry run comes first, so that the source is read twice. With `--prune`, it finds out what to delete. */
export const needsPreview = ({ dryRun, yes, prune }: SendOptions): boolean =>
  !dryRun && (!yes || prune !== undefined);

/** Collects the resources of the source for `--prune`. */
const linesOf = (seen: SourceResources, { prune }: SendOptions): Pick<ImportMode, 'onLine'> =>
  prune ? { onLine: (line) => seen.add(line) } : {};

/**
 * Does a dry run, and asks for confirmation if more than one existing device would resolve other values, a table changes
 * the type of a variable, loses digits of a number, sets another type than elsewhere, or makes a variable that is easily mistaken for
 * another one, or resources would be deleted.
 * @returns the resources to delete
 * @throws CliError if the user declines, there is no terminal to ask at, or the import is invalid; ApiError
 */
async function confirmImport(
  source: ImportSource,
  options: SendOptions,
  session: Session,
  seen: SourceResources,
): Promise<readonly MissingResource[]> {
  const { prune, yes } = options;
  // An invalid line does not stop the batches before it, so it must not stop their dry run.
  const partial = options.partial === true || options.batch !== undefined;
  const mode = { dryRun: true, partial, maxChangedLines: 0, byLine: prune !== undefined };
  const preview = await sendSource(source, options, session, { ...mode, ...linesOf(seen, options) });
  // Each batch is a write of its own, which may need no approval.
  if (options.batch === undefined) assertAllowed(preview.rejections ?? {});
  const onlyHere = prune ? await findPruned(session, seen, prune) : [];
  const { created, updated, existingDevices = 0, csvWarnings } = preview;
  const typeChanges = csvWarnings?.typeChangesTotal ?? 0;
  const columns = csvWarnings ? columnWarnings(csvWarnings, MAX_SHOWN) : [];
  if (yes || (existingDevices <= 1 && typeChanges + columns.length + onlyHere.length === 0)) return onlyHere;
  const devices = `the resolved values of ${pluralize(existingDevices, 'existing device')}`;
  const deleted = pluralize(onlyHere.length, 'resource');
  await requireConfirmation(
    [
      `This would create ${pluralize(created, 'resource')}, update ${String(updated)}, and change ${devices}.`,
      ...(typeChanges === 0
        ? []
        : [`The types or digits of ${pluralize(typeChanges, 'variable')} would change.`]),
      ...columns,
      ...(onlyHere.length === 0 ? [] : [`It would delete ${deleted} that the source does not have.`]),
    ],
    onlyHere.length === 0 ? `change ${devices}` : `import this, and delete ${deleted}`,
    () => {
      // The question names the columns.
      const others = csvWarnings && { ...csvWarnings, unusualTypes: [], similarKeys: [] };
      const shown = others ? { ...preview, csvWarnings: others } : preview;
      return printSummary('table', prune ? { ...shown, deleted: onlyHere } : shown, true);
    },
  );
  return onlyHere;
}
