import { Module } from '@nestjs/common';
import { AuthCachesModule } from '../auth/auth-caches.module';
import { ChangesModule } from '../changes/changes.module';
import { ResourcesModule } from '../resources/resources.module';
import { VariablesModule } from '../variables/variables.module';
import { AccountLookupService } from './account-lookup.service';
import { ApiKeysController, UserApiKeysController } from './api-keys.controller';
import { BootstrapService } from './bootstrap.service';
import { ExternalRegistrar } from './external-registrar';
import { ProjectsController } from './projects.controller';
import { ProjectsService } from './projects.service';
import { RoleCollections } from './role-collections';
import { RootUserPolicy } from './root-user-policy';
import { UserSessionsService } from './sessions/user-sessions.service';
import { SettingsController } from './settings/settings.controller';
import { SettingsService } from './settings/settings.service';
import { UsersController, UserVariableController, UserVariablesController } from './users.controller';
import { UsersService } from './users.service';
import { WhoamiController } from './whoami.controller';

/** Projects with their settings, users and their keys. */
@Module({
  imports: [AuthCachesModule, ChangesModule, VariablesModule, ResourcesModule],
  controllers: [
    ProjectsController,
    SettingsController,
    UsersController,
    ApiKeysController,
    UserApiKeysController,
    WhoamiController,
    UserVariablesController,
    UserVariableController,
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
  exports: [
    BootstrapService,
    UsersService,
    UserSessionsService,
    AccountLookupService,
    ExternalRegistrar,
    RootUserPolicy,
  ],
})
export class AccountsModule {}
