import { Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { InventoryError } from '../core/errors/inventory-error';
import { isWrite, PREVIEW_PARAMETERS } from './dry-run-query';

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
