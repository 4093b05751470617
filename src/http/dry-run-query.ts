import type { Request } from 'express';
import type { PreviewPage } from '../core/context/request-context';
import { InventoryError } from '../core/errors/inventory-error';
import { booleanValue } from '../list/list-filter';
import { idPage } from '../list/id-page';
import { onlyText } from '../core/query-parameters';

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
  const text = (name: (typeof PREVIEW_PARAMETERS)[number]) => onlyText(request.query, name);
  if (!booleanValue('dry_run', text('dry_run') ?? 'false')) {
    for (const name of ['limit', 'marker'] as const)
      if (text(name) !== undefined) throw InventoryError.invalid(name, 'is a parameter of dry runs');
    return undefined;
  }
  const at = request.originalUrl.indexOf('?');
  return {
    ...idPage(text),
    path: request.path,
    query: new URLSearchParams(request.originalUrl.slice(at + 1)),
  };
}
