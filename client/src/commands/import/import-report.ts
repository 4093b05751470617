import { text } from 'node:stream/consumers';
import { groupEqualFaults } from '@muster/api-types';
import { asObject, exactJson, toNumber } from '../../api/exact-json';
import type { WrittenChange } from '../report-write';
import { ruleLines, readImpact, variableChanges } from '../impact-preview';
import type { ResultLine } from './result-line';
import { creationLines, parseMissing, type MissingLocation } from './missing-locations';
import { missingRow, missingText, type MissingResource } from './missing-resources';
import { positionsText, positionText, type SourcePosition } from '../../files/source';
import {
  addCsvWarnings,
  parseCsvWarnings,
  csvWarningLines,
  csvWarningMembers,
  type CsvWarnings,
} from './csv-warnings';
import { readBytes } from '../long-requests';
import { splitLines } from '../../files/split-lines';
import { escapeControl, print, printStatus } from '../../output/console';
import { pluralize } from '../../text';
import { printOne, type OutputFormat } from '../../output/formats';
import type { Row } from '../../output/rows';

/** The error of a line. */
interface LineError {
  readonly position: SourcePosition;
  readonly code: string;
  readonly message: string;
  /** The variables whose definitions demand a text. */
  readonly expectedTexts: readonly string[];
}

/** A line that created or updated a resource. */
interface ChangedLine {
  readonly position: SourcePosition;
  readonly result: 'created' | 'updated';
  readonly kind: string;
  readonly name: string;
}

/** The numbers of lines by result. */
interface ImportCounts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
}

/** The result of an import. */
export interface ImportSummary extends ImportCounts {
  /** How many other lines were not checked, if the import was rejected. */
  readonly unchecked?: number;
  /** The errors that the service reported. */
  readonly errors: readonly LineError[];
  /** The regions and cells that these lines name and that do not exist. */
  readonly missingLocations: readonly MissingLocation[];
  /** The first created and updated lines. */
  readonly changedLines?: readonly ChangedLine[];
  /** Only for tables. */
  readonly csvWarnings?: CsvWarnings;
  /** How many devices that exist already would resolve other values, of a dry run. */
  readonly existingDevices?: number;
  /** How many devices resolve other values after the import, if it is known. */
  readonly affectedDevices?: number | undefined;
  /** The changes of its requests, if they were read. */
  readonly changes?: readonly WrittenChange[];
  /** What was deleted because the source does not have it; of a dry run, what would be deleted. */
  readonly deleted?: readonly MissingResource[];
  /** The impact on devices, of a dry run. */
  readonly impact?: Readonly<Record<string, unknown>>;
  /** The approval that a rule requires for it, of a dry run. */
  readonly rejections?: { readonly approval_required: unknown; readonly reason_rejected: unknown };
}

/** How many errors, lines or devices are shown in a terminal. */
export const MAX_SHOWN = 20;
/** How many values of these devices are shown. */
const MAX_SHOWN_VALUES = 60;

/**
 * Reads the response to an import.
 * @param positionOf the position of a line of the request body
 * @param maxChangedLines how many created and updated lines to keep
 * @param onLine called for each line that did not fail
 * @throws NetworkError if the response is truncated
 */
export async function readSummary(
  response: Response,
  positionOf: (line: number) => SourcePosition,
  maxChangedLines: number,
  onLine?: (line: ResultLine) => void,
): Promise<ImportSummary> {
  const isByLine = response.headers.get('content-type')?.startsWith('application/x-ndjson') === true;
  const bytes = readBytes(response, true);
  if (!isByLine || response.body === null)
    return parseSummary(exactJson.parse(await text(bytes)), positionOf);
  const errors: LineError[] = [];
  const changedLines: ChangedLine[] = [];
  let last = '{}';
  for await (const lines of splitLines(bytes))
    for (const line of lines) {
      last = line.toString('utf8');
      if (last.includes('"result":"failed"')) errors.push(parseLineError(exactJson.parse(last), positionOf));
      else if (onLine || (changedLines.length < maxChangedLines && CHANGED_RESULT.test(last))) {
        const parsed = asObject(exactJson.parse(last));
        // The last line is the summary.
        if (parsed['result'] === undefined) continue;
        onLine?.(parseResultLine(parsed));
        if (changedLines.length < maxChangedLines && parsed['result'] !== 'unchanged')
          changedLines.push(parseChangedLine(parsed, positionOf));
      }
    }
  return {
    ...parseSummary(exactJson.parse(last), positionOf),
    errors,
    ...(maxChangedLines > 0 ? { changedLines } : {}),
  };
}

const CHANGED_RESULT = /"result": ?"(created|updated)"/;

function parseResultLine({ result, kind, id, name, before, after }: Row): ResultLine {
  return {
    result: result === 'created' ? 'created' : result === 'updated' ? 'updated' : 'unchanged',
    kind: String(kind),
    id: id === null ? undefined : String(toNumber(id)),
    name: String(name),
    ...(before === undefined ? {} : { before: asObject(before) }),
    ...(after === undefined ? {} : { after: asObject(after) }),
  };
}

function parseChangedLine(
  { line, result, kind, name }: Row,
  positionOf: (line: number) => SourcePosition,
): ChangedLine {
  return {
    position: positionOf(toNumber(line)),
    result: result === 'created' ? 'created' : 'updated',
    kind: String(kind),
    name: String(name),
  };
}

/** Parses the summary in a response or an error response of an import. */
export function parseSummary(body: unknown, positionOf: (line: number) => SourcePosition): ImportSummary {
  const { created, updated, unchanged, failed, unchecked, errors, impact, ...more } = asObject(body);
  const csvWarnings = parseCsvWarnings(more, positionOf);
  const { existing_devices: existingDevices, approval_required, reason_rejected } = more;
  return {
    created: toNumber(created),
    updated: toNumber(updated),
    unchanged: toNumber(unchanged),
    failed: toNumber(failed),
    ...(unchecked === undefined ? {} : { unchecked: toNumber(unchecked) }),
    errors: (Array.isArray(errors) ? errors : []).map((error) => parseLineError(error, positionOf)),
    missingLocations: parseMissing(errors),
    ...(csvWarnings ? { csvWarnings } : {}),
    ...(existingDevices === undefined ? {} : { existingDevices: toNumber(existingDevices) }),
    ...(impact === undefined ? {} : { impact: asObject(impact) }),
    ...((approval_required ?? reason_rejected) ? { rejections: { approval_required, reason_rejected } } : {}),
  };
}

function parseLineError(error: unknown, positionOf: (line: number) => SourcePosition): LineError {
  const { line, code, message, expected_texts: texts } = asObject(error);
  return {
    position: positionOf(toNumber(line)),
    code: String(code),
    message: String(message),
    expectedTexts: Array.isArray(texts) ? texts.map(String) : [],
  };
}

export const EMPTY_SUMMARY: ImportSummary = {
  created: 0,
  updated: 0,
  unchanged: 0,
  failed: 0,
  errors: [],
  missingLocations: [],
};

/** Adds the results of two parts of an import. */
export const addSummaries = (one: ImportSummary, other: ImportSummary): ImportSummary => ({
  created: one.created + other.created,
  updated: one.updated + other.updated,
  unchanged: one.unchanged + other.unchanged,
  failed: one.failed + other.failed,
  errors: [...one.errors, ...other.errors],
  missingLocations: [...one.missingLocations, ...other.missingLocations],
  changes: [...(one.changes ?? []), ...(other.changes ?? [])],
  ...addCsvWarnings(one.csvWarnings, other.csvWarnings),
});

/** Prints the result of an import. */
export async function printSummary(
  format: OutputFormat,
  summary: ImportSummary,
  isDryRun: boolean,
): Promise<void> {
  const { errors, missingLocations, impact, changedLines, created, updated, unchanged, failed, unchecked } =
    summary;
  const { csvWarnings, existingDevices, affectedDevices, deleted, rejections } = summary;
  if (format === 'table') {
    await print(`${isDryRun ? 'Would be: ' : ''}${countsText(summary)}${affectedText(affectedDevices)}\n`);
    if (changedLines) await printChangedLines(changedLines, created + updated);
    if (isDryRun && deleted) await print(deletedLines(deleted).join(''));
    if (impact) await printImpact(impact);
    printStatus(...ruleLines(rejections ?? {}));
    printStatus(
      ...errorLines(summary),
      ...(csvWarnings ? csvWarningLines(csvWarnings, isDryRun, MAX_SHOWN) : []),
      ...creationLines(missingLocations),
    );
    return;
  }
  const row = {
    ...(isDryRun ? { dry_run: true } : {}),
    created,
    updated,
    unchanged,
    failed,
    ...(unchecked === undefined ? {} : { unchecked }),
    errors: errors.map(({ position, code, message }) => ({ ...position, code, message })),
    ...(missingLocations.length === 0 ? {} : { missing: missingLocations }),
    ...(changedLines
      ? { altered: changedLines.map(({ position, ...rest }) => ({ ...position, ...rest })) }
      : {}),
    ...(csvWarnings ? csvWarningMembers(csvWarnings) : {}),
    ...(deleted ? { deleted: deleted.map(missingRow) } : {}),
    ...(affectedDevices === undefined ? {} : { affected_devices: affectedDevices }),
    ...(existingDevices === undefined ? {} : { existing_devices: existingDevices }),
    ...(impact ? { impact } : {}),
    ...rejections,
  };
  await printOne(format, row, 'created');
}

/** `5 created, 1 updated, 0 unchanged` */
function countsText({ created, updated, unchanged, failed, deleted }: ImportSummary): string {
  const text = `${String(created)} created, ${String(updated)} updated, ${String(unchanged)} unchanged`;
  return [
    text,
    ...(deleted ? [`${String(deleted.length)} deleted`] : []),
    ...(failed === 0 ? [] : [`${String(failed)} failed`]),
  ].join(', ');
}

/** `; 3 devices resolve another value`, or nothing if the number is unknown */
function affectedText(devices: number | undefined): string {
  if (devices === undefined) return '';
  return devices === 0
    ? '; no device resolves another value'
    : `; ${pluralize(devices, 'device')} ${devices === 1 ? 'resolves' : 'resolve'} another value`;
}

/** The first errors, each once with its positions, and whether more errors may follow. */
export function errorLines({ errors, failed, unchecked = 0 }: ImportSummary): string[] {
  const groups = groupEqualFaults(errors, ({ position }) => position.file ?? '');
  const shown = groups.slice(0, MAX_SHOWN).map(({ message, faults: [first, ...others] }) => ({
    message,
    positions: [first.position, ...others.map(({ position }) => position)] as const,
  }));
  const omitted = failed - shown.reduce((sum, { positions }) => sum + positions.length, 0);
  const hint = groups.length > shown.length ? ' (use -o json to show all)' : '';
  return [
    ...shown.map(({ message, positions }) => `  ${escapeControl(`${positionsText(positions)}: ${message}`)}`),
    ...(omitted > 0 ? [`  and ${String(omitted)} more${hint}`] : []),
    ...(unchecked > 0
      ? [
          `  ${pluralize(unchecked, 'other line')} ${unchecked === 1 ? 'was' : 'were'} not checked because of this; more errors may follow when this is corrected.`,
        ]
      : []),
  ];
}

/** The first resources that would be deleted. */
function deletedLines(deleted: readonly MissingResource[]): string[] {
  const omitted = deleted.length - MAX_SHOWN;
  return [
    ...deleted.slice(0, MAX_SHOWN).map((one) => `  deleted ${escapeControl(missingText(one))}\n`),
    ...(omitted > 0 ? [`  and ${String(omitted)} more (use -o json to show all)\n`] : []),
  ];
}

async function printChangedLines(changedLines: readonly ChangedLine[], total: number): Promise<void> {
  const lines = changedLines.map(
    ({ position, result, kind, name }) =>
      `  ${escapeControl(`${result} ${kind} ${name} (${positionText(position)})`)}\n`,
  );
  const omitted = total - changedLines.length;
  await print(
    `${lines.join('')}${omitted > 0 ? `  and ${String(omitted)} more (use -o json to show all)\n` : ''}`,
  );
}

async function printImpact(impact: Readonly<Record<string, unknown>>): Promise<void> {
  const { devices, keys, items } = readImpact(impact);
  const keysText = keys.length === 0 ? '' : `: ${escapeControl(keys.join(', '))}`;
  await print(`Devices that would get other values: ${String(devices)}${keysText}\n`);
  const shown = items.slice(0, MAX_SHOWN);
  const changes = variableChanges(shown);
  const lines = changes
    .slice(0, MAX_SHOWN_VALUES)
    .map(
      ({ kind, name, key, before, after }) =>
        `  ${escapeControl(`${kind} ${name}  ${key}: ${valueText(before)} -> ${valueText(after)}`)}\n`,
    );
  const omitted = devices - shown.length;
  if (changes.length > lines.length) lines.push('  and more (use -o json to show them)\n');
  else if (omitted > 0 && shown.length > 0) lines.push(`  and ${String(omitted)} more\n`);
  await print(lines.join(''));
}

const valueText = (value: unknown): string =>
  value === undefined ? '(not set)' : exactJson.stringify(value);
