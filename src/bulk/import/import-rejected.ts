import { InventoryError } from '../../core/errors/inventory-error';
import type { Summary } from './import-report';

/** Nothing was imported, because some lines failed. */
export class ImportRefused extends InventoryError {
  constructor(private readonly summary: Summary) {
    const { errors, failed } = summary;
    const [first] = errors;
    if (!first) throw new Error('an import was rejected without an error');
    const others = failed > 1 ? ` (and ${String(failed - 1)} more)` : '';
    super(
      first.code,
      `line ${String(first.line)}: ${first.message}${others}`,
      errors.map(({ line, message }) => ({ field: `line ${String(line)}`, message })),
    );
  }

  override get more(): Readonly<Record<string, unknown>> {
    const { failed, errors } = this.summary;
    return { created: 0, updated: 0, unchanged: 0, failed, errors };
  }
}

/** Nothing was imported, because the body could not be read to its end. */
export class BodyRefused extends InventoryError {
  /** @param summary the results of the lines that were read */
  constructor(
    { code, message, details, headers }: InventoryError,
    private readonly summary: Summary,
  ) {
    super(code, message, details, headers);
  }

  override get more(): Readonly<Record<string, unknown>> {
    return { ...this.summary };
  }
}
