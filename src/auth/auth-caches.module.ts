import { Module } from '@nestjs/common';
import { ApiKeyCache } from './identity/api-key-cache';
import { ExternalUsers } from './identity/external-users';
import { SessionStore } from './sessions/session-store';
import { ProjectPolicies } from './project-policies';
import { UserCaches } from './user-caches';

/** Caches of users, API keys, sessions and project policies. The code that changes them invalidates the caches. */
@Module({
  providers: [ApiKeyCache, ExternalUsers, ProjectPolicies, SessionStore, UserCaches],
  exports: [ApiKeyCache, ExternalUsers, ProjectPolicies, SessionStore, UserCaches],
})
export class AuthCachesModule {}
