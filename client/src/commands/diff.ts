import { shellWord } from '@muster/api-types';
import { Command } from 'commander';
import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { asObject } from '../api/exact-json';
import { resources } from '../api/resources';
import { CliError, EXIT } from '../cli-error';
import { commandUsage } from './command-suggestions';
import { displaySides, jsonText } from './impact-preview';
import { errorLines, type ImportSummary } from './import/import-report';
import { creationLines } from './import/missing-locations';
import type { ResultLine } from './import/result-line';
import { missingRow, missingText, SourceResources, type MissingResource } from './import/missing-resources';
import { printIfEmpty, sendSource } from './import/run-import';
import { addSourceOptions, assertSourceGiven, openSource, type SourceOptions } from './import/source-options';
import { allowLongRequests } from './long-requests';
import { openSession } from './session';
import { levelKinds, singularOf } from './vars/arguments';
import { STDIO } from '../files/file-access';
import { displayKind } from '../lookup/resource-finder';
import { printStatus } from '../output/console';
import { pluralize } from '../text';
import { printList, type OutputFormat } from '../output/formats';
import type { Row } from '../output/rows';

/** A command of the shell. Unlike tables and CSV, YAML has the same lines for equal values, and shows their types. */
const comparisonOfVariables = (kind: string, ...names: readonly [string, string]): string =>
  `diff ${names.map((name) => `<(muster vars get ${kind} ${shellWord(name)} -o yaml)`).join(' ')}`;

const DIFF_HELP = `
Shows what "muster import" would create and update, and what is only in the inventory: resources of the kinds that the
source has, cells and devices only in its regions; of a NetBox, in all regions. "muster import --prune" deletes these. It
needs the roles of the import.

To compare the resolved variables of two devices, in bash or zsh:
  ${comparisonOfVariables('device', 'NAME', 'OTHER')}

The exit code is 0 without differences, 8 with differences, and another one for errors.`;

/** `muster diff` */
export function diffCommand(): Command {
  return addSourceOptions(new Command('diff'))
    .option('-q, --quiet', 'do not show the progress')
    .addHelpText('after', DIFF_HELP)
    .action(async (files: string[], options: SourceOptions & { readonly quiet?: true }, running: Command) => {
      assertSourceGiven(files, options);
      if (options.from === undefined) assertNoNames(files, running);
      const read = { inParts: false, isReadTwice: false };
      const source = await openSource(files, options, read, () => openSession(running));
      const session = openSession(running);
      await allowLongRequests();
      const seen = new SourceResources(source.wholeKinds);
      const changes: ResultLine[] = [];
      const onLine = (line: ResultLine) => {
        seen.add(line);
        if (line.result !== 'unchanged') changes.push(line);
      };
      const mode = { dryRun: true, partial: true, byLine: true, maxChangedLines: 0, onLine };
      const summary = await sendSource(source, options, session, mode).finally(() => {
        source.close();
      });
      // The resources of lines that failed would look missing.
      const onlyHere = summary.failed > 0 ? [] : await seen.findMissing(session, {});
      await printDifferences(session.format, changes, onlyHere);
      reportResult(summary, onlyHere.length);
    });
}

/**
 * Rejects names of resources instead of files, and says how to compare the variables of two resources.
 * @throws CliError if the first argument is no file, and has no extension, either
 */
function assertNoNames(words: readonly string[], command: Command): void {
  const [first = '', ...others] = words;
  if (first === STDIO || extname(first) !== '' || existsSync(first)) return;
  const word = singularOf(first);
  const isKind = word === 'device' || resources.some(({ kind }) => kind === word);
  const level = levelKinds.find(({ kind }) => kind === word);
  const kind = level?.kind ?? 'device';
  const names = word === kind ? others : words;
  // Some kinds have no variables that could be compared.
  const [one = 'NAME', other = 'OTHER'] = isKind && word !== kind ? [] : names;
  const advice = `To compare the resolved variables of two ${displayKind(level?.collection ?? 'devices')}, in bash or zsh:`;
  throw new CliError(
    `There is no file ${JSON.stringify(first)}. "muster diff" compares the inventory with files.`,
    EXIT.usageError,
    [`usage: ${commandUsage(command)}`, advice, comparisonOfVariables(kind, one, other)].map(
      (line) => `  ${line}`,
    ),
  );
}

/** Prints the numbers of differences, and sets the exit code. @throws CliError if lines cannot be imported */
function reportResult(summary: ImportSummary, onlyHere: number): void {
  const { created, updated, unchanged, failed } = summary;
  const counts = `${String(created)} to create, ${String(updated)} to update, ${String(unchanged)} unchanged`;
  printStatus(failed > 0 ? `${counts}.` : `${counts}, ${String(onlyHere)} only here.`);
  printIfEmpty(summary);
  if (failed > 0)
    throw new CliError(`${pluralize(failed, 'line')} cannot be compared:`, EXIT.partial, [
      ...errorLines(summary),
      ...creationLines(summary.missingLocations),
    ]);
  if (created + updated + onlyHere > 0) process.exitCode = EXIT.different;
}

async function printDifferences(
  format: OutputFormat,
  changes: readonly ResultLine[],
  onlyHere: readonly MissingResource[],
): Promise<void> {
  if (format === 'table' && changes.length + onlyHere.length === 0) return;
  const isTable = format === 'table' || format === 'csv';
  const rows = isTable
    ? [
        ...changes.flatMap((change) => memberRows(format, change)),
        ...onlyHere.map((one) => ({ action: 'only here', what: missingText(one) })),
      ]
    : [...changes.map(changeRow), ...onlyHere.map((one) => ({ action: 'only here', ...missingRow(one) }))];
  await printList(format, rows, { names: ['action', 'what', 'member', 'here', 'source'], name: 'name' });
}

/** A member of a resource that differs; a variable as `variables.key`. */
interface MemberDifference {
  readonly member: string;
  readonly here: unknown;
  readonly source: unknown;
}

/** The members that differ, and each variable that differs. */
function memberDifferences(before: Row, after: Row): MemberDifference[] {
  const { variables: oldVariables, ...old } = before;
  const { variables: newVariables, ...current } = after;
  const variables = differences(asObject(oldVariables ?? {}), asObject(newVariables ?? {}));
  return [
    ...differences(old, current),
    ...variables.map(({ member, ...sides }) => ({ member: `variables.${member}`, ...sides })),
  ];
}

const differences = (old: Row, current: Row): MemberDifference[] =>
  [...new Set([...Object.keys(old), ...Object.keys(current)])]
    .filter((member) => jsonText(old[member]) !== jsonText(current[member]))
    .map((member) => ({ member, here: old[member], source: current[member] }));

const ACTIONS = { created: 'create', updated: 'update', unchanged: 'unchanged' } as const;

/** A line for each changed member of a table. */
function memberRows(format: OutputFormat, { result, kind, name, before, after = {} }: ResultLine): Row[] {
  const region = kind === 'cell' ? `${String(after['region'])}/` : '';
  const common = { action: ACTIONS[result], what: `${displayKind(kind)} ${region}${name}` };
  if (!before) return [common];
  return memberDifferences(before, after).map(({ member, here, source }) => {
    const { before: shownHere, after: shownSource } = displaySides(format, here, source);
    return { ...common, member, here: shownHere, source: shownSource };
  });
}

function changeRow({ result, kind, name, before, after = {} }: ResultLine): Row {
  const common = { action: ACTIONS[result], kind, name };
  return before ? { ...common, changes: memberDifferences(before, after) } : { ...common, resource: after };
}
