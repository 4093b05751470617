import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { RequestContext } from '../core/context/request-context';
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

/**
 * Makes a request's context once more, as a new request of the same caller would get it by now.
 * @throws InventoryError 401 or 403, if that one would be refused
 */
export type RenewContext = () => Promise<RequestContext>;

interface Attached {
  readonly ctx: RequestContext;
  readonly renew: RenewContext;
}

const contexts = new WeakMap<Request, Attached>();

export const attachContext = (request: Request, attached: Attached): void => {
  contexts.set(request, attached);
};

/** The context that the guard made; undefined on public routes and before the guard. */
export const contextOf = (request: Request): RequestContext | undefined => contexts.get(request)?.ctx;

/** The caller's context, as a controller's first argument. */
export const Ctx = createParamDecorator((_: unknown, host: ExecutionContext): RequestContext => {
  return attachedTo(host).ctx;
});

/** For what waits before it answers: keys end and rights change meanwhile. */
export const Renewal = createParamDecorator((_: unknown, host: ExecutionContext): RenewContext => {
  return attachedTo(host).renew;
});

function attachedTo(host: ExecutionContext): Attached {
  const attached = contexts.get(host.switchToHttp().getRequest<Request>());
  if (!attached) throw new Error('a public route asked for the caller');
  return attached;
}
