import type { Principal } from '../../shared/context/request-context';

/** What an identity strategy finds out about a request: who asks, and in which project. */
export interface Identity {
  readonly principal: Principal;
  readonly projectId: string;
  /** The id of the API key, where it was one. */
  readonly keyId?: string;
}
