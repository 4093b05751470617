import {
  applyDecorators,
  createParamDecorator,
  Injectable,
  SetMetadata,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiHeader } from '@nestjs/swagger';
import type { Request } from 'express';
import { InventoryError } from '../core/errors/inventory-error';
import { parseIfMatch, type Precondition } from './etag';
import { isWrite } from './query.guard';

const PRECONDITIONS = ['If-Match', 'If-None-Match'] as const;
type PreconditionName = (typeof PRECONDITIONS)[number];

const taking = (name: PreconditionName): string => `takes ${name}`;

/** Declares and describes a precondition that a write takes. */
export const TakesPrecondition = (name: PreconditionName, description: string, schema: object) =>
  applyDecorators(
    SetMetadata(taking(name), true),
    ApiHeader({ name, required: false, description, schema: { type: 'string', ...schema } }),
  );

/**
 * Refuses preconditions where none are taken: a write that its client made conditional must not be done whatever the
 * inventory looks like. Reads may have them: browsers and proxies send them unasked.
 */
@Injectable()
export class PreconditionGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (!isWrite(request)) return true;
    const takes = (name: PreconditionName) =>
      this.reflector.get<true | undefined>(taking(name), context.getHandler());
    const refused = PRECONDITIONS.find((name) => request.get(name) !== undefined && !takes(name));
    if (refused !== undefined) throw InventoryError.invalid(refused, 'is not taken here');
    return true;
  }
}

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
