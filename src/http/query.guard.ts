import { Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import type { PreviewPage } from '../core/context/request-context';
import { InventoryError } from '../core/errors/inventory-error';
import { singleValue } from '../core/query-parameters';
import { readIdPage } from '../list/list-query';
import { parseBooleanValue } from '../list/list-filter';

/** The query parameters of a write: whether it is only tried, and which page of what it would do is shown. */
export const PREVIEW_PARAMETERS = ['dry_run', 'limit', 'marker'] as const;

/** Whether a request writes, or tries to. */
export const isWrite = (request: Request): boolean => !['GET', 'HEAD', 'OPTIONS'].includes(request.method);

/**
 * Reads whether a write is only to be tried.
 * @returns undefined for what is not a trial
 * @throws InventoryError 400 for values that are not of their form, and for a page of what is no trial
 */
export function previewOf(request: Request): PreviewPage | undefined {
  if (!isWrite(request)) return undefined;
  const text = (name: (typeof PREVIEW_PARAMETERS)[number]) => singleValue(request.query, name);
  if (!parseBooleanValue('dry_run', text('dry_run') ?? 'false')) {
    for (const name of ['limit', 'marker'] as const)
      if (text(name) !== undefined) throw InventoryError.invalid(name, 'is a parameter of dry runs');
    return undefined;
  }
  const at = request.originalUrl.indexOf('?');
  return {
    ...readIdPage(text),
    path: request.path,
    query: new URLSearchParams(request.originalUrl.slice(at + 1)),
  };
}

const TAKES_QUERY = 'takes query';

/** The route reads its query itself, and refuses what it does not know. */
export const TakesQuery = () => SetMetadata(TAKES_QUERY, true);

/**
 * Refuses query parameters where none are taken: a parameter that is misspelt, or meant for another route, must not
 * be passed over in silence, least of all by a write.
 */
@Injectable()
export class QueryGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    if (this.reflector.get<boolean | undefined>(TAKES_QUERY, context.getHandler()) === true) return true;
    const request = context.switchToHttp().getRequest<Request>();
    const { path, query } = request;
    const taken: readonly string[] = isWrite(request) ? PREVIEW_PARAMETERS : [];
    const parameter = Object.keys(query).find((name) => !taken.includes(name));
    // Probes and scrapers send what they like.
    if (parameter !== undefined && path.startsWith('/v1/'))
      throw InventoryError.invalid(parameter, 'is not a parameter here');
    return true;
  }
}
