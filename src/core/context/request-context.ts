import { randomUUID } from 'node:crypto';
import type { WalPosition } from '../wal-position';
import { variableKeyError, Visibility } from './variable-keys';
import { fault, type Fault } from '../error-details';

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

/** The user of an approval that counts, as the user is now. */
export interface Approver {
  readonly id: number;
  readonly username: string;
  readonly isAdmin: boolean;
  readonly isRoot: boolean;
  readonly roles: readonly string[];
}

/** The proposal that a change applies. */
export interface AppliedProposal {
  readonly id: number;
  readonly revision: number;
  /** `null`: the user was deleted. */
  readonly author: { readonly id: number | null; readonly username: string };
  /** Those whose approvals count. */
  readonly approvers: readonly Approver[];
}

/** The API key of a request. */
export interface CallerApiKey {
  readonly id: string;
  /** In UTC with microseconds, as in responses; `null` if the key does not expire. */
  readonly expiresAt: string | null;
}

/**
 * The context of a request. It is the first parameter of every service method, so that none can omit the project.
 * `RequestContextBuilder` creates it from the headers of the request; a command creates its own.
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
  /** The `X-Change-Override` header of an admin: why the change need not be approved. */
  readonly override?: string | undefined;
  /** Scheme and authority of the links in responses. */
  readonly base: string;
  /** The variables that the caller may see. */
  readonly visibility: Visibility;
  /** Whether the project's settings restrict the caller, who has no roles. See `RouteAccess`. */
  readonly isRestricted?: boolean;
  /**
   * Whether writes are prepared as if the caller had every role of the inventory: see `withoutRoleChecks`. They can only be
   * previewed; `ChangesService` rejects to commit them.
   */
  readonly skipsRoleChecks?: boolean;
  /** The title, if the write is proposed and not done. */
  readonly propose?: string | undefined;
  /** Whether times in the response end with `Z`: see `shownTime`. */
  readonly timesHaveZone?: boolean;
  /** Set for a dry run: the response describes what the write would do, and nothing is written. */
  readonly preview?: PreviewPage | undefined;
  /** Set if a retry of the request must not repeat its effects. */
  readonly idempotency?: Idempotency | undefined;
  /** Absent for commands, which read nothing afterwards. */
  readonly consistency?: Consistency | undefined;
}

/** The author of changes by `muster-admin` commands, in change records. */
const COMMAND_NAME = 'muster-admin';

/**
 * The context of a `muster-admin` command: a root principal without a user.
 * @param projectId the project of new resources; empty for commands that span projects
 * @param username the author in change records
 */
export function commandContext(
  reason: string | undefined,
  projectId = '',
  username = COMMAND_NAME,
): RequestContext {
  return {
    principal: {
      userId: 0,
      username,
      homeProjectId: '',
      isAdmin: false,
      isRoot: true,
      roles: [],
    },
    projectId,
    requestId: randomUUID(),
    reason,
    base: '',
    visibility: Visibility.ALL,
  };
}

/** Whether the context is that of a command, and not of a request. */
export const isCommand = ({ principal }: RequestContext): boolean => principal.userId === 0;

/** Lets a client read its own writes, and what earlier responses contained, from replicas. */
export interface Consistency {
  /** Reads must include all writes up to this position. */
  readonly after: WalPosition | undefined;
}

/** Identifies a request that a client retries because it did not receive the response. */
export interface Idempotency {
  /** The value of the `Idempotency-Key` header. */
  readonly key: string;
  /** Distinguishes different requests with the same key. */
  readonly fingerprint: string;
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

/** The page of a dry run whose preview is not shown. */
export const UNSHOWN_PAGE: PreviewPage = {
  limit: 1,
  marker: undefined,
  path: '',
  query: new URLSearchParams(),
};

/** The projects that a read includes: all for a root user, otherwise the project of the request. */
export type ProjectScope = OneProject | 'every project';

export interface OneProject {
  readonly project: string;
}

export function visibleProjects(ctx: RequestContext): ProjectScope {
  return ctx.principal.isRoot ? 'every project' : { project: ctx.projectId };
}

const COLLECTION_ROLE = /^(\*|[a-z][a-z-]*):write$/;

/**
 * Why a role is invalid; undefined if it is valid. A valid role is `<collection>:write`, `*:write`, the key of a
 * variable, or a prefix of keys followed by `*`.
 */
export function roleError(role: string): Fault | undefined {
  if (COLLECTION_ROLE.test(role)) return undefined;
  const prefix = role.endsWith('*') ? role.slice(0, -1) : undefined;
  if (prefix === '' || variableKeyError(prefix ?? role) === undefined) return undefined;
  const [collection = ''] = role.split(':');
  if (role.includes(':') && COLLECTION_ROLE.test(`${collection}:write`))
    return fault(
      'invalid_value',
      `${JSON.stringify(role)} grants nothing: did you mean ${collection}:write?`,
    );
  return fault(
    'invalid_value',
    `${JSON.stringify(role)} is neither <collection>:write nor a variable's key nor a prefix of keys with *`,
  );
}

/** All variables, including private ones. Users can have this role, but nothing maps to it. */
const ALL_VARIABLES = '*';

/** Whether `KEYSTONE_ROLES` and `OIDC_ROLES` can map to this role. */
export const isMappableRole = (role: string): boolean =>
  role !== ALL_VARIABLES && roleError(role) === undefined;

/** The body of lists: an array with links in a header, or a page object that contains the links. */
export type ListBody = 'array' | 'page';

/** The settings that affect responses. */
export interface AppSettings {
  /** Scheme and authority of absolute links; undefined: those of the request. */
  readonly publicUrl: string | undefined;
  readonly listBody: ListBody;
}

/** The injection token of `AppSettings`. */
export const APP_SETTINGS = Symbol('settings');
