import { InventoryError, OperationsError } from '../../core/errors';
import { splitJsonArray } from '../../core/json/json-text';
import type { BodyLine, ImportOptions } from './import-request';
import { identifyLine } from './line-check';
import { lineOfRecord } from './record-line';

/** The maximum number of lines of an import that is proposed. All of its changes are in memory together. */
export const MAX_PROPOSED_LINES = 10_000;

/** @throws InventoryError 400 for options that a proposed import cannot have */
export function assertProposable({ mode, maxAffectedDevices, showsChanges }: ImportOptions): void {
  for (const [parameter, isDefault] of [
    ['mode', mode === 'all'],
    ['max_affected_devices', maxAffectedDevices === Infinity],
    ['changes', !showsChanges],
  ] as const)
    if (!isDefault) throw InventoryError.invalid(parameter, 'inconsistent', 'cannot be used with propose');
}

/** Reads the lines of an import that is proposed. @throws InventoryError 400 for too many lines; and those of reading the body */
export async function readProposedLines(lines: AsyncIterable<readonly BodyLine[]>): Promise<BodyLine[]> {
  const all: BodyLine[] = [];
  for await (const read of lines) {
    all.push(...read);
    assertLineCount(all.length);
  }
  return all;
}

function assertLineCount(count: number): void {
  if (count > MAX_PROPOSED_LINES)
    throw InventoryError.invalidBody(
      'limit_exceeded',
      `An import that is proposed can have ${String(MAX_PROPOSED_LINES)} lines. Propose parts of it.`,
    );
}

/**
 * The body of the operation of a proposal: the lines as a JSON array, as text. A record of a table becomes a line like those of NDJSON.
 * @throws OperationsError 400 if a line describes no resource: it may not be one item of the array
 */
export function operationBody(lines: readonly BodyLine[]): string {
  try {
    return `[${lines.map(lineText).join(',\n')}]`;
  } catch (error) {
    throw error instanceof InventoryError ? new OperationsError([{ index: 0, error }]) : error;
  }
}

function lineText({ line, content, record }: BodyLine): string {
  try {
    if (typeof content !== 'string') throw content;
    identifyLine(content);
    return record ? lineOfRecord(content, record) : content;
  } catch (error) {
    if (!(error instanceof InventoryError)) throw error;
    throw new InventoryError(error.code, `line ${String(line)}: ${error.message}`, error.details);
  }
}

/**
 * The lines of the operation of a proposal.
 * @param body JSON text
 * @throws InventoryError 400 if it is no array of lines, or has too many
 */
export function linesOfOperation(body: string): BodyLine[] {
  if (!Array.isArray(parsed(body)))
    throw InventoryError.invalidBody(
      'invalid_type',
      'The body of an import in a proposal must be an array of lines.',
    );
  const lines = splitJsonArray(body).filter((line) => line.trim() !== '');
  assertLineCount(lines.length);
  // A line break can only occur between the tokens of JSON.
  return lines.map((line, index) => ({ line: index + 1, content: line.replaceAll(/[\r\n]/g, ' ').trim() }));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
