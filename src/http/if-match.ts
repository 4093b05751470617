import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { InventoryError } from '../core/errors/inventory-error';
import { parseIfMatch, type Precondition } from './etag';

/** The request's precondition: see `parseIfMatch`. */
export const IfMatch = createParamDecorator((_: unknown, context: ExecutionContext): Precondition => {
  return parseIfMatch(context.switchToHttp().getRequest<Request>().get('if-match'));
});

/** `If-None-Match: *`, the one that writes take: only if it is not there yet. 400 for tags. */
export const IfNoneMatch = createParamDecorator((_: unknown, context: ExecutionContext): boolean => {
  const header = context.switchToHttp().getRequest<Request>().get('if-none-match');
  if (header !== undefined && header.trim() !== '*')
    throw InventoryError.invalid('If-None-Match', 'must be *');
  return header !== undefined;
});
