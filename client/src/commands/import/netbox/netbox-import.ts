import { CliError, EXIT, usageError } from '../../../cli-error';
import { printLines, printStatus } from '../../../output/console';
import { startProgress } from '../../../output/progress';
import { importFrom, type SendOptions } from '../run-import';
import { type ImportSource, LinesSource, printSource } from '../../../files/source';
import type { Session } from '../../session';
import type { NetBoxAnswers } from './answers';
import { readAnswersFolder } from './answers-folder';
import { convertInventory, type ConvertedNetBox } from './convert';
import { NOTHING_EXISTS, type ExistingInventory } from './existing';
import { readInventory } from './inventory';
import { type Mapping, MAPPING_TEMPLATE } from './mapping';
import { NetBoxClient } from './netbox-client';
import { readMapping } from './netbox-mapping-file';
import type { NetBoxOptions } from './netbox-options';
import { deviceKinds, readExisting } from './read-existing';
import {
  printPlan,
  printProof,
  proofLines,
  writeReport,
  compareWithMuster,
  isProven,
  type Proof,
} from './report';

interface ImportOptions extends NetBoxOptions, SendOptions {
  readonly print?: true;
}

/** Runs `muster import --from netbox`. @throws CliError, ApiError, NetworkError */
export async function runNetBoxImport(
  files: readonly string[],
  options: ImportOptions,
  openSession: () => Session,
): Promise<void> {
  rejectFiles(files);
  if (options.printMapping) {
    await printLines(MAPPING_TEMPLATE);
    return;
  }
  const { dryRun, print, prune, partial, batch } = options;
  if (options.verify && (dryRun || print || prune || partial || batch !== undefined))
    throw usageError(
      '--verify writes nothing: it cannot be combined with --dry-run, --print, --prune, --partial or --batch.',
    );
  const mapping = await readMapping(options);
  const answers = openAnswers(options);
  // Before NetBox is read, which can take long, so that missing credentials are reported at once.
  const session = options.print ? undefined : openSession();
  const netbox = await convertNetBox(answers, mapping, session, options.quiet === true);
  printPlan(netbox.conversion, options.prune ?? []);
  if (!session) {
    await printSource(new LinesSource(netbox.lines));
    return;
  }
  const prove = (): Promise<Proof> => {
    const names = netbox.conversion.plan.devices.map(({ name }) => name);
    return compareWithMuster(session.muster, names, netbox.conversion.assigned, netbox.owned);
  };
  if (options.verify) {
    const proof = await prove();
    await printProof(session.format, proof);
    if (options.report !== undefined) await writeReport(options.report, netbox.conversion, proof);
    assertProven(proof);
    return;
  }
  const source = new LinesSource(netbox.lines, importedKinds(mapping));
  const failure = await importPartially(source, options, session);
  const proof = options.dryRun || session.proposalTitle !== undefined ? undefined : await prove();
  if (proof) printStatus(...proofLines(proof));
  if (options.report !== undefined) await writeReport(options.report, netbox.conversion, proof);
  if (failure) throw failure;
  if (proof) assertProven(proof);
}

/** A NetBox as the source of a comparison. @throws CliError, NetworkError */
export async function netBoxSource(
  files: readonly string[],
  options: NetBoxOptions & { readonly quiet?: true },
  session: Session,
): Promise<ImportSource> {
  rejectFiles(files);
  const mapping = await readMapping(options);
  const isQuiet = options.quiet === true;
  const { lines } = await convertNetBox(openAnswers(options), mapping, session, isQuiet);
  return new LinesSource(lines, importedKinds(mapping));
}

/** The kinds of which NetBox is the whole source: also when it has none in a region, or none at all, any more. */
const importedKinds = ({ cells }: Mapping): string[] => [
  ...deviceKinds(),
  ...(cells.from === 'none' ? [] : ['cell']),
  'region',
];

function rejectFiles([file]: readonly string[]): void {
  if (file !== undefined)
    throw usageError(`--from netbox takes no file: use --files for the folder ${file}.`);
}

/** Imports lines. @returns the error if only some of them were imported @throws CliError, ApiError otherwise */
async function importPartially(
  source: ImportSource,
  options: ImportOptions,
  session: Session,
): Promise<CliError | undefined> {
  try {
    await importFrom(source, options, session);
    return undefined;
  } catch (error) {
    if (error instanceof CliError && error.exitCode === EXIT.partial) return error;
    throw error;
  }
}

function assertProven(proof: Proof): void {
  if (!isProven(proof))
    throw new CliError('Muster does not resolve what NetBox renders.', EXIT.different, [
      '  Import again. docs/netbox.md lists other reasons.',
    ]);
}

/** @throws CliError if neither a folder nor a NetBox is given, or both */
function openAnswers({ files, ...connection }: NetBoxOptions): NetBoxAnswers {
  if (files === undefined) return new NetBoxClient(connection);
  if (connection.netboxUrl !== undefined) throw usageError('Use either --files or --netbox-url.');
  return readAnswersFolder(files);
}

/**
 * Reads a NetBox and converts it to the lines of an import.
 * @param session of the project to import into; undefined for a new project
 */
async function convertNetBox(
  answers: NetBoxAnswers,
  mapping: Mapping,
  session: Session | undefined,
  isQuiet: boolean,
): Promise<ConvertedNetBox> {
  const progress = await startProgress({ total: undefined, verb: 'read', unit: 'objects', isQuiet });
  const inventory = await readInventory(answers, mapping, progress).finally(() => {
    progress.end();
  });
  const existing: ExistingInventory = session
    ? await readExisting(session.muster, mapping.importLabel)
    : NOTHING_EXISTS;
  return convertInventory(inventory, mapping, existing);
}
