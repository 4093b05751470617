import { Module } from '@nestjs/common';
import { ApiKeyCache } from './identity/api-key-cache';
import { KeystoneUsers } from './identity/keystone/keystone-users';
import { ProjectPolicies } from './project-policies';
import { SessionStore } from './sessions/session-store';
import { UserCaches } from './user-caches';

/** Caches of users, API keys, sessions and project policies. The code that changes them invalidates the caches. */
@Module({
  providers: [ApiKeyCache, KeystoneUsers, ProjectPolicies, SessionStore, UserCaches],
  exports: [ApiKeyCache, KeystoneUsers, ProjectPolicies, SessionStore, UserCaches],
})
export class AuthCachesModule {}
