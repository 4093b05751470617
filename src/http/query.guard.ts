import { Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { InventoryError } from '../core/errors';
import { isWrite, PREVIEW_PARAMETERS, WITHOUT_DRY_RUN } from './dry-run';

const TAKES_QUERY = 'takes query';
const ACCEPTED_PARAMETERS = 'accepted parameters';

/** The route parses its query itself, and rejects unknown parameters. */
export const TakesQuery = () => SetMetadata(TAKES_QUERY, true);

/** The route has only these parameters. Others are rejected before the body is checked. */
export const AcceptsQuery = (...parameters: readonly string[]) =>
  SetMetadata(ACCEPTED_PARAMETERS, parameters);

/** Rejects unknown query parameters: a misspelled parameter must not be ignored silently, least of all by a write. */
@Injectable()
export class QueryGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const handler = context.getHandler();
    if (this.reflector.get(TAKES_QUERY, handler) === true) return true;
    const request = context.switchToHttp().getRequest<Request>();
    const { path, query } = request;
    const hasDryRun = isWrite(request) && this.reflector.get(WITHOUT_DRY_RUN, handler) !== true;
    const accepted =
      this.reflector.get<readonly string[] | undefined>(ACCEPTED_PARAMETERS, handler) ??
      (hasDryRun ? PREVIEW_PARAMETERS : []);
    const parameter = Object.keys(query).find((name) => !accepted.includes(name));
    // Probes and scrapers may send any parameters.
    if (parameter !== undefined && path.startsWith('/v1/'))
      throw InventoryError.invalid(parameter, 'unknown_parameter', 'is not a parameter here');
    return true;
  }
}
