import type { Command } from 'commander';
import { EXIT, Failure, usage } from '../../failures';
import { counted } from '../../output/counted';
import { print, printLines } from '../../output/streams';
import { startProgress } from '../../output/progress';
import { requireConsent } from '../careful-write';
import { Interruption } from '../interruption';
import { allowLongRequests } from '../long-requests';
import { openSession, type Session } from '../session';
import { Batches } from './batches';
import { FileSource } from './file-source';
import type { ImportOptions } from './import.command';
import { Importer, LinesRefused, outcomeLines } from './importer';
import { outcomeOf, type Mode } from './sending';
import type { Source } from './source';
import { printSummary, SHOWN, type Summary } from './summary';

/** What `muster import` does. */
export async function runImport(
  files: readonly string[],
  options: ImportOptions,
  command: Command,
): Promise<void> {
  if (options.from === 'ansible') {
    const { ansibleSource } = await import('./ansible/ansible-source.js');
    const source = await ansibleSource(files, options);
    if (options.print) {
      for await (const pieces of source.pieces())
        for (const { bytes } of pieces) await printLines(bytes.toString('utf8'));
      return;
    }
    await importFrom(source, options, openSession(command));
    return;
  }
  if (options.outcome !== undefined) {
    await tellOutcome(openSession(command), options.outcome);
    return;
  }
  const source = new FileSource(files, {
    format: options.format,
    inParts: options.batch !== undefined,
    isReadTwice: needsPreview(options),
    partial: options.partial === true,
  });
  await importFrom(source, options, openSession(command));
}

async function importFrom(source: Source, options: ImportOptions, session: Session): Promise<void> {
  const { format } = session;
  const [dryRun, partial] = [options.dryRun === true, options.partial === true];
  const isTable = format === 'table';
  const mode = {
    ...{ dryRun, partial },
    byLine: dryRun || (partial && !isTable),
    mostAltered: !dryRun ? 0 : isTable ? SHOWN : Infinity,
  };
  await allowLongRequests();
  let summary: Summary;
  try {
    if (needsPreview(options)) await requireConsentToUpdates(source, options, session);
    summary = await send(source, options, session, mode);
  } finally {
    source.close();
  }
  await printSummary(format, summary, dryRun);
  const { failed, created, updated, unchanged } = summary;
  const others = created + updated + unchanged === 0 ? '; there were no others' : '; the others were';
  if (failed > 0)
    throw new Failure(
      `${counted(failed, 'line')} could not be imported${dryRun ? ' (nothing was written)' : others}.`,
      EXIT.partly,
    );
}

/** Sends everything once, shows the progress, and can be interrupted. */
async function send(
  source: Source,
  options: ImportOptions,
  { muster, format }: Session,
  mode: Mode,
): Promise<Summary> {
  const batch = mode.dryRun ? undefined : options.batch;
  const interruption = new Interruption();
  const progress = await startProgress({
    total: source.size,
    done: batch === undefined ? 'sent' : 'imported',
    isQuiet: options.quiet === true,
  });
  try {
    const importer = new Importer(muster, source, mode, progress, interruption);
    return batch === undefined
      ? await importer.all()
      : await new Batches(importer, source, batch, progress, interruption).all();
  } catch (error) {
    if (error instanceof LinesRefused && format !== 'table')
      await printSummary(format, error.summary, options.dryRun === true);
    throw error;
  } finally {
    progress.end();
    interruption.end();
  }
}

const needsPreview = ({ dryRun, yes }: ImportOptions): boolean => !dryRun && !yes;

/**
 * Does a dry run, and asks for consent where the import changes more resources than it creates.
 * @throws Failure where the answer is no, nobody can be asked, or the import cannot be done; Refusal
 */
async function requireConsentToUpdates(
  source: Source,
  options: ImportOptions,
  session: Session,
): Promise<void> {
  // A faulty line does not stop the batches before it, so it does not stop their dry run.
  const partial = options.partial === true || options.batch !== undefined;
  const mode = { dryRun: true, partial, byLine: false, mostAltered: 0 };
  const preview = await send(source, options, session, mode);
  const { created, updated } = preview;
  if (updated <= created) return;
  const updates = counted(updated, 'resource');
  const consequence = `This would change ${updates} and create ${String(created)}.`;
  await requireConsent(consequence, `change ${updates}`, () => printSummary('table', preview, true));
}

async function tellOutcome({ muster }: Session, id: string): Promise<void> {
  if (!/^[A-Za-z0-9._:-]{1,128}$/.test(id)) throw usage(`${JSON.stringify(id)} is no id of an import.`);
  const interruption = new Interruption();
  try {
    const outcome = await outcomeOf(muster, id, interruption.signal);
    if (outcome.written === 'unknown')
      throw new Failure(`It is not known yet: ${outcome.because}.`, EXIT.unreachable);
    await print(`${outcomeLines(outcome, id).join('\n')}\n`);
  } finally {
    interruption.end();
  }
}
