import { detailCodeOf, InventoryError } from '../../core/errors';
import { splitJsonArray } from '../../core/json/json-text';
import type { BodyLine, ImportOptions } from './import-request';
import { ImportRejectedError } from './import-rejection';
import { identifyLine } from './line-check';
import { isLineFault } from './line-faults';
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

/**
 * Reads the body of an import that is proposed. A record of a table becomes a line like those of NDJSON.
 * @returns the lines as a JSON array, as text: the body of the operation
 * @throws InventoryError 400 for a line that describes no resource, and for too many lines; and those of reading the body
 */
export async function readProposedImport(lines: AsyncIterable<readonly BodyLine[]>): Promise<string> {
  const texts: string[] = [];
  for await (const read of lines)
    for (const line of read) {
      texts.push(checkedText(line));
      assertLineCount(texts.length);
    }
  return `[${texts.join(',\n')}]`;
}

function assertLineCount(count: number): void {
  if (count > MAX_PROPOSED_LINES)
    throw InventoryError.invalidBody(
      'limit_exceeded',
      `An import that is proposed can have ${String(MAX_PROPOSED_LINES)} lines. Propose parts of it.`,
    );
}

function checkedText({ line, content, record }: BodyLine): string {
  try {
    if (typeof content !== 'string') throw content;
    // Whatever is not one JSON value would not be one in the array either.
    identifyLine(content);
    return record ? lineOfRecord(content, record) : content;
  } catch (error) {
    if (!isLineFault(error)) throw error;
    const { code, message } = error;
    const errors = [{ line, code, reason: detailCodeOf(error), message }];
    throw new ImportRejectedError({ failed: 1, unchecked: 0, errors, isStopped: false, warnings: {} });
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
