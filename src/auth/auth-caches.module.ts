import { Module } from '@nestjs/common';
import { ApiKeyCache } from './identity/api-key-cache';
import { KeystoneUsers } from './identity/keystone/keystone-users';
import { ProjectPolicies } from './project-policies';

/** Caches of users, API keys and project policies. The code that changes them invalidates the caches. */
@Module({
  providers: [ApiKeyCache, KeystoneUsers, ProjectPolicies],
  exports: [ApiKeyCache, KeystoneUsers, ProjectPolicies],
})
export class AuthCachesModule {}
