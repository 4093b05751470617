import type { Request } from 'express';
import type { PreviewPage } from '../context/request-context';
import { InventoryError } from '../errors/inventory-error';
import { booleanValue, idValue } from '../list/list-filter';
import { limitOf, LIMITS } from '../list/list-query';

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
  const { dry_run: dryRun, limit, marker } = request.query;
  if (dryRun === undefined || !booleanValue('dry_run', textOf('dry_run', dryRun))) {
    if (limit !== undefined) throw InventoryError.invalid('limit', 'is a parameter of dry runs');
    if (marker !== undefined) throw InventoryError.invalid('marker', 'is a parameter of dry runs');
    return undefined;
  }
  const at = request.originalUrl.indexOf('?');
  return {
    limit: limitOf(limit === undefined ? undefined : textOf('limit', limit), LIMITS.preview),
    marker: marker === undefined ? undefined : idValue('marker', textOf('marker', marker)),
    path: request.path,
    query: new URLSearchParams(request.originalUrl.slice(at + 1)),
  };
}

function textOf(name: string, value: unknown): string {
  if (typeof value !== 'string') throw InventoryError.invalid(name, 'can be given only once');
  return value;
}
