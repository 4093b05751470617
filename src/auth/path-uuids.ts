import { Injectable, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { visibleProjects, type RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors';
import { parseUuid } from '../core/parameters';
import { Database } from '../database/database';
import type { ResourceMapping } from '../database/resource-mapping';
import { from, inScope, isReadable, ofKind } from '../database/resource-sql';
import { sql } from '../database/sql';
import { idempotencyKeyOf } from '../http/request';

const IDENTIFIED = 'identified resources';

/** Declares which resources `{id}` in the path of a route identifies, so that it can be a UUID. */
export const Identifies = (mapping: ResourceMapping) => SetMetadata(IDENTIFIED, mapping);

/** An id that no resource has: identities begin at 1, and do not get there. */
const NO_ID = Number.MAX_SAFE_INTEGER;

/** Replaces UUIDs in paths by ids, so that routes only know ids. */
@Injectable()
export class PathUuids {
  constructor(
    private readonly reflector: Reflector,
    private readonly database: Database,
  ) {}

  /**
   * Replaces a UUID in the path of a request by the id of the resource, which never changes. Anything else stays as it
   * is, and so does the UUID of a project, which is its id.
   * @throws InventoryError 404 if there is no such resource, or the caller cannot see it
   */
  async resolve(ctx: RequestContext, context: ExecutionContext): Promise<void> {
    const mapping = this.reflector.get<ResourceMapping | undefined>(IDENTIFIED, context.getHandler());
    if (!mapping?.fields['uuid'] || mapping.idType === 'uuid') return;
    const request = context.switchToHttp().getRequest<Request>();
    const { params, method } = request;
    const given = params['id'];
    const uuid = typeof given === 'string' ? parseUuid(given) : undefined;
    if (uuid === undefined) return;
    // A write uses the latest state. A replica may not have the resource yet.
    const isRead = method === 'GET' || method === 'HEAD';
    const on = isRead ? this.database.reader(ctx) : this.database;
    const [row] = await on.rows<{ id: number }>(sql`SELECT t.id ${from(mapping)}
      WHERE ${inScope(mapping, visibleProjects(ctx))} AND ${isReadable(mapping, ctx)} AND ${ofKind(mapping)}
        AND t.uuid = ${uuid}::uuid`);
    // A repeated write gets the stored response, even if it deleted the resource: so it has to get to the store.
    if (!row && idempotencyKeyOf(request) === undefined) throw InventoryError.notFound(mapping.kind, uuid);
    params['id'] = String(row?.id ?? NO_ID);
  }
}
