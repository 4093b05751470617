import {
  Inject,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request } from 'express';
import { concatMap, type Observable } from 'rxjs';
import { requestContext } from '../auth/access';
import { PREVIEW_PARAMETERS } from '../http/dry-run';
import { bodyText } from '../http/request-body';
import { requestState } from '../http/request-state';
import { ChangesService } from '../changes/changes.service';
import type { PreparedWrite } from './prepared-write';
import { type ProposedWrite, type Proposer, PROPOSER } from './proposer';
import { runOrPropose } from './run-or-propose';

/** Runs the write that the handler of a route has prepared, and responds with its result; or proposes it. */
@Injectable()
export class WriteInterceptor implements NestInterceptor<PreparedWrite> {
  constructor(
    private readonly changes: ChangesService,
    @Inject(PROPOSER) private readonly proposer: Proposer,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<PreparedWrite>): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    // The sender of the subrequest runs the write.
    if (requestState(request).subrequest) return next.handle();
    const ctx = requestContext(request);
    return next.handle().pipe(
      concatMap((write) =>
        runOrPropose(ctx, this.proposer, {
          run: () => write.respond(this.changes, ctx),
          propose: () => this.proposer.propose(ctx, proposedBy(request)),
        }),
      ),
    );
  }
}

/** The write of a request, as it was sent. */
function proposedBy(request: Request): ProposedWrite {
  const [path = '', query = ''] = request.originalUrl.split(/\?(.*)/s);
  // Everything else keeps its spelling.
  const others = query
    .split('&')
    .filter((text) => !PREVIEW_PARAMETERS.some((name) => new URLSearchParams(text).has(name)));
  const text = bodyText(request);
  return {
    method: request.method,
    path: others.length === 0 ? path : `${path}?${others.join('&')}`,
    body: text === '' ? undefined : text,
    ifMatch: request.get('if-match'),
    ifNoneMatch: request.get('if-none-match'),
  };
}
