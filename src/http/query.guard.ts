import { Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { InventoryError } from '../core/errors';
import { isWrite, PREVIEW_PARAMETERS, WITHOUT_DRY_RUN } from './dry-run';

const TAKES_QUERY = 'takes query';

/**
 * The route parses its query itself, and rejects unknown parameters.
 * @param parameters all that it takes, if unknown ones have to be rejected before the body is checked
 */
export const TakesQuery = (...parameters: readonly string[]) => SetMetadata(TAKES_QUERY, parameters);

/** Rejects unknown query parameters: a misspelled parameter must not be ignored silently, least of all by a write. */
@Injectable()
export class QueryGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const taken = this.reflector.get<readonly string[] | undefined>(TAKES_QUERY, context.getHandler());
    if (taken?.length === 0) return true;
    const request = context.switchToHttp().getRequest<Request>();
    const { path, query } = request;
    const hasDryRun = isWrite(request) && this.reflector.get(WITHOUT_DRY_RUN, context.getHandler()) !== true;
    const accepted = taken ?? (hasDryRun ? PREVIEW_PARAMETERS : []);
    const parameter = Object.keys(query).find((name) => !accepted.includes(name));
    // Probes and scrapers may send any parameters.
    if (parameter !== undefined && path.startsWith('/v1/'))
      throw InventoryError.invalid(parameter, 'unknown_parameter', 'is not a parameter here');
    return true;
  }
}
