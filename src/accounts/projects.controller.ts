import { Controller, Param, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { ROOT } from '../auth/access';
import { Ctx } from '../auth/access.decorators';
import type { RequestContext } from '../shared/context/request-context';
import { Answer } from '../shared/http/answer';
import type { Precondition } from '../shared/http/etag';
import { IfMatch } from '../shared/http/if-match';
import { ProjectIdPipe } from '../shared/http/resource-id';
import { ValidBody } from '../shared/http/valid-body';
import { created, ok } from '../variables/resource-answers';
import { ResourceReader } from '../variables/resource-reader';
import {
  CreateRoute,
  DeleteRoute,
  ListRoute,
  ShowRoute,
  UpdateRoute,
  type Collection,
} from '../variables/resource-routes';
import { projects, ProjectView } from './project';
import { CreateProject, UpdateProject } from './project.dto';
import { ProjectsService } from './projects.service';

const collection: Collection = { listing: projects, view: ProjectView, reads: ROOT, writes: ROOT };

@ApiTags('projects')
@Controller('v1/projects')
export class ProjectsController {
  constructor(
    private readonly service: ProjectsService,
    private readonly reader: ResourceReader,
  ) {}

  @CreateRoute(collection, CreateProject)
  async create(
    @Ctx() ctx: RequestContext,
    @ValidBody(CreateProject) body: CreateProject,
    @Req() request: Request,
  ) {
    return created('projects', await this.service.create(ctx, body, request));
  }

  @ListRoute(collection)
  async list(@Ctx() ctx: RequestContext, @Req() request: Request) {
    return this.reader.list(ctx, projects, request);
  }

  @ShowRoute(collection)
  async show(@Ctx() ctx: RequestContext, @Param('id', ProjectIdPipe) id: string, @Req() request: Request) {
    return ok(await this.reader.one(ctx, projects, id, request));
  }

  @UpdateRoute(collection, UpdateProject)
  async update(
    @Ctx() ctx: RequestContext,
    @Param('id', ProjectIdPipe) id: string,
    @ValidBody(UpdateProject) body: UpdateProject,
    @IfMatch() ifMatch: Precondition,
    @Req() request: Request,
  ) {
    return ok(await this.service.update(ctx, id, body, ifMatch, request));
  }

  @DeleteRoute(collection)
  async delete(
    @Ctx() ctx: RequestContext,
    @Param('id', ProjectIdPipe) id: string,
    @IfMatch() ifMatch: Precondition,
  ) {
    await this.service.delete(ctx, id, ifMatch);
    return Answer.noContent();
  }
}
