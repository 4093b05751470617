import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import {
  type Principal,
  type RequestContext,
  APP_SETTINGS,
  type AppSettings,
} from '../core/context/request-context';
import { Visibility } from '../core/context/variable-keys';
import { InventoryError } from '../core/errors';
import { isWrite, readPreviewPage } from '../http/dry-run';
import { readProposedTitle } from '../http/proposed-title';
import { baseUrl, consistencyOf, idempotencyKeyOf, headerText, requestId } from '../http/request';
import { prefersZones } from '../http/preferences';
import { requestState, type Identity } from '../http/request-state';
import { AccessDeniedError, ADMIN, hasNoRoles, isVariableRole } from './access';
import { ProjectPolicies } from './project-policies';

/** What a context contains about the caller. */
type Caller = Pick<RequestContext, 'principal' | 'key' | 'projectId' | 'visibility' | 'isRestricted'>;

/** Builds the context of a request from its caller, its headers and its query. */
@Injectable()
export class RequestContextBuilder {
  constructor(
    private readonly policies: ProjectPolicies,
    @Inject(APP_SETTINGS) private readonly settings: AppSettings,
  ) {}

  /**
   * Builds the context without `idempotency`, which depends on the body: `Ctx` adds it.
   * @param isWithoutDryRun see `WithoutDryRun`
   * @throws InventoryError 400 for a malformed header or parameter
   */
  async build(request: Request, identity: Identity, isWithoutDryRun: boolean): Promise<RequestContext> {
    const caller = await this.readCaller(identity);
    const preview = isWithoutDryRun ? undefined : readPreviewPage(request);
    const idempotencyKey = isWithoutDryRun ? undefined : idempotencyKeyOf(request);
    // A dry run writes nothing, so its response is not stored.
    requestState(request).idempotencyKey = preview ? undefined : idempotencyKey;
    return {
      ...caller,
      requestId: requestId(request),
      reason: parseChangeReason(request),
      override: isWithoutDryRun || !isWrite(request) ? undefined : parseOverride(request, caller.principal),
      base: baseUrl(request, this.settings.publicUrl),
      timesHaveZone: prefersZones(request),
      preview,
      propose: isWithoutDryRun ? undefined : readProposedTitle(request),
      consistency: consistencyOf(request),
    };
  }

  /** The context of the same request, for its caller after authenticating again. */
  async renew(ctx: RequestContext, identity: Identity): Promise<RequestContext> {
    return { ...ctx, ...(await this.readCaller(identity)) };
  }

  /** Adds what the settings of the project say about the caller. */
  private async readCaller({ principal, projectId, key }: Identity): Promise<Caller> {
    const policy = await this.policies.get(projectId);
    return {
      principal,
      key,
      projectId,
      visibility: callerVisibility(principal, policy?.privateKeys ?? []),
      isRestricted: policy?.restrictsReaders === true && hasNoRoles(principal),
    };
  }
}

function callerVisibility(principal: Principal, hidden: readonly string[]): Visibility {
  if (hidden.length === 0 || principal.isAdmin || principal.isRoot) return Visibility.ALL;
  return new Visibility(hidden, principal.roles.filter(isVariableRole));
}

/** In characters, of the headers with reasons. */
const MAX_REASON_LENGTH = 2_000;

function parseChangeReason(request: Request): string | null | undefined {
  const reason = reasonHeader(request, 'X-Change-Reason');
  return reason === '' ? null : reason;
}

/** @throws InventoryError 400 if it says nothing, 403 if the caller is no admin */
function parseOverride(request: Request, { isAdmin, isRoot }: Principal): string | undefined {
  const override = reasonHeader(request, OVERRIDE);
  if (override === undefined) return undefined;
  if (!isAdmin && !isRoot)
    throw new AccessDeniedError(
      ADMIN,
      `Only an admin of the project can send ${OVERRIDE}. Propose the write instead.`,
    );
  if (override === '')
    throw InventoryError.invalid(OVERRIDE, 'too_short', 'must say why no approval is needed');
  return override;
}

const OVERRIDE = 'X-Change-Override';

function reasonHeader(request: Request, name: string): string | undefined {
  const reason = headerText(request.headers[name.toLowerCase()])?.trim();
  if (reason !== undefined && reason.length > MAX_REASON_LENGTH)
    throw InventoryError.invalid(name, 'too_long', `must be at most ${String(MAX_REASON_LENGTH)} characters`);
  return reason;
}
