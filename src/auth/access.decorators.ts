import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { RequestContext } from '../shared/context/request-context';
import type { RouteAccess } from './access';

export const ACCESS = 'route access';

/** Declares what a route asks of its caller. A route that declares nothing is closed. */
export const Access = (access: RouteAccess) => SetMetadata(ACCESS, access);

/** Open to everybody, without authentication. */
export const Public = () => Access({ needs: 'nothing' });

export const ASKS = 'asks';

/** A `POST` that asks and writes nothing, so that there is nothing to be tried: its query is its own. */
export const Asks = () => SetMetadata(ASKS, true);

const contexts = new WeakMap<Request, RequestContext>();

export const attachContext = (request: Request, ctx: RequestContext): void => {
  contexts.set(request, ctx);
};

/** The context that the guard made; undefined on public routes and before the guard. */
export const contextOf = (request: Request): RequestContext | undefined => contexts.get(request);

/** The caller's context, as a controller's first argument. */
export const Ctx = createParamDecorator((_: unknown, host: ExecutionContext): RequestContext => {
  const ctx = contextOf(host.switchToHttp().getRequest<Request>());
  if (!ctx) throw new Error('a public route asked for the caller');
  return ctx;
});
