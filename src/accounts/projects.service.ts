import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { ProjectPolicies } from '../auth/project-policies';
import type { ChangeSet } from '../changes/change-set';
import { deletion, type Operation } from '../changes/operation';
import type { RequestContext } from '../core/context/request-context';
import type { Precondition } from '../http/preconditions';
import { deleteProjectRows } from '../database/project-rows';
import { sql } from '../database/sql';
import { deleteValues } from '../database/variable-values';
import { ResourceReader, type RenderedResource } from '../resources/resource-reader';
import { Project, projects, projectMapping } from './project.entity';
import type { CreateProject, UpdateProject } from './project.dto';
import { deleteSettings } from './settings/settings.service';

/** Projects. Changes of a project are recorded in the project itself. */
@Injectable()
export class ProjectsService {
  constructor(
    private readonly reader: ResourceReader,
    private readonly policies: ProjectPolicies,
  ) {}

  /** @throws InventoryError 409 if the deployment already has a project with this name */
  prepareCreate(ctx: RequestContext, { name }: CreateProject): Operation<RenderedResource> {
    const run = async (change: ChangeSet) => {
      const id = await insertProject(change, name);
      return this.reader.showWritten(ctx, projects, id, change.tx);
    };
    return { run };
  }

  /** @throws InventoryError 404, 409, 412 */
  prepareUpdate(
    ctx: RequestContext,
    id: string,
    { name }: UpdateProject,
    precondition: Precondition,
  ): Operation<RenderedResource> {
    const run = async (change: ChangeSet) => {
      const project = await change.lock(projectMapping, id, precondition);
      await change.update(project, Project, { name });
      return this.reader.showWritten(ctx, projects, id, change.tx);
    };
    return { run };
  }

  /** @throws InventoryError 404, 409 that names the remaining resources, 412 */
  prepareDelete(_ctx: RequestContext, id: string, precondition: Precondition): Operation<void> {
    const prepare = async (change: ChangeSet) => {
      await deleteProjectData(change, id);
      await deleteSettings(change, id);
    };
    return { ...deletion(projectMapping, id, precondition, prepare), invalidates: [this.policies] };
  }
}

/** Deletes the rows of a project that are no resources. A dry run keeps its values: there can be millions. */
export async function deleteProjectData({ ctx, tx }: ChangeSet, id: string): Promise<void> {
  await deleteProjectRows(tx, id);
  if (ctx.preview === undefined) await deleteValues(tx, id);
}

/** Creates a project. @param id the id of a project from Keystone @returns the id */
export async function insertProject(
  change: ChangeSet,
  name: string,
  id: string = randomUUID(),
): Promise<string> {
  await change.tx.execute(sql`INSERT INTO projects (id, name) VALUES (${id}, ${name})`);
  change.created(projectMapping, id, 0);
  return id;
}
