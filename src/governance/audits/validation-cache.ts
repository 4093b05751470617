import { InventoryError } from '../../core/errors/inventory-error';
import type { Fault } from '../schemas/compile-schema';
import { JsonSchemas, TooHard } from '../schemas/schema-validation';
import type { RunTime } from './run-budget';

/** Limits on the number and the length of cached values. */
const MAX_CACHED_VALUES = 5_000;
const MAX_CACHED_LENGTH = 2_000;
/** Limits on the values that are validated before the event loop runs other work. */
const MAX_SLICE_VALUES = 200;
const MAX_SLICE_CHARACTERS = 64 * 1024;

/** Validates values against one schema and caches the results, because many values are equal. */
export class Verdicts {
  private readonly cached = new Map<string, Fault | undefined>();

  constructor(
    private readonly schemas: JsonSchemas,
    private readonly schema: string,
    private readonly budget: RunTime,
  ) {}

  /**
   * @returns the violation of each value, in order; undefined for a valid value
   * @throws InventoryError 405 if a value or the run exceeds its timeout
   */
  async of(values: readonly string[]): Promise<(Fault | undefined)[]> {
    await this.budget.pause();
    const validated = new Map<string, Fault | undefined>();
    const uncached = [...new Set(values)].filter((value) => !this.cached.has(value));
    for (const slice of slices(uncached)) {
      const violations = this.validate(slice);
      for (const [i, value] of slice.entries()) {
        validated.set(value, violations[i]);
        if (this.cached.size < MAX_CACHED_VALUES && value.length <= MAX_CACHED_LENGTH)
          this.cached.set(value, violations[i]);
      }
      await this.budget.pause();
    }
    return values.map((value) => (validated.has(value) ? validated.get(value) : this.cached.get(value)));
  }

  private validate(values: readonly string[]): (Fault | undefined)[] {
    try {
      return this.schemas.faults(values.map((value) => ({ schema: this.schema, value })));
    } catch (error) {
      if (!(error instanceof TooHard)) throw error;
      throw InventoryError.forbiddenByInventory('expectation', error.message);
    }
  }
}

function* slices(values: readonly string[]): Generator<string[]> {
  let slice: string[] = [];
  let characters = 0;
  for (const value of values) {
    slice.push(value);
    characters += value.length;
    if (slice.length < MAX_SLICE_VALUES && characters < MAX_SLICE_CHARACTERS) continue;
    yield slice;
    slice = [];
    characters = 0;
  }
  if (slice.length > 0) yield slice;
}
