import { Module } from '@nestjs/common';
import { KeyRing } from './identity/api-key-cache';
import { KeystoneUsers } from './identity/keystone/keystone-users';
import { ProjectPolicies } from './project-policies';

/** What is known of users and projects from one request to the next; whoever changes them says so. */
@Module({
  providers: [KeyRing, KeystoneUsers, ProjectPolicies],
  exports: [KeyRing, KeystoneUsers, ProjectPolicies],
})
export class AuthModule {}
