import { Injectable } from '@nestjs/common';
import type { ValidateFunction } from 'ajv';
import { storedText, takeAccepted } from './compiled-schemas';
import { compileSchema, faultOf, isStackOverflow, type Fault } from './compile-schema';
import { TookTooLong, withinTime } from './validation-timeout';

/** A value and the schema to validate it against, both as JSON text. */
export interface Checked {
  readonly schema: string;
  readonly value: string;
}

/** A value with the compiled validator of its schema. */
interface PreparedCheck {
  readonly validate: ValidateFunction;
  readonly value: string;
}

/** Timeout for validating all values of one call. */
const VALIDATION_TIMEOUT_MS = 1_000;
/** Timeout for compiling the uncached schemas of one call. Schemas compiled before the timeout stay in the cache. */
const COMPILE_TIMEOUT_MS = 2_000;
/** Limit on the total length of the cached schemas' texts. The compiled functions take a few times as much memory. */
const MAX_CACHED_CHARACTERS = 4 * 1024 * 1024;

/**
 * Validates values against JSON Schemas. Each schema is compiled once and cached by its text. The key is not the
 * definition's version, because a transaction that is rolled back can leave a version number to another text.
 */
@Injectable()
export class JsonSchemas {
  /** The least recently used entry comes first. */
  private readonly compiled = new Map<string, ValidateFunction>();
  private cachedCharacters = 0;

  /**
   * Validates all values within one timeout, so that a slow schema cannot block the process. Uncached schemas are
   * compiled first, within a timeout of their own. `schemaFault` must have accepted every schema.
   * @returns the violation of each value, in order; undefined for a valid value
   * @throws ValidationTimeoutError if a value exceeds the timeout or the call stack
   */
  faults(checks: readonly Checked[]): (Fault | undefined)[] {
    const prepared = this.prepare(checks);
    const faults: (Fault | undefined)[] = [];
    try {
      withinTime(VALIDATION_TIMEOUT_MS, () => {
        for (const { validate, value } of prepared) faults.push(violationOf(validate, value));
      });
    } catch (error) {
      const interrupted = checks[faults.length];
      if (!interrupted || !(error instanceof TookTooLong || isStackOverflow(error))) throw error;
      // The interruption can have left the compiled function in an inconsistent state.
      this.evict(interrupted.schema);
      throw new TooHard(faults, error instanceof TookTooLong ? TIMED_OUT : 'the schema recurses without end');
    }
    if (prepared.length < checks.length) throw new TooHard(faults, TIMED_OUT);
    return faults;
  }

  /** Stops before the first check whose schema could not be compiled within the timeout. */
  private prepare(checks: readonly Checked[]): PreparedCheck[] {
    const deadline = performance.now() + COMPILE_TIMEOUT_MS;
    const prepared: PreparedCheck[] = [];
    for (const { schema, value } of checks) {
      const validate = this.cached(schema) ?? this.compile(schema, deadline - performance.now());
      if (!validate) break;
      prepared.push({ validate, value });
    }
    return prepared;
  }

  private cached(text: string): ValidateFunction | undefined {
    const validate = this.compiled.get(text);
    if (!validate) return undefined;
    this.compiled.delete(text);
    this.compiled.set(text, validate);
    return validate;
  }

  /** @returns undefined if the compilation exceeds the timeout */
  private compile(text: string, timeoutMs: number): ValidateFunction | undefined {
    const schema: unknown = JSON.parse(text);
    const validate = takeAccepted(storedText(schema)) ?? compileWithTimeout(timeoutMs, schema);
    if (!validate) return undefined;
    this.compiled.set(text, validate);
    this.cachedCharacters += text.length;
    for (const oldest of this.compiled.keys()) {
      if (this.cachedCharacters <= MAX_CACHED_CHARACTERS || oldest === text) break;
      this.evict(oldest);
    }
    return validate;
  }

  private evict(text: string): void {
    if (this.compiled.delete(text)) this.cachedCharacters -= text.length;
  }
}

function compileWithTimeout(timeoutMs: number, schema: unknown): ValidateFunction | undefined {
  if (timeoutMs < 1) return undefined;
  try {
    return withinTime(Math.floor(timeoutMs), () => compileSchema(schema));
  } catch (error) {
    if (error instanceof TookTooLong || isStackOverflow(error)) return undefined;
    throw error;
  }
}

const violationOf = (validate: ValidateFunction, value: string): Fault | undefined =>
  validate(JSON.parse(value)) ? undefined : faultOf(validate.errors ?? []);

const TIMED_OUT = 'the schema exceeded the timeout';

/** Validation was aborted. It completed for the values before the failed one; `violations` has their results. */
export class TooHard extends Error {
  constructor(
    readonly faults: readonly (Fault | undefined)[],
    reason: string,
  ) {
    super(`cannot be validated: ${reason}`);
  }
}
