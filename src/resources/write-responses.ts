import { Injectable } from '@nestjs/common';
import type { ChangeSet, Written } from '../changes/change-set';
import type { RequestContext } from '../core/context/request-context';
import { join, raw, sql, type Sql } from '../database/sql';
import { jsonOf, ownMembers } from '../database/resource-sql';
import type { Subject } from '../variables/levels';
import { stampedLevels } from '../variables/target-columns';
import { shownMembers, type Listing } from './resource-definition';
import { Presenter } from './resource-serializer';
import type { Shown } from './resource-reader';

/** What an answer shows of a resource that a change leaves, beside what its record holds. */
export interface WrittenRow extends Omit<Subject, 'project_id' | 'own_variables'> {
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
      raw(stampedLevels(inheritance)),
      sql`${raw(up ?? 'NULL::text')} AS up`,
      sql`${isOwn ? sql`NULL::text` : jsonOf(shape, members, ctx)} AS shown_members`,
    ]);
  }

  /** In full, with resolved variables. */
  async shown(
    { ctx, tx, touched }: ChangeSet,
    listing: Listing,
    { id, name, projectId, version, members, variables, row }: Written<WrittenRow>,
  ): Promise<Shown> {
    const shown = {
      ...row,
      body: row.shown_members ?? members,
      project_id: projectId,
      own_variables: variables ?? '{}',
      explained_id: id,
      explained_name: name,
    };
    // Nothing inherits from its own kind.
    const leavesLevels = touched.every(({ shape }) => shape === listing.shape);
    const how = { listing, members: shownMembers(listing), resolved: true, leavesLevels };
    const [body = ''] = await this.presenter.present(ctx, [shown], how, tx);
    return { body, version, url: `${ctx.base}/v1/${listing.shape.collection}/${String(id)}` };
  }
}
