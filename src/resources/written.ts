import { Injectable } from '@nestjs/common';
import type { Written } from '../changes/change-set';
import type { RequestContext } from '../shared/context/request-context';
import type { Queryable } from '../shared/persistence/database';
import { join, raw, sql, type Sql } from '../shared/persistence/sql';
import { jsonOf, ownMembers } from '../shared/resources/projection';
import { shownMembers, type Listing } from './listing';
import { Presenter } from './presenter';
import type { Shown } from './resource-reader';

/** What an answer shows of a resource that a change leaves, beside what its record holds. */
export interface WrittenRow {
  readonly region_level: number | null;
  readonly cell_level: number | null;
  readonly up: string | null;
  /** Its members, where some are not its own or do not look the same to everybody. */
  readonly shown_members: string | null;
}

/** Answers to writes that are made of what the change reads for its record: nothing is read twice. */
@Injectable()
export class WrittenResources {
  constructor(private readonly presenter: Presenter) {}

  /** The columns over `t` that a change reads for the answer. */
  columns(ctx: RequestContext, { shape, inheritance, up }: Listing): Sql {
    const members = Object.keys(shape.fields);
    const isOwn =
      ownMembers(shape).length === members.length &&
      !Object.values(shape.fields).some(({ seenBy }) => seenBy);
    return join([
      sql`${raw(inheritance.region ?? 'NULL::bigint')} AS region_level`,
      sql`${raw(inheritance.cell ?? 'NULL::bigint')} AS cell_level`,
      sql`${raw(up ?? 'NULL::text')} AS up`,
      sql`${isOwn ? sql`NULL::text` : jsonOf(shape, members, ctx)} AS shown_members`,
    ]);
  }

  /** In full, with resolved variables. */
  async shown(
    ctx: RequestContext,
    listing: Listing,
    { id, name, projectId, version, members, variables, labelIds, row }: Written<WrittenRow>,
    on: Queryable,
  ): Promise<Shown> {
    const shown = {
      body: row.shown_members ?? members,
      project_id: projectId,
      own_variables: variables ?? '{}',
      region_level: row.region_level,
      cell_level: row.cell_level,
      label_levels: labelIds && labelIds.length > 0 ? labelIds.join(',') : null,
      up: row.up,
      explained_id: id,
      explained_name: name,
    };
    const how = { listing, members: shownMembers(listing), resolved: true };
    const [body = ''] = await this.presenter.present(ctx, [shown], how, on);
    return { body, version, url: `${ctx.base}/v1/${listing.shape.collection}/${String(id)}` };
  }
}
