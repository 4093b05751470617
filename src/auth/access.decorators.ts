import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { RequestContext } from '../core/context/request-context';
import { requestState, type RenewContext } from '../http/request-state';
import type { RouteAccess } from './access';

export const ACCESS = 'route access';

/** Declares what a route asks of its caller. A route that declares nothing is closed. */
export const Access = (access: RouteAccess) => SetMetadata(ACCESS, access);

/** Open to everybody, without authentication. */
export const Public = () => Access({ needs: 'nothing' });

export const ASKS = 'asks';

/**
 * A `POST` that asks and writes nothing. There is nothing to be tried, so its query is its own; and it can be repeated
 * anyway, so its `Idempotency-Key` is ignored and its answer is not stored.
 */
export const Asks = () => SetMetadata(ASKS, true);

/** The caller's context, as a controller's first argument. */
export const Ctx = createParamDecorator((_: unknown, host: ExecutionContext): RequestContext => {
  return contextOf(host).ctx;
});

/** For what waits before it answers: keys end and rights change meanwhile. */
export const Renewal = createParamDecorator((_: unknown, host: ExecutionContext): RenewContext => {
  return contextOf(host).renew;
});

function contextOf(host: ExecutionContext) {
  const { context } = requestState(host.switchToHttp().getRequest<Request>());
  if (!context) throw new Error('a public route uses the context of the caller');
  return context;
}
