import { InventoryError } from '../../core/errors';
import type { ImportRejection, ImportSummary } from './import-report';
import { withoutReason } from './line-errors';

const uncheckedText = (count: number): string =>
  count === 0
    ? ''
    : `. ${String(count)} other ${count === 1 ? 'line was' : 'lines were'} not checked because of this; more errors may follow when this is corrected.`;

const stoppedText = (failed: number): string =>
  ` The import stopped at ${String(failed)} faulty lines, and did not check what follows them.`;

/** Nothing was imported, because some lines failed. */
export class ImportRejectedError extends InventoryError {
  constructor(private readonly rejection: ImportRejection) {
    const { errors, failed, unchecked, isStopped } = rejection;
    const [first] = errors;
    if (!first) throw new Error('an import was rejected without an error');
    const others = failed > 1 ? ` (and ${String(failed - 1)} more)` : '';
    super(
      first.code,
      `line ${String(first.line)}: ${first.message}${others}${uncheckedText(unchecked)}${isStopped ? stoppedText(failed) : ''}`,
      errors.map(({ line, reason, message }) => ({ field: `line ${String(line)}`, code: reason, message })),
    );
  }

  override get extraMembers(): Readonly<Record<string, unknown>> {
    const { failed, unchecked, errors, warnings } = this.rejection;
    const counts = { created: 0, updated: 0, unchanged: 0, failed, unchecked };
    return { ...counts, errors: errors.map(withoutReason), ...warnings };
  }
}

/** Nothing was imported, because the body could not be read to its end. */
export class BodyRejectedError extends InventoryError {
  /** @param summary the results of the lines that were read */
  constructor(
    private readonly reason: InventoryError,
    private readonly summary: ImportSummary,
  ) {
    const { code, message, details, headers } = reason;
    super(code, message, details, headers);
  }

  override get extraMembers(): Readonly<Record<string, unknown>> {
    return { ...this.summary, ...this.reason.extraMembers };
  }
}
