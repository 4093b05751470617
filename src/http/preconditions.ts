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
import { InventoryError } from '../core/errors';
import { entityTag, parseEntityTags, versionTag } from './entity-tag';
import { isWrite } from './dry-run';

/** A parsed `If-Match`: `undefined` without the header, `'*'` for any version, else the tags of the accepted versions. */
export type Precondition = undefined | '*' | readonly string[];

/** @throws InventoryError 400 if the header is not a list of entity tags (RFC 9110) */
function parseIfMatch(header: string | undefined): Precondition {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return '*';
  const tags = parseEntityTags(header);
  if (!tags) throw malformed();
  return tags.map(versionTag);
}

const malformed = (): InventoryError =>
  InventoryError.invalid('If-Match', 'must be * or a list of entity tags, as in If-Match: "3"');

/** @throws InventoryError 412 if the precondition does not include the version */
export function requireVersion(precondition: Precondition, version: number): void {
  if (precondition === undefined || precondition === '*') return;
  // If-Match uses the strong comparison: a weak tag never matches.
  if (precondition.includes(entityTag(version))) return;
  throw new InventoryError('version_mismatch', `The resource is at version ${String(version)} now.`, [
    { field: 'If-Match', message: `precondition failed: the current version is ${entityTag(version)}` },
  ]);
}

const PRECONDITIONS = ['If-Match', 'If-None-Match'] as const;
type PreconditionName = (typeof PRECONDITIONS)[number];

const metadataKey = (name: PreconditionName): string => `takes ${name}`;

/** Declares and documents a precondition that a write supports. */
export const TakesPrecondition = (name: PreconditionName, description: string, schema: object) =>
  applyDecorators(
    SetMetadata(metadataKey(name), true),
    ApiHeader({ name, required: false, description, schema: { type: 'string', ...schema } }),
  );

/**
 * Rejects preconditions on writes that do not support them: a conditional write must not be executed unconditionally.
 * Reads ignore them, because browsers and proxies add them.
 */
@Injectable()
export class PreconditionGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (!isWrite(request)) return true;
    const takes = (name: PreconditionName) =>
      this.reflector.get<true | undefined>(metadataKey(name), context.getHandler());
    const unsupported = PRECONDITIONS.find((name) => request.get(name) !== undefined && !takes(name));
    if (unsupported !== undefined)
      throw InventoryError.invalid(unsupported, 'is not supported by this endpoint');
    return true;
  }
}

/** The request's precondition: see `parseIfMatch`. */
export const IfMatch = createParamDecorator((_: unknown, context: ExecutionContext): Precondition => {
  return parseIfMatch(context.switchToHttp().getRequest<Request>().get('if-match'));
});

/** Whether the request has `If-None-Match: *`, the only form that writes support. 400 for entity tags. */
export const IfNoneMatch = createParamDecorator((_: unknown, context: ExecutionContext): boolean => {
  const header = context.switchToHttp().getRequest<Request>().get('if-none-match');
  if (header !== undefined && header.trim() !== '*')
    throw InventoryError.invalid('If-None-Match', 'must be *');
  return header !== undefined;
});
