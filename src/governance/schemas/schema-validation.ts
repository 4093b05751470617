import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ConcurrencyLimiter } from '../../core/concurrency';
import { InventoryError } from '../../core/errors';
import type { SchemaViolation } from './compile-schema';
import type { SchemaCheck, ValidationResult } from './compiled-schemas';
import type { CompileReply, CompileRequest, ValidateRequest } from './schema-thread';

export type { SchemaCheck } from './compiled-schemas';

/** Validations of values come before new schemas: the transactions of writes wait for them. */
const ORDER = { validate: 0, compile: 1 } as const;

/**
 * Checks JSON Schemas, and validates values against them, in a thread of its own. Compiling a schema that a user wrote
 * can take half a second, and validating values a second. The main thread serves other requests meanwhile.
 */
@Injectable()
export class JsonSchemaValidator implements OnModuleDestroy {
  private thread: Worker | undefined;
  private readonly limiter = new ConcurrencyLimiter({
    maxConcurrent: 1,
    queue: { maxLength: Infinity, timeoutMs: 30_000 },
    message: 'Too many JSON Schemas are being checked. Retry the request.',
    retryAfterSeconds: 5,
  });

  async onModuleDestroy(): Promise<void> {
    await this.thread?.terminate();
  }

  /**
   * Why a JSON Schema, which `schemaFormFault` has accepted, is rejected; undefined if it is accepted.
   * @throws InventoryError 503 if too many schemas are being checked
   */
  async compileFault(schema: unknown): Promise<string | undefined> {
    const request: CompileRequest = { schema: JSON.stringify(schema) };
    const { fault } = await this.ask<CompileReply>(request, ORDER.compile);
    return fault;
  }

  /**
   * Validates all values, within one timeout. `compileFault` must have accepted every schema.
   * @returns the violation of each value, in order; undefined for a valid value
   * @throws ValidationTimeoutError if a value exceeds the timeout or the call stack
   */
  async validate(checks: readonly SchemaCheck[]): Promise<readonly (SchemaViolation | undefined)[]> {
    if (checks.length === 0) return [];
    const schemas = [...new Set(checks.map(({ schema }) => schema))];
    const indexes = new Map(schemas.map((schema, i) => [schema, i]));
    const request: ValidateRequest = {
      schemas,
      checks: checks.map(({ schema, value }) => [indexes.get(schema) ?? -1, value]),
    };
    const { violations, failure } = await this.ask<ValidationResult>(request, ORDER.validate);
    if (failure !== undefined) throw new ValidationTimeoutError(violations, failure);
    return violations;
  }

  private ask<R>(request: CompileRequest | ValidateRequest, order: number): Promise<R> {
    return this.limiter.run(
      () =>
        new Promise<R>((resolve, reject) => {
          const thread = (this.thread ??= this.startThread());
          const fail = (cause: unknown): void => {
            thread.off('message', succeed);
            reject(new Error('the thread that validates JSON Schemas has ended', { cause }));
          };
          const succeed = (reply: R): void => {
            thread.off('exit', fail);
            resolve(reply);
          };
          thread.once('message', succeed);
          thread.once('exit', fail);
          thread.postMessage(request);
        }),
      { order },
    );
  }

  private startThread(): Worker {
    const thread = new Worker(join(__dirname, 'schema-thread.js'));
    // It does not keep the process alive.
    thread.unref();
    const forget = (): void => {
      if (this.thread === thread) this.thread = undefined;
    };
    // `exit` follows an error, and rejects the request in progress. The next request starts another thread.
    thread.on('error', forget);
    thread.on('exit', forget);
    return thread;
  }
}

/** Rejects a schema. @throws InventoryError 400 for the member of the body if it is not usable */
export async function assertUsableSchema(
  validator: JsonSchemaValidator,
  schema: unknown,
  member: string,
  path = '',
): Promise<void> {
  const fault = await validator.compileFault(schema);
  if (fault !== undefined) throw InventoryError.invalid(member, `${path}${fault}`);
}

/** Validation was aborted. It completed for the values before the failed one; `violations` has their results. */
export class ValidationTimeoutError extends Error {
  constructor(
    readonly violations: readonly (SchemaViolation | undefined)[],
    reason: string,
  ) {
    super(`cannot be validated: ${reason}`);
  }
}
