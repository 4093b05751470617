import { parentPort } from 'node:worker_threads';
import { compileFault, warmUp } from './compile-schema';
import { CompiledSchemas, type ValidationResult } from './compiled-schemas';

/** Asks why a schema cannot be used. */
export interface CompileRequest {
  /** As JSON text. */
  readonly schema: string;
}

/** Asks for the violations of values. Many values have the same schema, so it is sent once. */
export interface ValidateRequest {
  readonly schemas: readonly string[];
  /** The values as JSON text, with the indexes of their schemas. */
  readonly checks: readonly (readonly [schema: number, value: string])[];
}

/** The reply to a request that failed for a reason that is not a fault of a schema. */
export interface ErrorReply {
  readonly error: string;
}

/** Why the schema of a `CompileRequest` is rejected. */
export interface CompileReply {
  readonly fault: string | undefined;
}

// The code of the thread that `JsonSchemaValidator` starts. It answers one request after the other.

const compiled = new CompiledSchemas();
warmUp();

function answer(request: CompileRequest | ValidateRequest): CompileReply | ValidationResult {
  if ('schema' in request) return { fault: compileFault(JSON.parse(request.schema)) };
  const { schemas, checks } = request;
  return compiled.validate(checks.map(([schema, value]) => ({ schema: schemas[schema] ?? 'true', value })));
}

/** An error does not end the thread, which would lose the compiled schemas of all projects. */
function answerOrError(
  request: CompileRequest | ValidateRequest,
): CompileReply | ValidationResult | ErrorReply {
  try {
    return answer(request);
  } catch (error) {
    return { error: String(error) };
  }
}

parentPort?.on('message', (request: CompileRequest | ValidateRequest) => {
  parentPort?.postMessage(answerOrError(request));
});
