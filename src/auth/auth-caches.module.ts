import { Injectable, Module } from '@nestjs/common';
import { ApiKeyCache } from './identity/api-key-cache';
import { ExternalUsers } from './identity/external-users';
import { SessionStore } from './sessions/session-store';
import { ProjectPolicies } from './project-policies';

/** All caches that contain users or their keys. */
@Injectable()
export class UserCaches {
  constructor(
    private readonly keys: ApiKeyCache,
    private readonly sessions: SessionStore,
    private readonly externalUsers: ExternalUsers,
  ) {}

  /** Called after changes of users or keys. */
  invalidate(): void {
    this.keys.invalidate();
    this.sessions.invalidate();
    this.externalUsers.invalidate();
  }
}

/** Caches of users, API keys, sessions and project policies. The code that changes them invalidates the caches. */
@Module({
  providers: [ApiKeyCache, ExternalUsers, ProjectPolicies, SessionStore, UserCaches],
  exports: [ApiKeyCache, ExternalUsers, ProjectPolicies, SessionStore, UserCaches],
})
export class AuthCachesModule {}
