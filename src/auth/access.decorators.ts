import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { RequestContext } from '../core/context/request-context';
import { requestState, type RenewContext } from '../http/request-state';
import type { RouteAccess } from './access';

export const ACCESS = 'route access';

/** Declares the access that a route requires. A route without this decorator is closed. */
export const Access = (access: RouteAccess) => SetMetadata(ACCESS, access);

/** Allows a route without authentication. */
export const Public = () => Access({ needs: 'nothing' });

export const SAFE_POST = 'safe post';

/**
 * Marks a `POST` that only reads. It has no dry run, so the parameters of dry runs are not reserved in its query. It is
 * idempotent, so `Idempotency-Key` is ignored and its response is not stored.
 */
export const SafePost = () => SetMetadata(SAFE_POST, true);

/** Injects the context of the request into a controller method. */
export const Ctx = createParamDecorator((_: unknown, host: ExecutionContext): RequestContext => {
  return contextOf(host).ctx;
});

/** Injects the function that renews the context. Handlers that wait use it, because access can change meanwhile. */
export const Renewal = createParamDecorator((_: unknown, host: ExecutionContext): RenewContext => {
  return contextOf(host).renew;
});

function contextOf(host: ExecutionContext) {
  const { context } = requestState(host.switchToHttp().getRequest<Request>());
  if (!context) throw new Error('a public route has no context');
  return context;
}
