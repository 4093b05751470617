import { Injectable } from '@nestjs/common';
import type { ChangeSet, WrittenResource } from '../changes/change-set';
import type { RequestContext } from '../core/context/request-context';
import { jsonOf, ownMembers } from '../database/resource-sql';
import { join, raw, sql, type Sql } from '../database/sql';
import type { ResolutionTarget } from '../variables/levels';
import { versionedLevelColumns } from '../variables/variable-resolver';
import { shownMembers, type ResourceDefinition } from './resource-definition';
import type { RenderedResource } from './resource-reader';
import { ResourceSerializer, type SerializerOptions } from './resource-serializer';

/** The columns of a written resource that a response needs in addition to the change record. */
export interface WrittenRow extends Omit<ResolutionTarget, 'project_id' | 'own_variables'> {
  readonly up: string | null;
  /** The members as the caller sees them; null if the record's members are the same. */
  readonly shown_members: string | null;
}

/** Renders responses to writes from the rows that the change reads for its record, without another read. */
@Injectable()
export class WriteResponses {
  constructor(private readonly serializer: ResourceSerializer) {}

  /** The columns over `t` that a change reads for the response. */
  columns(ctx: RequestContext, { mapping, inheritance, up }: ResourceDefinition): Sql {
    const members = Object.keys(mapping.fields);
    const isOwn =
      ctx.timesHaveZone !== true &&
      ownMembers(mapping).length === members.length &&
      !Object.values(mapping.fields).some(({ redact }) => redact);
    return join([
      raw(versionedLevelColumns(inheritance)),
      sql`${raw(up ?? 'NULL::text')} AS up`,
      sql`${isOwn ? sql`NULL::text` : jsonOf(mapping, members, ctx)} AS shown_members`,
    ]);
  }

  /** Renders all members, with resolved variables. */
  async render(
    change: ChangeSet,
    definition: ResourceDefinition,
    { id, name, projectId, version, members, variables, row }: WrittenResource<WrittenRow>,
  ): Promise<RenderedResource> {
    const { ctx, tx } = change;
    const target = {
      ...row,
      body: row.shown_members ?? members,
      project_id: projectId,
      own_variables: variables ?? '{}',
      explained_id: id,
      explained_name: name,
    };
    // No resource inherits from its own kind.
    const levelsAreCommitted = change.touched.areOnly(definition.mapping);
    const options: SerializerOptions = {
      definition,
      members: shownMembers(definition),
      resolved: true,
      levelsAreCommitted,
    };
    const [body = ''] = await this.serializer.serialize(ctx, [target], options, tx);
    return { body, version, url: `${ctx.base}/v1/${definition.mapping.collection}/${String(id)}` };
  }
}
