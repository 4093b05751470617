import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../core/context/request-context';
import { Database } from '../database/database';
import { sql } from '../database/sql';
import { type Precondition, requireVersion } from '../http/preconditions';
import type { OwnSavedView } from './own-views.dto';

/** All views that a user saved for themselves in a project. */
interface StoredViews {
  readonly views: readonly OwnSavedView[];
  /** How often they were written. */
  readonly version: number;
}

/**
 * The views that users save for themselves: each user reads and writes only their own. They are not part of the inventory,
 * so change records do not contain them.
 */
@Injectable()
export class OwnViewsService {
  constructor(private readonly database: Database) {}

  /** From the primary: who reads them is about to replace them. */
  async read(ctx: RequestContext): Promise<StoredViews> {
    const [row] = await this.database.rows<StoredViews & Record<string, unknown>>(sql`
      SELECT v.views, v.version FROM own_views v
      WHERE v.project_id = ${ctx.projectId} AND v.user_id = ${ctx.principal.userId}`);
    return row ?? { views: [], version: 0 };
  }

  /** Replaces all of them. @returns their new version @throws InventoryError 412 */
  async write(
    ctx: RequestContext,
    views: readonly OwnSavedView[],
    precondition: Precondition,
  ): Promise<number> {
    const {
      projectId,
      principal: { userId },
    } = ctx;
    const lock = sql`INSERT INTO own_views (project_id, user_id, views) VALUES (${projectId}, ${userId}, '[]')
      ON CONFLICT (project_id, user_id) DO UPDATE SET version = own_views.version RETURNING version`;
    return this.database.transaction(
      async (tx) => {
        const [row] = await tx.rows<{ version: number }>(lock);
        if (!row) throw new Error('an upsert returned no row');
        requireVersion(precondition, row.version);
        const version = row.version + 1;
        await tx.execute(sql`UPDATE own_views SET views = ${JSON.stringify(views)}::jsonb, version = ${version}
          WHERE project_id = ${projectId} AND user_id = ${userId}`);
        return version;
      },
      { caller: ctx },
    );
  }
}
