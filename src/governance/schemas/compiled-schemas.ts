import type { ValidateFunction } from 'ajv';
import { LRUCache } from 'lru-cache';
import {
  canonicalSchemaText,
  compileSchema,
  isStackOverflow,
  type SchemaViolation,
  takeAcceptedSchema,
  toSchemaViolation,
} from './compile-schema';
import { runWithTimeout, VmTimeoutError } from '../../core/vm-timeout';

/** A value and the schema to validate it against, both as JSON text. */
export interface SchemaCheck {
  readonly schema: string;
  readonly value: string;
}

/** The results of a validation. */
export interface ValidationResult {
  /** Of each value, in order; undefined for a valid value. With a failure, those of the values before it. */
  readonly violations: readonly (SchemaViolation | undefined)[];
  /** Why the validation stopped. */
  readonly failure: string | undefined;
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
 * Validates values against JSON Schemas, on the thread of the caller. Each schema is compiled once and cached by its text. The key is not the
 * definition's version, because a transaction that is rolled back can leave a version number to another text.
 */
export class CompiledSchemas {
  private readonly compiled = new LRUCache<string, ValidateFunction>({
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: (_, text) => text.length,
  });

  /**
   * Validates all values within one timeout, so that a slow schema cannot block the process. Uncached schemas are
   * compiled first, within a timeout of their own. `compileFault` must have accepted every schema.
   */
  validate(checks: readonly SchemaCheck[]): ValidationResult {
    const prepared = this.prepare(checks);
    const violations: (SchemaViolation | undefined)[] = [];
    try {
      runWithTimeout(VALIDATION_TIMEOUT_MS, () => {
        for (const { validate, value } of prepared) violations.push(violationOf(validate, value));
      });
    } catch (error) {
      const interrupted = checks[violations.length];
      if (!interrupted || !(error instanceof VmTimeoutError || isStackOverflow(error))) throw error;
      // The interruption can have left the compiled function in an inconsistent state.
      this.compiled.delete(interrupted.schema);
      return {
        violations,
        failure: error instanceof VmTimeoutError ? TIMED_OUT : 'the schema recurses without end',
      };
    }
    return { violations, failure: prepared.length < checks.length ? TIMED_OUT : undefined };
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
