import { Injectable } from '@nestjs/common';
import { isInventoryCollection } from '../../auth/access';
import { type ApprovalRule, ProjectPolicies } from '../../auth/project-policies';
import type { ChangeSet } from '../../changes/change-set';
import type { Operation } from '../../changes/operation';
import { lockProject } from '../../changes/project-lock';
import { visibleProjects, type RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors';
import { requireVersion, type Precondition } from '../../http/preconditions';
import { Database, type Queryable } from '../../database/database';
import { and, sql } from '../../database/sql';
import { from, inScope } from '../../database/resource-sql';
import { ResourceReader, type RenderedResource } from '../../resources/resource-reader';
import { projectMapping } from '../project.entity';
import { RoleCollections } from '../role-collections';
import { ProjectSettings, projectSettings, settingsMapping } from './settings.entity';
import { privateKey, type UpdateSettings } from './settings.dto';

/** The version of settings that were never set. It gives them an entity tag, so that `If-Match` works for them. */
const UNSET = 0;

/** The settings of projects: rules for their changes, and private variables. */
@Injectable()
export class SettingsService {
  constructor(
    private readonly reader: ResourceReader,
    private readonly database: Database,
    private readonly policies: ProjectPolicies,
    private readonly collections: RoleCollections,
  ) {}

  /** @throws InventoryError 404 if the caller cannot see the project */
  async get(ctx: RequestContext, projectId: string): Promise<RenderedResource> {
    const reader = this.database.reader(ctx);
    await requireProject(ctx, projectId, reader);
    const set = await isSet(projectId, reader);
    if (set) return this.reader.show(ctx, projectSettings, projectId, {});
    const unset = {
      change_reason: null,
      private: [],
      unique_addresses: false,
      restricts_readers: false,
      approvals: [],
      created_at: null,
      updated_at: null,
      version: UNSET,
    };
    return {
      body: JSON.stringify({ project_id: projectId, ...unset }),
      version: UNSET,
      url: `${ctx.base}/v1/projects/${projectId}/settings`,
    };
  }

  /**
   * Updates the members in the body. The reason of the change is checked against the previous settings.
   * @throws InventoryError 400, 404, 412
   */
  prepareUpdate(
    ctx: RequestContext,
    projectId: string,
    body: UpdateSettings,
    precondition: Precondition,
  ): Operation<RenderedResource> {
    this.assertCollections(body.approvals ?? []);
    const run = async (change: ChangeSet) => {
      await requireProject(ctx, projectId, change.tx);
      // Also serializes concurrent first updates, which insert the row.
      await lockProject(change.tx, projectId);
      change.usePolicy(await this.policies.readUncached(change.tx, projectId));
      const values = valuesOf(body);
      if (await isSet(projectId, change.tx)) {
        const settings = await change.lock(settingsMapping, projectId, precondition);
        await change.update(settings, ProjectSettings, values);
      } else {
        requireVersion(precondition, UNSET);
        await insert(change, projectId, values);
      }
      return this.reader.showWritten(ctx, projectSettings, projectId, change.tx);
    };
    return { run, invalidates: [this.policies] };
  }

  /** @throws InventoryError 400 if a rule names a collection that does not exist, or to which no rule applies */
  private assertCollections(rules: readonly ApprovalRule[]): void {
    for (const [index, { collections = [], approvers }] of rules.entries()) {
      for (const name of collections)
        if (!this.collections.names.includes(name) || !isInventoryCollection(name))
          throw InventoryError.invalid(
            inRule(index, 'collections'),
            'invalid_value',
            `must be of ${this.collections.names.filter(isInventoryCollection).sort().join(', ')}`,
          );
      if (approvers !== undefined) this.collections.assertKnown([approvers], inRule(index, 'approvers'));
    }
  }
}

const inRule = (index: number, member: keyof ApprovalRule): string => `approvals[${String(index)}].${member}`;

/** @throws InventoryError 404 if the caller cannot see the project */
async function requireProject(ctx: RequestContext, id: string, on: Queryable): Promise<void> {
  const condition = and([inScope(projectMapping, visibleProjects(ctx)), sql`t.id = ${id}::uuid`]);
  const rows = await on.rows(sql`SELECT ${from(projectMapping)} WHERE ${condition}`);
  if (rows.length === 0) throw InventoryError.notFound('project', id);
}

async function isSet(projectId: string, on: Queryable): Promise<boolean> {
  const rows = await on.rows(sql`SELECT FROM project_settings WHERE project_id = ${projectId}`);
  return rows.length > 0;
}

/** The values to store. Undefined members are not updated. */
function valuesOf({ change_reason: reason, private: keys, ...rules }: UpdateSettings) {
  return {
    change_reason: reason && { required: reason.required, pattern: reason.pattern ?? null },
    private: keys && [...new Set(keys.map(privateKey))],
    unique_addresses: rules.unique_addresses,
    restricts_readers: rules.restricts_readers,
    approvals: rules.approvals,
  };
}

async function insert(
  change: ChangeSet,
  projectId: string,
  {
    change_reason: reason,
    private: keys = [],
    unique_addresses = false,
    restricts_readers = false,
    approvals = [],
  }: ReturnType<typeof valuesOf>,
): Promise<void> {
  await change.tx
    .execute(sql`INSERT INTO project_settings (project_id, change_reason, private, unique_addresses, restricts_readers, approvals)
    VALUES (${projectId}, ${reason ? JSON.stringify(reason) : null}::jsonb, ${JSON.stringify(keys)}::jsonb, ${unique_addresses}, ${restricts_readers},
      ${JSON.stringify(approvals)}::jsonb)`);
  change.created(settingsMapping, projectId, 0);
}

/** Deletes the settings of a project that is deleted. */
export async function deleteSettings(change: ChangeSet, projectId: string): Promise<void> {
  for (const settings of await change.lockAll(settingsMapping, projectId, sql`true`))
    await change.delete(settings);
}
