import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard, AuthModuleOptions } from '@nestjs/passport';
import type { Request, Response } from 'express';
import type { RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors';
import { parseUuid } from '../core/parameters';
import { PROJECT_HEADER, projectHeader } from '../http/request';
import { requestState, type Identity, type Subrequest } from '../http/request-state';
import { isWrite, WITHOUT_DRY_RUN } from '../http/dry-run';
import {
  AccessDeniedError,
  assertUnrestricted,
  hasAccess,
  isInventoryWrite,
  type RouteAccess,
  ACCESS,
  BATCHABLE,
  CHOOSES_PROJECT,
  PROPOSABLE,
  withoutRoleChecks,
} from './access';
import { unauthenticatedError } from './identity/header-strategy';
import { KeyRateLimiter, WrongCredentialsLimiter } from './auth-limits';
import { PathUuids } from './path-uuids';
import { RequestContextBuilder } from './request-context.builder';

/**
 * The global guard of all routes. It authenticates the request and checks the access that the route declares. A route
 * without a declaration is closed.
 */
@Injectable()
export class AccessGuard extends AuthGuard() {
  constructor(
    private readonly reflector: Reflector,
    private readonly contexts: RequestContextBuilder,
    private readonly rates: KeyRateLimiter,
    private readonly wrong: WrongCredentialsLimiter,
    private readonly uuids: PathUuids,
    options: AuthModuleOptions,
  ) {
    super(options);
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.getAllAndOverride<RouteAccess | undefined>(ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const { subrequest } = requestState(request);
    if (subrequest) return this.admitSubrequest(context, subrequest, access);
    if (access?.needs === 'nothing') return true;
    const response = http.getResponse<Response>();
    requestState(request).activeRequest?.handlerStarted();
    const identity = await this.authenticate(context);
    requestState(request).identity = identity;
    await this.rates.consume(identity, response);
    if (
      !this.reflector.getAllAndOverride<true | undefined>(CHOOSES_PROJECT, [
        context.getHandler(),
        context.getClass(),
      ])
    )
      assertSessionProject(request, identity);
    const isWithoutDryRun = this.reflector.get<true | undefined>(WITHOUT_DRY_RUN, context.getHandler());
    const built = await this.contexts.build(request, identity, isWithoutDryRun === true);
    if (built.propose !== undefined) this.assertProposable(context, access);
    // A user who proposes a write need not be allowed to do it.
    const ctx = built.propose === undefined ? built : withoutRoleChecks(built);
    const renew = async () => {
      const renewed = await this.authenticate(context);
      // The session can have lost the project meanwhile. Then its identity is in another one.
      if (renewed.projectId !== ctx.projectId) throw inaccessibleProject(ctx.projectId);
      return authorize(await this.contexts.renew(ctx, renewed), access, request.params['id']);
    };
    requestState(request).context = { ctx, renew };
    return this.admit(context, ctx, access);
  }

  /** @throws AccessDeniedError; InventoryError 404 for an unknown UUID in the path */
  private async admit(
    context: ExecutionContext,
    ctx: RequestContext,
    access: RouteAccess | undefined,
  ): Promise<true> {
    // Before the lookup, which would disclose whether a resource exists.
    assertAccess(ctx, access);
    await this.uuids.resolve(ctx, context);
    authorize(ctx, access, context.switchToHttp().getRequest<Request>().params['id']);
    return true;
  }

  /**
   * Admits a part of a request that was authenticated, with its context.
   * @throws InventoryError like `admit`; 400 for a route that cannot be a part of it
   */
  private async admitSubrequest(
    context: ExecutionContext,
    { ctx, purpose }: Subrequest,
    access: RouteAccess | undefined,
  ): Promise<true> {
    if (purpose === 'proposal') this.assertProposable(context, access, 'path', ['operation']);
    else if (!this.isBatchable(context, access))
      throw InventoryError.invalid(
        'path',
        'unsupported',
        'cannot be written by a batch: send this request alone',
      );
    const request = context.switchToHttp().getRequest<Request>();
    requestState(request).context = { ctx, renew: () => Promise.resolve(ctx) };
    return this.admit(context, ctx, access);
  }

  private isBatchable(context: ExecutionContext, access: RouteAccess | undefined): boolean {
    const isMarked = this.reflector.get<true | undefined>(BATCHABLE, context.getHandler()) === true;
    return access !== undefined && isInventoryWrite(access) && isMarked;
  }

  /** @throws InventoryError 400 for a route that can only be done */
  private assertProposable(
    context: ExecutionContext,
    access: RouteAccess | undefined,
    field = 'propose',
    hows = ['operation', 'operations'],
  ): void {
    const how = this.reflector.get<string | undefined>(PROPOSABLE, context.getHandler());
    if (this.isBatchable(context, access) || (how !== undefined && hows.includes(how))) return;
    throw InventoryError.invalid(field, 'unsupported', 'cannot be proposed: send this request itself');
  }

  /** Runs the strategies of passport. @throws InventoryError 401, or 429 after too many wrong credentials */
  private async authenticate(context: ExecutionContext): Promise<Identity> {
    const request = context.switchToHttp().getRequest<Request & { user: Identity }>();
    try {
      await super.canActivate(context);
    } catch (error) {
      const isUnauthenticated = error instanceof InventoryError && error.code === 'unauthenticated';
      throw (isUnauthenticated && (await this.wrong.countFailure(request))) || error;
    }
    // A strategy can have failed before another one succeeded.
    requestState(request).authFailure = undefined;
    return request.user;
  }

  /** All failures have the same message, so that it reveals nothing about valid credentials. */
  override handleRequest<T>(error: unknown, identity: T | false): T {
    if (error !== null && error !== undefined) throw error as Error;
    if (identity !== false) return identity;
    throw unauthenticatedError(
      'The request is not authenticated. Send a valid token in X-Auth-Token or Authorization: Bearer. X-Auth-User and X-Auth-Project must match the token, and are required with an API key in X-Auth-Token. If you used a session, it has ended: sign in again.',
    );
  }
}

/**
 * Checks that a request with the cookie of a session is made in the project that its sender shows: names and ids mean
 * something else in another one.
 * @throws InventoryError 400 for a write that does not name its project, 409 for a project that the session cannot enter
 */
function assertSessionProject(request: Request, { session, projectId }: Identity): void {
  if (!session) return;
  const text = projectHeader(request);
  if (text === undefined && !isWrite(request)) return;
  if (text === undefined)
    throw InventoryError.invalid(
      PROJECT_HEADER,
      'required',
      'is required for writes with the cookie of a session: name the project that the page shows',
    );
  const named = parseUuid(text);
  if (named === undefined)
    throw InventoryError.invalid(PROJECT_HEADER, 'invalid_format', 'must be the UUID of a project');
  if (named !== projectId) throw inaccessibleProject(named);
}

function inaccessibleProject(project: string): InventoryError {
  const message = `the session cannot enter the project ${project}`;
  return new InventoryError(
    'conflict',
    `${PROJECT_HEADER}: ${message}, so nothing was done. GET /v1/session names the projects that it can enter.`,
    [{ field: PROJECT_HEADER, code: 'inconsistent', message }],
  );
}

/** @throws AccessDeniedError if the caller does not have the access that the route declares */
function assertAccess(
  { principal }: RequestContext,
  access: RouteAccess | undefined,
): asserts access is RouteAccess {
  if (!access || !hasAccess(principal, access)) throw new AccessDeniedError(access);
}

/** @throws AccessDeniedError like `assertAccess`, and for what the project's settings deny */
function authorize(
  ctx: RequestContext,
  access: RouteAccess | undefined,
  id: string | string[] | undefined,
): RequestContext {
  assertAccess(ctx, access);
  assertUnrestricted(ctx, access, typeof id === 'string' ? id : undefined);
  return ctx;
}
