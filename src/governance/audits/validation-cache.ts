import { InventoryError } from '../../core/errors/inventory-error';
import type { Fault } from '../schemas/compile-schema';
import { JsonSchemas, TooHard } from '../schemas/schema-validation';
import type { RunTime } from './run-budget';

/** Values that are remembered with what is wrong with them, and how long they may be. */
const MOST_REMEMBERED = 5_000;
const LONGEST_REMEMBERED = 2_000;
/** So much is looked at before the process does something else: values, and the characters of their texts. */
const MOST_VALUES = 200;
const MOST_CHARACTERS = 64 * 1024;

/** What a schema says of values. Many are alike. */
export class Verdicts {
  private readonly known = new Map<string, Fault | undefined>();

  constructor(
    private readonly schemas: JsonSchemas,
    private readonly schema: string,
    private readonly time: RunTime,
  ) {}

  /**
   * @returns for each value, in order, what is wrong with it
   * @throws InventoryError 405 for a value that takes too long, or if the run does
   */
  async of(values: readonly string[]): Promise<(Fault | undefined)[]> {
    await this.time.pause();
    const now = new Map<string, Fault | undefined>();
    const unknown = [...new Set(values)].filter((value) => !this.known.has(value));
    for (const slice of slices(unknown)) {
      const faults = this.faults(slice);
      for (const [i, value] of slice.entries()) {
        now.set(value, faults[i]);
        if (this.known.size < MOST_REMEMBERED && value.length <= LONGEST_REMEMBERED)
          this.known.set(value, faults[i]);
      }
      await this.time.pause();
    }
    return values.map((value) => (now.has(value) ? now.get(value) : this.known.get(value)));
  }

  private faults(values: readonly string[]): (Fault | undefined)[] {
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
    if (slice.length < MOST_VALUES && characters < MOST_CHARACTERS) continue;
    yield slice;
    slice = [];
    characters = 0;
  }
  if (slice.length > 0) yield slice;
}
