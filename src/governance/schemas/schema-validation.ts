import { Injectable } from '@nestjs/common';
import type { ValidateFunction } from 'ajv';
import { LRUCache } from 'lru-cache';
import {
  canonicalSchemaText,
  compileSchema,
  isStackOverflow,
  runWithTimeout,
  type SchemaViolation,
  takeAcceptedSchema,
  toSchemaViolation,
  VmTimeoutError,
} from './compile-schema';

/** A value and the schema to validate it against, both as JSON text. */
export interface SchemaCheck {
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
export class JsonSchemaValidator {
  private readonly compiled = new LRUCache<string, ValidateFunction>({
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: (_, text) => text.length,
  });

  /**
   * Validates all values within one timeout, so that a slow schema cannot block the process. Uncached schemas are
   * compiled first, within a timeout of their own. `schemaFault` must have accepted every schema.
   * @returns the violation of each value, in order; undefined for a valid value
   * @throws ValidationTimeoutError if a value exceeds the timeout or the call stack
   */
  validate(checks: readonly SchemaCheck[]): (SchemaViolation | undefined)[] {
    const prepared = this.prepare(checks);
    const faults: (SchemaViolation | undefined)[] = [];
    try {
      runWithTimeout(VALIDATION_TIMEOUT_MS, () => {
        for (const { validate, value } of prepared) faults.push(violationOf(validate, value));
      });
    } catch (error) {
      const interrupted = checks[faults.length];
      if (!interrupted || !(error instanceof VmTimeoutError || isStackOverflow(error))) throw error;
      // The interruption can have left the compiled function in an inconsistent state.
      this.compiled.delete(interrupted.schema);
      throw new ValidationTimeoutError(
        faults,
        error instanceof VmTimeoutError ? TIMED_OUT : 'the schema recurses without end',
      );
    }
    if (prepared.length < checks.length) throw new ValidationTimeoutError(faults, TIMED_OUT);
    return faults;
  }

  /** Stops before the first check whose schema could not be compiled within the timeout. */
  private prepare(checks: readonly SchemaCheck[]): PreparedCheck[] {
    const deadline = performance.now() + COMPILE_TIMEOUT_MS;
    const prepared: PreparedCheck[] = [];
    for (const { schema, value } of checks) {
      const validate = this.compiled.get(schema) ?? this.compile(schema, deadline - performance.now());
      if (!validate) break;
      prepared.push({ validate, value });
    }
    return prepared;
  }

  /** @returns undefined if the compilation exceeds the timeout */
  private compile(text: string, timeoutMs: number): ValidateFunction | undefined {
    const schema: unknown = JSON.parse(text);
    const validate = takeAcceptedSchema(canonicalSchemaText(schema)) ?? compileWithTimeout(timeoutMs, schema);
    if (validate) this.compiled.set(text, validate);
    return validate;
  }
}

function compileWithTimeout(timeoutMs: number, schema: unknown): ValidateFunction | undefined {
  if (timeoutMs < 1) return undefined;
  try {
    return runWithTimeout(Math.floor(timeoutMs), () => compileSchema(schema));
  } catch (error) {
    if (error instanceof VmTimeoutError || isStackOverflow(error)) return undefined;
    throw error;
  }
}

const violationOf = (validate: ValidateFunction, value: string): SchemaViolation | undefined =>
  validate(JSON.parse(value)) ? undefined : toSchemaViolation(validate.errors ?? []);

const TIMED_OUT = 'the schema exceeded the timeout';

/** Validation was aborted. It completed for the values before the failed one; `violations` has their results. */
export class ValidationTimeoutError extends Error {
  constructor(
    readonly violations: readonly (SchemaViolation | undefined)[],
    reason: string,
  ) {
    super(`cannot be validated: ${reason}`);
  }
}
