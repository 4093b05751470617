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

/**
 * Identity as a parameter: every service method takes it first, so that none can forget the project.
 * It is made by the guard from the request's headers, or by a command that acts for itself.
 */
export interface RequestContext {
  readonly principal: Principal;
  /** The project that the request is made in: what is created goes there. */
  readonly projectId: string;
  readonly requestId: string;
  /** The `X-Change-Reason` header. */
  readonly reason: string | undefined;
}

/** The projects that a read spans: a root user sees across projects, everybody else their own. */
export type ProjectScope = { readonly project: string } | 'every project';

/** What the caller may see. */
export function visibleProjects(ctx: RequestContext): ProjectScope {
  return ctx.principal.isRoot ? 'every project' : { project: ctx.projectId };
}
