import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ROOT } from '../auth/access';
import { ResourceController } from '../resources/resource.controller';
import { projects, ProjectView } from './project.entity';
import { CreateProject, UpdateProject } from './project.dto';
import { ProjectsService } from './projects.service';

@ApiTags('projects')
@Controller('v1/projects')
export class ProjectsController extends ResourceController({
  definition: projects,
  view: ProjectView,
  create: CreateProject,
  update: UpdateProject,
  reads: ROOT,
  writes: ROOT,
  hasShortMembers: true,
}) {
  constructor(protected readonly resources: ProjectsService) {
    super();
  }
}
