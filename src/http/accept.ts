import { Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import Negotiator from 'negotiator';
import { InventoryError } from '../core/errors';
import { ARRAY_MEDIA_TYPE, PAGE_MEDIA_TYPE } from '../lists/list-query';

export const JSON_MEDIA_TYPE = 'application/json';

/**
 * What a route responds with by default. The types of the forms of lists are acceptable everywhere, so that a client can
 * send one with every request: a route without a list responds to it as to `application/json`.
 */
export const JSON_MEDIA_TYPES = [JSON_MEDIA_TYPE, PAGE_MEDIA_TYPE, ARRAY_MEDIA_TYPE] as const;

const NEGOTIATES = 'negotiates the media type';

/** `AcceptGuard` lets any `Accept` pass: the route can respond with other types than JSON, and calls `preferredType`, or redirects. */
export const NegotiatesType = () => SetMetadata(NEGOTIATES, true);

/**
 * The media type that a client prefers (RFC 9110): by the quality of the range that matches it most closely, then by
 * that range, then by the order of the header, then by the order of `types`. Parameters do not select a type.
 * @param types the types that the route can respond with, the default first
 * @throws InventoryError 406 if the client accepts none of them
 */
export function preferredType<T extends string>(request: Request, types: readonly [T, ...T[]]): T {
  const header = request.get('accept') ?? '';
  if (header === '' || header === '*/*') return types[0];
  const preferred = new Negotiator({ headers: { accept: withoutParameters(header) } }).mediaType(types);
  const type = types.find((one) => one === preferred);
  if (type === undefined) throw notAcceptable(header, types);
  return type;
}

/** Removes the parameters of media ranges, except the quality: `application/json; charset=utf-8` means JSON, too. */
const withoutParameters = (header: string): string =>
  header
    .split(',')
    .map((range) => {
      const [type = '', ...parameters] = range.split(';');
      const quality = parameters.find((parameter) => /^\s*q\s*=/i.test(parameter));
      return quality === undefined ? type : `${type};${quality}`;
    })
    .join(',');

function notAcceptable(header: string, types: readonly string[]): InventoryError {
  const offered = types.join(' or ');
  const hint = /\bcsv\b/i.test(header) ? ' GET /v1/export?format=csv responds with a table of hosts.' : '';
  return new InventoryError('not_acceptable', `This path responds with ${offered}.${hint}`, [
    { field: 'Accept', code: 'invalid_value', message: `must include ${offered}` },
  ]);
}

/** Rejects a request whose client does not accept JSON, before it does anything. */
@Injectable()
export class AcceptGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  /** @throws InventoryError 406 */
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    // Probes and scrapers may send any header.
    if (!request.path.startsWith('/v1/')) return true;
    if (this.reflector.get<true | undefined>(NEGOTIATES, context.getHandler()) !== true)
      preferredType(request, JSON_MEDIA_TYPES);
    return true;
  }
}
