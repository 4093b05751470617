import type { Request } from 'express';
import type { CallerKey, Principal } from '../../core/context/request-context';

/** What an identity strategy finds out about a request: who asks, and in which project. */
export interface Identity {
  readonly principal: Principal;
  readonly projectId: string;
  /** Absent where the caller was authenticated in another way than by an API key. */
  readonly key?: CallerKey;
}

const identities = new WeakMap<Request, Identity>();

/** Notes who makes a request, also where it is then refused. */
export const identified = (request: Request, identity: Identity): void => {
  identities.set(request, identity);
};

/** Who makes a request; undefined on public routes, and where nobody was authenticated. */
export const identityOf = (request: Request): Identity | undefined => identities.get(request);
