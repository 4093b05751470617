import type { RequestContext } from '../core/context/request-context';
import type { ResourceMapping } from '../database/resource-mapping';
import { type JsonResponse, renderWrite } from '../http/response';
import type { ChangesService, LargeWrite } from '../changes/changes.service';
import { inChangeSet, type LargeOperation, type PartWriter } from '../changes/large-operation';
import type { Operation, WriteMode } from '../changes/operation';

/** The response to the whole change says what is left out here. */
const WITHOUT_OUTCOME = { preview: undefined, warnings: [], replayed: false, position: undefined };

/**
 * A write that a handler has prepared: its request is valid, and the caller may do it. `WriteInterceptor` runs it. Part of a
 * batch, it runs with others in one change.
 */
export class PreparedWrite {
  private constructor(
    readonly mode: WriteMode,
    readonly operation: Operation<unknown>,
    /** Renders the result of the operation. */
    readonly render: (result: unknown) => JsonResponse,
    /** Runs it in a change of its own. */
    readonly respond: (changes: ChangesService, ctx: RequestContext) => Promise<JsonResponse>,
    /** The kind of the resource that it creates, if it creates exactly one. */
    readonly creates?: ResourceMapping,
  ) {}

  /** A creation, a deletion, or anything else that always makes a change. */
  static run<T>(
    operation: Operation<T>,
    render: (result: T) => JsonResponse,
    creates?: ResourceMapping,
  ): PreparedWrite {
    return PreparedWrite.of('run', operation, render, creates);
  }

  /** An update, which may leave everything as it is. */
  static update<T>(operation: Operation<T>, render: (result: T) => JsonResponse): PreparedWrite {
    return PreparedWrite.of('update', operation, render);
  }

  /** A write of any size. Together with others, it is limited: see `inChangeSet`. */
  static large<T>(
    operation: LargeOperation<T, PartWriter>,
    render: (write: LargeWrite<T>) => JsonResponse,
  ): PreparedWrite {
    return new PreparedWrite(
      'run',
      inChangeSet(operation),
      (result) => render({ ...WITHOUT_OUTCOME, result: result as T }),
      async (changes, ctx) => render(await changes.runLarge(ctx, operation)),
    );
  }

  /** The same write, prepared without checking roles: it can be previewed, but not committed. */
  forPreview(): PreparedWrite {
    const { mode, operation, render, creates } = this;
    const respond = () => Promise.reject(new Error('a write without checked roles was sent alone'));
    return new PreparedWrite(mode, { ...operation, skipsRoleChecks: true }, render, respond, creates);
  }

  private static of<T>(
    mode: WriteMode,
    operation: Operation<T>,
    render: (result: T) => JsonResponse,
    creates?: ResourceMapping,
  ): PreparedWrite {
    return new PreparedWrite(
      mode,
      operation,
      (result) => render(result as T),
      async (changes, ctx) => {
        const write = mode === 'update' ? changes.update(ctx, operation) : changes.run(ctx, operation);
        return renderWrite(await write, render);
      },
      creates,
    );
  }
}
