import { Injectable } from '@nestjs/common';
import type { ChangeSet, Written } from '../changes/change-set';
import type { RequestContext } from '../core/context/request-context';
import { join, raw, sql, type Sql } from '../database/sql';
import { jsonOf, ownMembers } from '../database/resource-sql';
import type { ResolutionTarget } from '../variables/levels';
import { stampedLevelColumns } from '../variables/variable-resolver';
import { shownMembers, type ResourceDefinition } from './resource-definition';
import { ResourceSerializer } from './resource-serializer';
import type { RenderedResource } from './resource-reader';

/** What an answer shows of a resource that a change leaves, beside what its record holds. */
export interface WrittenRow extends Omit<ResolutionTarget, 'project_id' | 'own_variables'> {
  readonly up: string | null;
  /** Its members, where some are not its own or do not look the same to everybody. */
  readonly shown_members: string | null;
}

/** Answers to writes that are made of what the change reads for its record: nothing is read twice. */
@Injectable()
export class WriteResponses {
  constructor(private readonly presenter: ResourceSerializer) {}

  /** The columns over `t` that a change reads for the answer. */
  columns(ctx: RequestContext, { shape, inheritance, up }: ResourceDefinition): Sql {
    const members = Object.keys(shape.fields);
    const isOwn =
      ownMembers(shape).length === members.length &&
      !Object.values(shape.fields).some(({ redact }) => redact);
    return join([
      raw(stampedLevelColumns(inheritance)),
      sql`${raw(up ?? 'NULL::text')} AS up`,
      sql`${isOwn ? sql`NULL::text` : jsonOf(shape, members, ctx)} AS shown_members`,
    ]);
  }

  /** In full, with resolved variables. */
  async shown(
    { ctx, tx, trackedResources: touched }: ChangeSet,
    listing: ResourceDefinition,
    { id, name, projectId, version, members, variables, row }: Written<WrittenRow>,
  ): Promise<RenderedResource> {
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
    const [body = ''] = await this.presenter.serialize(ctx, [shown], how, tx);
    return { body, version, url: `${ctx.base}/v1/${listing.shape.collection}/${String(id)}` };
  }
}
