import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ConcurrencyLimiter, sharesOf } from '../../core/concurrency';
import type { RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors';
import type { SchemaViolation } from './compile-schema';
import type { SchemaCheck, ValidationResult } from './compiled-schemas';
import type { CompileReply, CompileRequest, ErrorReply, ValidateRequest } from './schema-thread';

export type { SchemaCheck } from './compiled-schemas';

/** How many new schemas wait at most, of which a user has half. Each takes up to half a second. */
const MAX_QUEUED_SCHEMAS = 40;

/** How long (ms) one request takes at most, the queue of the thread excluded. Schemas have shorter timeouts of their own. */
const REPLY_TIMEOUT_MS = 15_000;

/** The memory of the thread, in MiB. A schema that needs more ends the thread, and is rejected. */
const MAX_THREAD_MEMORY = 256;

/** The thread ended before it replied: a schema needed too much memory or time. */
class ThreadEndedError extends Error {}

const TOO_EXPENSIVE = 'the schema needs too much memory or time';

/**
 * Checks JSON Schemas, and validates values against them, in a thread of its own. Compiling a schema that a user wrote
 * can take half a second, and validating values a second. The main thread serves other requests meanwhile.
 */
@Injectable()
export class JsonSchemaValidator implements OnModuleDestroy {
  private thread: Worker | undefined;
  /** The thread answers one request after the other. */
  private readonly requests = new ConcurrencyLimiter({
    maxConcurrent: 1,
    queue: { maxLength: Infinity, timeoutMs: 30_000 },
    message: 'Timed out waiting for other checks of JSON Schemas. Retry the request.',
    retryAfterSeconds: 5,
  });
  /** New schemas wait here, so that the writes of others, which wait for validations, wait for one of them at most. */
  private readonly compilations = new ConcurrencyLimiter({
    maxConcurrent: 1,
    queue: { maxLength: MAX_QUEUED_SCHEMAS, timeoutMs: 30_000 },
    message: 'Too many JSON Schemas are being checked. Retry the request.',
    retryAfterSeconds: 5,
    shares: { ...sharesOf(1), callsName: 'JSON Schemas' },
  });

  async onModuleDestroy(): Promise<void> {
    await this.thread?.terminate();
  }

  /**
   * Why a JSON Schema, which `schemaFormFault` has accepted, is rejected; undefined if it is accepted.
   * @throws InventoryError 503 if too many schemas are being checked, of all, of the user or of the project
   */
  async compileFault(ctx: RequestContext, schema: unknown): Promise<string | undefined> {
    const request: CompileRequest = { schema: JSON.stringify(schema) };
    try {
      return (await this.compilations.run(() => this.ask<CompileReply>(request), { caller: ctx })).fault;
    } catch (error) {
      if (error instanceof ThreadEndedError) return TOO_EXPENSIVE;
      throw error;
    }
  }

  /**
   * Validates all values, within one timeout. `compileFault` must have accepted every schema.
   * @returns the violation of each value, in order; undefined for a valid value
   * @throws ValidationTimeoutError if a value exceeds the timeout, the call stack or the memory of the thread
   */
  async validate(checks: readonly SchemaCheck[]): Promise<readonly (SchemaViolation | undefined)[]> {
    if (checks.length === 0) return [];
    const schemas = [...new Set(checks.map(({ schema }) => schema))];
    const indexes = new Map(schemas.map((schema, i) => [schema, i]));
    const request: ValidateRequest = {
      schemas,
      checks: checks.map(({ schema, value }) => [indexes.get(schema) ?? -1, value]),
    };
    const { violations, failure } = await this.ask<ValidationResult>(request).catch((error: unknown) => {
      if (error instanceof ThreadEndedError) throw new ValidationTimeoutError([], TOO_EXPENSIVE);
      throw error;
    });
    if (failure !== undefined) throw new ValidationTimeoutError(violations, failure);
    return violations;
  }

  /** @throws ThreadEndedError */
  private ask<R extends object>(request: CompileRequest | ValidateRequest): Promise<R> {
    return this.requests.run(() => exchange<R>((this.thread ??= this.startThread()), request));
  }

  private startThread(): Worker {
    const thread = new Worker(join(__dirname, 'schema-thread.js'), {
      resourceLimits: { maxOldGenerationSizeMb: MAX_THREAD_MEMORY },
    });
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

/** Sends a request to the thread and waits for the reply. @throws ThreadEndedError */
function exchange<R extends object>(thread: Worker, request: CompileRequest | ValidateRequest): Promise<R> {
  return new Promise<R>((resolve, reject) => {
    const timer = setTimeout(() => void thread.terminate(), REPLY_TIMEOUT_MS);
    const settle = (): void => {
      clearTimeout(timer);
      thread.off('message', onReply);
      thread.off('exit', onExit);
    };
    const onReply = (reply: R | ErrorReply): void => {
      settle();
      if ('error' in reply) reject(new Error(`JSON Schemas cannot be checked: ${reply.error}`));
      else resolve(reply);
    };
    const onExit = (): void => {
      settle();
      reject(new ThreadEndedError());
    };
    thread.once('message', onReply);
    thread.once('exit', onExit);
    thread.postMessage(request);
  });
}

/** Rejects a schema. @throws InventoryError 400 for the member of the body if it is not usable */
export async function assertUsableSchema(
  ctx: RequestContext,
  validator: JsonSchemaValidator,
  schema: unknown,
  member: string,
  path = '',
): Promise<void> {
  const fault = await validator.compileFault(ctx, schema);
  if (fault !== undefined) throw InventoryError.invalid(member, 'invalid_format', `${path}${fault}`);
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
