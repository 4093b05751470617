import type { WalPosition } from '../wal-position';
import type { Visibility } from './visibility';

/** Who asks. What the identity strategy found out, and nothing that is secret. */
export interface Principal {
  readonly userId: number;
  readonly username: string;
  /** The project that the user belongs to. */
  readonly homeProjectId: string;
  readonly isAdmin: boolean;
  readonly isRoot: boolean;
  readonly roles: readonly string[];
}

/** The API key that a request came with. */
export interface CallerApiKey {
  readonly id: string;
  /** In UTC with microseconds, as answers show it; `null`: it does not expire. */
  readonly expiresAt: string | null;
}

/**
 * Identity as a parameter: every service method takes it first, so that none can forget the project.
 * It is made by the guard from the request's headers, or by a command that acts for itself.
 */
export interface RequestContext {
  readonly principal: Principal;
  /** Absent where the caller was authenticated in another way. */
  readonly key?: CallerApiKey | undefined;
  /** The project that the request is made in: what is created goes there. */
  readonly projectId: string;
  readonly requestId: string;
  /** The `X-Change-Reason` header. */
  readonly reason: string | undefined;
  /** Scheme and authority that links in answers begin with. */
  readonly base: string;
  /** Which variables the caller may see. */
  readonly visibility: Visibility;
  /** Set where a write is only tried: it is answered with what it would do, and nothing is written. */
  readonly preview?: PreviewPage | undefined;
  /** Set where the same request may come again, and nothing is to happen twice. */
  readonly idempotency?: Idempotency | undefined;
  /** Absent where nothing is read later: a command ends. */
  readonly consistency?: Consistency | undefined;
}

/** How a client sees what it wrote, or was told of, although it is read elsewhere than written. */
export interface Consistency {
  /** What is read has to show all that was written up to here. */
  readonly after: WalPosition | undefined;
  /** Gives the client what its later reads come with. To be called before the answer begins. */
  mark(position: WalPosition): void;
}

/** How a request is known again when its client, who did not get the answer, sends it once more. */
export interface Idempotency {
  /** The client's own name for it. */
  readonly key: string;
  /** What tells it from other requests of the same name. To be asked once the body is read. */
  fingerprint(): string;
  /** Tells the client that the answer is the one to the request that came first. */
  replayed(): void;
}

/** The page of affected devices that a preview shows. */
export interface PreviewPage {
  readonly limit: number;
  /** The id of the last device seen. */
  readonly marker: number | undefined;
  /** Where the request was sent, from which links to other pages are made. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** The projects that a read spans: a root user sees across projects, everybody else their own. */
export type ProjectScope = { readonly project: string } | 'every project';

/** What the caller may see. */
export function visibleProjects(ctx: RequestContext): ProjectScope {
  return ctx.principal.isRoot ? 'every project' : { project: ctx.projectId };
}
