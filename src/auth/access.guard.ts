import { Inject, Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard, AuthModuleOptions } from '@nestjs/passport';
import type { Request, Response } from 'express';
import type { Principal, RequestContext } from '../core/context/request-context';
import { SETTINGS, type Settings } from '../core/context/app-settings';
import { Visibility } from '../core/context/visibility';
import { InventoryError } from '../core/errors/inventory-error';
import { consistencyOf, idempotencyOf } from '../http/context-headers';
import { requestState, type Identity } from '../http/request-state';
import { baseUrl } from '../http/list-response';
import { previewOf } from '../http/query.guard';
import { headerText, requestId } from '../http/request';
import { isVariableRole, maySee, type RouteAccess } from './access';
import { ACCESS, ASKS } from './access.decorators';
import { unauthenticated } from './identity/unauthenticated-error';
import { KeyRates } from './limits/key-rate-limit';
import { WrongCredentials } from './limits/wrong-credentials-limit';
import { ProjectPolicies } from './project-policies';
import { NotAdmitted } from './access-denied-error';

/**
 * The one guard, over every route. It turns the headers into the request's context and checks what the route
 * declares. A route that declares nothing is closed to everybody.
 */
@Injectable()
export class AccessGuard extends AuthGuard() {
  constructor(
    private readonly reflector: Reflector,
    private readonly policies: ProjectPolicies,
    private readonly rates: KeyRates,
    private readonly wrong: WrongCredentials,
    @Inject(SETTINGS) private readonly settings: Settings,
    strategies: AuthModuleOptions,
  ) {
    super(strategies);
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.getAllAndOverride<RouteAccess | undefined>(ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (access?.needs === 'nothing') return true;
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    requestState(request).activeRequest?.handlerStarted();
    const identity = await this.identityOf(context);
    requestState(request).identity = identity;
    await this.rates.spend(identity, response);
    const caller = await this.callerOf(identity);
    const asks = this.reflector.get<true | undefined>(ASKS, context.getHandler());
    const preview = asks ? undefined : previewOf(request);
    const idempotency = asks ? undefined : idempotencyOf(request, response);
    const ctx: RequestContext = {
      ...caller,
      requestId: requestId(request),
      reason: reasonOf(request),
      base: baseUrl(request, this.settings.publicUrl),
      preview,
      // A dry run writes nothing, so its answer is not stored.
      idempotency: preview ? undefined : idempotency,
      consistency: consistencyOf(request, response),
    };
    const renew = async () =>
      admitted({ ...ctx, ...(await this.callerOf(await this.identityOf(context))) }, access);
    requestState(request).context = { ctx, renew };
    admitted(ctx, access);
    return true;
  }

  /** Who asks, as of now. @throws InventoryError 401, and 429 for who is wrong again and again */
  private async identityOf(context: ExecutionContext): Promise<Identity> {
    const request = context.switchToHttp().getRequest<Request & { user: Identity }>();
    try {
      await super.canActivate(context);
    } catch (error) {
      const isWrong = error instanceof InventoryError && error.code === 'unauthenticated';
      throw (isWrong && (await this.wrong.tooMany(request))) || error;
    }
    // One of several strategies may have refused it before another knew better.
    requestState(request).authFailure = undefined;
    return request.user;
  }

  /** What holds for a caller in the project of the request. */
  private async callerOf({
    principal,
    projectId,
    key,
  }: Identity): Promise<Pick<RequestContext, 'principal' | 'key' | 'projectId' | 'visibility'>> {
    const policy = await this.policies.of(projectId);
    return { principal, key, projectId, visibility: visibilityOf(principal, policy?.hidden ?? []) };
  }

  /** One message for everything that can be wrong, so that nothing can be found out by trying. */
  override handleRequest<T>(error: unknown, identity: T | false): T {
    if (error !== null && error !== undefined) throw error as Error;
    if (identity !== false) return identity;
    throw unauthenticated(
      'The request is not authenticated: it needs a valid token, in X-Auth-Token or as Authorization: Bearer. X-Auth-User and X-Auth-Project must agree with it; with an API key in X-Auth-Token they are needed.',
    );
  }
}

/** @throws InventoryError 403 for who may not do what a route does */
function admitted(ctx: RequestContext, access: RouteAccess | undefined): RequestContext {
  if (access && maySee(ctx.principal, access)) return ctx;
  throw new NotAdmitted(access);
}

function visibilityOf(principal: Principal, hidden: readonly string[]): Visibility {
  if (hidden.length === 0 || principal.isAdmin || principal.isRoot) return Visibility.WHOLE;
  return new Visibility(hidden, principal.roles.filter(isVariableRole));
}

const LONGEST_REASON = 2_000;

function reasonOf(request: Request): string | undefined {
  const reason = headerText(request.headers['x-change-reason'])?.trim();
  if (reason === undefined || reason === '') return undefined;
  if (reason.length > LONGEST_REASON)
    throw InventoryError.invalid('X-Change-Reason', `must be at most ${String(LONGEST_REASON)} characters`);
  return reason;
}
