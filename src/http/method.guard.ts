import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { unknownRouteError } from './error.filter';
import { allowedMethods } from './request';

/** The last segment of paths such as `/v1/hosts/variables`. No id is a word. */
const WORD = /^[a-z][a-z-]*$/;

/**
 * Express matches `DELETE /v1/hosts/variables` to `/v1/hosts/:id`. Rejects it with a 405 that names the methods of
 * `/v1/hosts/variables`, instead of saying that `variables` is no id.
 */
@Injectable()
export class MethodGuard implements CanActivate {
  /** @throws InventoryError 405 */
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const { id } = request.params;
    if (typeof id !== 'string' || !WORD.test(id)) return true;
    if (!allowedMethods(request).includes(request.method)) throw unknownRouteError(request);
    return true;
  }
}
