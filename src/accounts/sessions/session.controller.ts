import {
  Controller,
  createParamDecorator,
  Delete,
  type ExecutionContext,
  Get,
  HttpCode,
  Optional,
  Post,
  Put,
  Req,
} from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { READ, Access, ChoosesProject, Ctx } from '../../auth/access';
import { OidcSignIn } from '../../auth/identity/oidc/oidc-sign-in';
import { endingCookie, presentedSessionId, startingCookie } from '../../auth/sessions/session-cookie';
import type { RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors';
import { ApiErrors } from '../../http/api-errors';
import { assertNoDryRunOrIdempotencyKey } from '../../http/dry-run';
import { ValidBody } from '../../http/body-validation';
import { requestState, type CallerSession } from '../../http/request-state';
import { JsonResponse } from '../../http/response';
import { EnterProject, SessionView, SignOutView } from './session.views';
import { SessionsService, type StartedSession } from './sessions.service';
import { shownTime } from '../../core/context/times';

/** The session of the request; undefined if its caller was authenticated by headers. */
const PresentedSession = createParamDecorator(
  (_: unknown, host: ExecutionContext): CallerSession | undefined =>
    requestState(host.switchToHttp().getRequest<Request>()).identity?.session,
);

const COOKIE_HEADER = {
  'Set-Cookie': {
    description: 'The cookie of the session: `__Host-muster`, or `muster` without TLS.',
    schema: {
      type: 'string' as const,
      example: 'muster=717e9a216e2d44e0bc848398563bda06.…; Path=/; HttpOnly; SameSite=Strict',
    },
  },
};

/** The sessions of browsers. */
@ApiTags('sessions')
@Controller('v1/session')
@ChoosesProject()
export class SessionController {
  constructor(
    private readonly sessions: SessionsService,
    @Optional() private readonly oidc?: OidcSignIn,
  ) {}

  @Post()
  @HttpCode(201)
  @Access(READ)
  @ApiOperation({
    summary: 'Start a session in the project of the request, with an API key in the headers',
    description:
      'The response sets a cookie that authenticates further requests instead of the headers. The session of a cookie that the request has ends. A user has at most 20 sessions: a further one ends the one that was not used for the longest time.',
  })
  @ApiResponse({ status: 201, description: 'The session.', type: SessionView, headers: COOKIE_HEADER })
  @ApiErrors(400, 401, 403)
  async start(
    @Ctx() ctx: RequestContext,
    @PresentedSession() session: CallerSession | undefined,
    @Req() request: Request,
  ) {
    assertNoDryRunOrIdempotencyKey(ctx);
    const replaces = presentedSessionId(request, ctx.base);
    const started = await this.sessions.startWithKey(ctx, session !== undefined, replaces);
    return JsonResponse.createdAll(
      JSON.stringify(shownSession(ctx, started.session)),
      cookieOf(ctx, started),
    );
  }

  @Get()
  @Access(READ)
  @ApiOperation({
    summary: 'Show the session of the request: user, project, and which projects can be entered',
  })
  @ApiResponse({ status: 200, description: 'The session.', type: SessionView })
  @ApiErrors(400, 401, 404)
  async show(@Ctx() ctx: RequestContext, @PresentedSession() session: CallerSession | undefined) {
    return shownSession(ctx, await this.sessions.show(ctx, required(session)));
  }

  @Put()
  @Access(READ)
  @ApiOperation({
    summary: 'Enter another project',
    description:
      'The response sets a new cookie. Requests with the former one get 401, so let the requests in progress end first.',
  })
  @ApiBody({ type: EnterProject })
  @ApiResponse({ status: 200, description: 'The session.', type: SessionView, headers: COOKIE_HEADER })
  @ApiErrors(400, 401, 403, 404)
  async enter(
    @Ctx() ctx: RequestContext,
    @PresentedSession() session: CallerSession | undefined,
    @ValidBody(EnterProject) { project_id }: EnterProject,
  ) {
    assertNoDryRunOrIdempotencyKey(ctx);
    const entered = await this.sessions.enter(ctx, required(session), project_id);
    return JsonResponse.ok(JSON.stringify(shownSession(ctx, entered.session)), cookieOf(ctx, entered));
  }

  @Delete()
  @HttpCode(204)
  @Access(READ)
  @ApiOperation({ summary: 'End the session: sign out' })
  @ApiResponse({
    status: 200,
    description: 'Ended. The user can sign out at the OpenID provider, too.',
    type: SignOutView,
    headers: COOKIE_HEADER,
  })
  @ApiResponse({ status: 204, description: 'Ended.', headers: COOKIE_HEADER })
  @ApiErrors(400, 401, 403, 404)
  async end(@Ctx() ctx: RequestContext, @PresentedSession() session: CallerSession | undefined) {
    assertNoDryRunOrIdempotencyKey(ctx);
    const ended = required(session);
    await this.sessions.end(ended);
    const headers = { 'set-cookie': endingCookie(ctx.base) };
    const url = ended.oidc && this.oidc?.signOutUrl(`${ctx.base}/`);
    return url === undefined
      ? JsonResponse.noContent(headers)
      : JsonResponse.ok(JSON.stringify({ sign_out_url: url } satisfies SignOutView), headers);
  }
}

/** A session with its times as the response shows them. */
const shownSession = (ctx: RequestContext, session: SessionView): SessionView =>
  Object.assign({}, session, {
    created_at: shownTime(ctx, session.created_at),
    expires_at: shownTime(ctx, session.expires_at),
    idle_expires_at: shownTime(ctx, session.idle_expires_at),
  });

const cookieOf = ({ base }: RequestContext, { token, session }: StartedSession) => ({
  'set-cookie': startingCookie(base, token, session.expires_at),
});

/** @throws InventoryError 404 */
function required(session: CallerSession | undefined): CallerSession {
  if (session) return session;
  throw new InventoryError('not_found', 'The request has no session: it was authenticated by its headers.');
}
