import { Module } from '@nestjs/common';
import { KeyRing } from './identity/key-ring';
import { KeystoneUsers } from './identity/keystone/keystone-users';
import { ProjectPolicies } from './project-policies';
import { RefusalLog } from './refusals/refusal-log';

/** What is known of users and projects from one request to the next; whoever changes them says so. */
@Module({
  providers: [KeyRing, KeystoneUsers, ProjectPolicies, RefusalLog],
  exports: [KeyRing, KeystoneUsers, ProjectPolicies, RefusalLog],
})
export class AuthModule {}
