import { Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import type { PreviewPage } from '../core/context/request-context';
import { InventoryError } from '../core/errors';
import { singleValue } from '../core/parameters';
import { readIdPage } from '../lists/list-query';
import { parseBooleanValue } from '../lists/list-filter';

/** The query parameters of a write: whether it is a dry run, and which page of its impact the preview shows. */
export const PREVIEW_PARAMETERS = ['dry_run', 'limit', 'marker'] as const;

/** Whether a request is a write or a dry run. */
export const isWrite = (request: Request): boolean => !['GET', 'HEAD', 'OPTIONS'].includes(request.method);

/**
 * Parses the parameters of a dry run.
 * @returns undefined if the request is not a dry run
 * @throws InventoryError 400 for invalid values, and for paging without a dry run
 */
export function previewOf(request: Request): PreviewPage | undefined {
  if (!isWrite(request)) return undefined;
  const text = (name: (typeof PREVIEW_PARAMETERS)[number]) => singleValue(request.query, name);
  if (!parseBooleanValue('dry_run', text('dry_run') ?? 'false')) {
    for (const name of ['limit', 'marker'] as const)
      if (text(name) !== undefined) throw InventoryError.invalid(name, 'requires dry_run=true');
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

/** The route parses its query itself, and rejects unknown parameters. */
export const TakesQuery = () => SetMetadata(TAKES_QUERY, true);

/** Rejects unknown query parameters: a misspelled parameter must not be ignored silently, least of all by a write. */
@Injectable()
export class QueryGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    if (this.reflector.get<boolean | undefined>(TAKES_QUERY, context.getHandler()) === true) return true;
    const request = context.switchToHttp().getRequest<Request>();
    const { path, query } = request;
    const accepted: readonly string[] = isWrite(request) ? PREVIEW_PARAMETERS : [];
    const parameter = Object.keys(query).find((name) => !accepted.includes(name));
    // Probes and scrapers may send any parameters.
    if (parameter !== undefined && path.startsWith('/v1/'))
      throw InventoryError.invalid(parameter, 'is not a parameter here');
    return true;
  }
}
