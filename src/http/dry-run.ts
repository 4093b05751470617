import { SetMetadata } from '@nestjs/common';
import type { Request } from 'express';
import type { PreviewPage, RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors';
import { singleValue } from '../core/parameters';
import { parseBooleanValue } from '../lists/list-filter';
import { readIdPage } from '../lists/list-query';

/**
 * The query parameters of a write: whether it is a dry run, which page of its impact the preview shows, and whether it is
 * proposed.
 */
export const PREVIEW_PARAMETERS = ['dry_run', 'limit', 'marker', 'propose'] as const;

/** Whether a request is a write or a dry run. */
export const isWrite = (request: Request): boolean => !['GET', 'HEAD', 'OPTIONS'].includes(request.method);

/**
 * Parses the parameters of a dry run.
 * @returns undefined if the request is not a dry run
 * @throws InventoryError 400 for invalid values, and for paging without a dry run
 */
export function readPreviewPage(request: Request): PreviewPage | undefined {
  if (!isWrite(request)) return undefined;
  const text = (name: (typeof PREVIEW_PARAMETERS)[number]) => singleValue(request.query, name);
  if (!parseBooleanValue('dry_run', text('dry_run') ?? 'false')) {
    for (const name of ['limit', 'marker'] as const)
      if (text(name) !== undefined)
        throw InventoryError.invalid(name, 'inconsistent', 'requires dry_run=true');
    return undefined;
  }
  const at = request.originalUrl.indexOf('?');
  return {
    ...readIdPage(text),
    path: request.path,
    query: new URLSearchParams(request.originalUrl.slice(at + 1)),
  };
}

/**
 * For a write of what is not part of the inventory, such as a session: it has no dry run, and its response is not stored.
 * @throws InventoryError 400
 */
export function assertNoDryRunOrIdempotencyKey({ preview, idempotency }: RequestContext): void {
  if (preview) throw InventoryError.invalid('dry_run', 'unknown_parameter', 'is not a parameter here');
  if (idempotency)
    throw InventoryError.invalid('Idempotency-Key', 'unsupported', 'is not supported by this endpoint');
}

export const WITHOUT_DRY_RUN = 'without dry run';

/**
 * Marks a `POST` that leaves the inventory as it is, like a run of an audit. It has no dry run, so `limit` and `marker` of its
 * query are those of its own response. It cannot be proposed, and its response is not stored: `Idempotency-Key` is ignored, as
 * by a `GET`, and a repeated request runs again.
 */
export const WithoutDryRun = () => SetMetadata(WITHOUT_DRY_RUN, true);
