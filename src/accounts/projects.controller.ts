import { ROOT } from '../auth/access';
import { resourceController } from '../resources/resource.controller';
import { projects, ProjectView } from './project';
import { CreateProject, UpdateProject } from './project.dto';
import { ProjectsService } from './projects.service';

export const ProjectsController = resourceController({
  collection: { definition: projects, view: ProjectView, reads: ROOT, writes: ROOT, hasShortMembers: true },
  create: CreateProject,
  update: UpdateProject,
  service: ProjectsService,
});
