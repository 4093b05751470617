import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../core/context/request-context';
import { Database } from '../database/database';
import { sql } from '../database/sql';
import type { OwnSavedView } from './own-views.dto';

/**
 * The views that users save for themselves: each user reads and writes only their own. They are not part of the inventory,
 * so change records do not contain them.
 */
@Injectable()
export class OwnViewsService {
  constructor(private readonly database: Database) {}

  async read(ctx: RequestContext): Promise<readonly OwnSavedView[]> {
    const [row] = await this.database.reader(ctx).rows<{ views: OwnSavedView[] }>(sql`
      SELECT v.views FROM own_views v WHERE v.project_id = ${ctx.projectId} AND v.user_id = ${ctx.principal.userId}`);
    return row?.views ?? [];
  }

  /** Replaces all of them. */
  async write(ctx: RequestContext, views: readonly OwnSavedView[]): Promise<void> {
    const statement = sql`INSERT INTO own_views (project_id, user_id, views)
      VALUES (${ctx.projectId}, ${ctx.principal.userId}, ${JSON.stringify(views)}::jsonb)
      ON CONFLICT (project_id, user_id) DO UPDATE SET views = excluded.views`;
    await this.database.transaction((tx) => tx.execute(statement), { caller: ctx });
  }
}
