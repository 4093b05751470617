import { InventoryError } from '../../core/errors/inventory-error';
import type { Summary } from './import-report';

/** An import of which nothing is written, because some of its lines cannot be. */
export class ImportRefused extends InventoryError {
  constructor(private readonly summary: Summary) {
    const { errors, failed } = summary;
    const [first] = errors;
    if (!first) throw new Error('an import was refused without a reason');
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

/** An import of which nothing is written, because its body cannot be read to its end. */
export class BodyRefused extends InventoryError {
  /** @param summary what the lines came to until then */
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
