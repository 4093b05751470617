import { Module } from '@nestjs/common';
import { READ_USERS, ROOT, RoleCollections } from '../auth/access';
import { AuthCachesModule } from '../auth/auth-caches.module';
import { singleVariableController } from '../variables/controllers/single-variable.controller';
import { variablesController } from '../variables/controllers/variables.controller';
import { ResourcesModule } from '../resources/resources.module';
import { BootstrapService } from './bootstrap.service';
import { AccountLookupService } from './account-lookup.service';
import { ExternalRegistrar } from './external-registrar';
import { ProjectsService } from './projects.service';
import { RootUserPolicy } from './root-user-policy';
import { UserSessionsService } from './sessions/user-sessions.service';
import { SettingsController } from './settings/settings.controller';
import { SettingsService } from './settings/settings.service';
import { User, users } from './user';
import { UserKeysController, ApiKeysController, UsersController, WhoamiController } from './users.controller';
import { UsersService } from './users.service';
import { resourceController } from '../resources/resource.controller';
import { projects, ProjectView, CreateProject, UpdateProject } from './project';

const ProjectsController = resourceController({
  collection: { definition: projects, view: ProjectView, reads: ROOT, writes: ROOT, hasShortMembers: true },
  create: CreateProject,
  update: UpdateProject,
  service: ProjectsService,
});

/** Projects with their settings, users and their keys. */
@Module({
  imports: [AuthCachesModule, ResourcesModule],
  controllers: [
    ProjectsController,
    SettingsController,
    UsersController,
    ApiKeysController,
    UserKeysController,
    WhoamiController,
    variablesController({ definition: users, entity: User, reads: READ_USERS }),
    singleVariableController({ definition: users, entity: User, reads: READ_USERS }),
  ],
  providers: [
    ProjectsService,
    SettingsService,
    UsersService,
    BootstrapService,
    AccountLookupService,
    UserSessionsService,
    ExternalRegistrar,
    RootUserPolicy,
    RoleCollections,
  ],
  exports: [BootstrapService, UsersService, UserSessionsService, AccountLookupService],
})
export class AccountsModule {}
