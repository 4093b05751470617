import type { WalPosition } from '../wal-position';
import type { Visibility } from './variable-keys';

/** The authenticated caller. It contains no secrets. */
export interface Principal {
  readonly userId: number;
  readonly username: string;
  /** The project that the user belongs to. */
  readonly homeProjectId: string;
  readonly isAdmin: boolean;
  readonly isRoot: boolean;
  readonly roles: readonly string[];
}

/** The API key of a request. */
export interface CallerApiKey {
  readonly id: string;
  /** In UTC with microseconds, as in responses; `null` if the key does not expire. */
  readonly expiresAt: string | null;
}

/**
 * The context of a request. It is the first parameter of every service method, so that none can omit the project. The
 * guard creates it from the headers of the request; a command creates its own.
 */
export interface RequestContext {
  readonly principal: Principal;
  /** Absent if the caller did not authenticate with an API key. */
  readonly key?: CallerApiKey | undefined;
  /** The project of the request. New resources are created in it. */
  readonly projectId: string;
  readonly requestId: string;
  /** The `X-Change-Reason` header. `null` if it is empty: the change has no reason, even if the body has a note. */
  readonly reason: string | null | undefined;
  /** Scheme and authority of the links in responses. */
  readonly base: string;
  /** The variables that the caller may see. */
  readonly visibility: Visibility;
  /** Whether the project's settings restrict the caller, who has no roles. See `RouteAccess`. */
  readonly isRestricted?: boolean;
  /** Set for a dry run: the response describes what the write would do, and nothing is written. */
  readonly preview?: PreviewPage | undefined;
  /** Set if a retry of the request must not repeat its effects. */
  readonly idempotency?: Idempotency | undefined;
  /** Absent for commands, which read nothing afterwards. */
  readonly consistency?: Consistency | undefined;
}

/** Lets a client read its own writes, and what earlier responses contained, from replicas. */
export interface Consistency {
  /** Reads must include all writes up to this position. */
  readonly after: WalPosition | undefined;
  /** Gives the client a token for its later reads. Call it before the response begins. */
  issueToken(position: WalPosition): void;
}

/** Identifies a request that a client retries because it did not receive the response. */
export interface Idempotency {
  /** The value of the `Idempotency-Key` header. */
  readonly key: string;
  /** Distinguishes different requests with the same key. Call it after the body is read. */
  fingerprint(): string;
  /** Marks the response as the stored response of the first request. */
  markReplayed(): void;
}

/** The page of affected devices that a preview shows. */
export interface PreviewPage {
  readonly limit: number;
  /** The id of the last device seen. */
  readonly marker: number | undefined;
  /** The path of the request, for links to other pages. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** The projects that a read includes: all for a root user, otherwise the project of the request. */
export type ProjectScope = OneProject | 'every project';

export interface OneProject {
  readonly project: string;
}

export function visibleProjects(ctx: RequestContext): ProjectScope {
  return ctx.principal.isRoot ? 'every project' : { project: ctx.projectId };
}
