import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { unknownRouteError } from './error.filter';
import { allowedMethods } from './request';

/** The last segment of paths such as `/v1/hosts/variables`. No id is a word. */
const WORD = /^[a-z][a-z-]*$/;

/**
 * Rejects a method that a path has only because `/v1/hosts/variables` also matches `/v1/hosts/:id`: the path exists, but
 * does not support the method.
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
