import { Injectable } from '@nestjs/common';
import { ApiKeyCache } from './identity/api-key-cache';
import { ExternalUsers } from './identity/external-users';
import { SessionStore } from './sessions/session-store';

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
