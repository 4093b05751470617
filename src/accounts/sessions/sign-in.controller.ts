import { Controller, Get, Inject, Optional, Req } from '@nestjs/common';
import { ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Public } from '../../auth/access';
import { AuthAuditLog } from '../../auth/auth-audit-log';
import { authenticationFailed } from '../../auth/identity/header-strategy';
import {
  OidcSignIn,
  SignInError,
  SIGN_IN_ERRORS,
  endSignInCookie,
  readSignInState,
  signInCookie,
} from '../../auth/identity/oidc/oidc-sign-in';
import { presentedSessionId, startingCookie } from '../../auth/sessions/session-cookie';
import { SIGN_IN_OPTIONS, type SignInOptions } from '../../auth/sessions/session.strategy';
import { APP_SETTINGS, type AppSettings } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors';
import { SECRET_BOX, type SecretBox } from '../../core/secret-box';
import { ApiErrors, errorResponse } from '../../http/api-errors';
import { NegotiatesType } from '../../http/accept';
import { baseUrl, queryOf } from '../../http/request';
import { TakesQuery } from '../../http/query.guard';
import { JsonResponse } from '../../http/response';
import { SessionsService } from './sessions.service';
import { SIGN_IN_METHODS, SignInView } from './session.views';

const CALLBACK_PATH = '/v1/session/oidc/callback';

/** A path of this service. Browsers read `//` and `/\` as the beginning of a host. */
const LOCAL_PATH = /^\/(?![/\\])[\x21-\x7e]{0,2000}$/;

const TO_PROVIDER = 'To the OpenID provider. If it is unavailable, a browser is sent to `/sign-in?error=…`.';
const TO_PAGE =
  'To `return_to` with the cookie of a session, or, for a browser, to `/sign-in?error=…`: ' +
  `${Object.keys(SIGN_IN_ERRORS)
    .map((code) => `\`${code}\``)
    .join(', ')}.`;

const RedirectResponse = (description: string) =>
  ApiResponse({
    status: 302,
    description,
    headers: { Location: { description: 'The URL.', schema: { type: 'string', example: '/' } } },
  });

/** The response to a program. */
const ProviderUnavailable = () => {
  const { content } = errorResponse(503);
  const example = { ...content['application/json'].example, message: SIGN_IN_ERRORS.provider_unavailable[1] };
  return ApiResponse({
    status: 503,
    description: 'The OpenID provider or the database is unavailable, or the service is overloaded.',
    content: { 'application/json': { ...content['application/json'], example } },
  });
};

/** Signing in with a browser, before there is a session. */
@ApiTags('sessions')
@Controller('v1')
export class SignInController {
  constructor(
    private readonly sessions: SessionsService,
    @Inject(APP_SETTINGS) private readonly settings: AppSettings,
    private readonly auditLog: AuthAuditLog,
    @Inject(SIGN_IN_OPTIONS) private readonly options: SignInOptions,
    @Inject(SECRET_BOX) private readonly box: SecretBox,
    @Optional() private readonly oidc?: OidcSignIn,
  ) {}

  @Get('sign-in')
  @Public()
  @ApiOperation({ summary: 'Show how users can sign in', security: [] })
  @ApiResponse({ status: 200, description: 'The methods.', type: SignInView })
  @ApiErrors(400)
  show(): SignInView {
    const { acceptsKeys, oidc } = this.options;
    return {
      methods: SIGN_IN_METHODS.filter((method) => (method === 'oidc' ? oidc : acceptsKeys)),
      oidc_name: oidc?.name ?? null,
      oidc: oidc ? { issuer: oidc.issuer, client_id: oidc.cliClientId, scope: oidc.scopes } : null,
    };
  }

  @Get('session/oidc')
  @Public()
  @NegotiatesType()
  @TakesQuery()
  @ApiOperation({ summary: 'Sign in at the OpenID provider, with a browser', security: [] })
  @ApiQuery({
    name: 'return_to',
    required: false,
    description: 'The path of the page that the browser is sent to afterwards.',
    schema: { type: 'string', default: '/', maxLength: 2001, example: '/devices' },
  })
  @RedirectResponse(TO_PROVIDER)
  @ProviderUnavailable()
  @ApiErrors(400, 404)
  async begin(@Req() request: Request): Promise<JsonResponse> {
    const oidc = this.configured();
    const base = baseUrl(request, this.settings.publicUrl);
    const returnTo = parseReturnTo(queryOf(request));
    return this.orErrorPage(request, base, async () => {
      const replaces = presentedSessionId(request, base);
      const { url, state } = await oidc.begin(base + CALLBACK_PATH, returnTo, replaces);
      return JsonResponse.redirect(url.href, { 'set-cookie': signInCookie(base, state, this.box) });
    });
  }

  @Get('session/oidc/callback')
  @Public()
  @NegotiatesType()
  @TakesQuery()
  @ApiOperation({
    summary: 'Complete a sign-in: the OpenID provider sends the browser here',
    description: 'Register this URL at the provider as the redirect URI.',
    security: [],
  })
  @ApiQuery({
    name: 'code',
    required: false,
    description: 'From the provider, like `state`, `iss` and `error`.',
    schema: { type: 'string', example: 'SplxlOBeZQQYbYS6WxSbIA' },
  })
  @RedirectResponse(TO_PAGE)
  @ProviderUnavailable()
  @ApiErrors(400, 401, 403, 404, 409)
  async complete(@Req() request: Request): Promise<JsonResponse> {
    const oidc = this.configured();
    const base = baseUrl(request, this.settings.publicUrl);
    return this.orErrorPage(request, base, async () => {
      const state = readSignInState(request, base, this.box);
      if (!state) throw new SignInError('expired');
      const url = new URL(`${base}${CALLBACK_PATH}?${queryOf(request).toString()}`);
      const assertion = await oidc.complete(url, state);
      const { token, session } = await this.sessions.startWithOidc(assertion, state.replaces);
      return JsonResponse.redirect(base + state.returnTo, {
        'set-cookie': [startingCookie(base, token, session.expires_at), endSignInCookie(base)],
      });
    });
  }

  /** @throws InventoryError 404 */
  private configured(): OidcSignIn {
    if (!this.oidc) throw new InventoryError('not_found', 'This service does not use OpenID Connect.');
    return this.oidc;
  }

  /** Sends a browser to a page that explains the error. Programs get the error itself. */
  private async orErrorPage(
    request: Request,
    base: string,
    signIn: () => Promise<JsonResponse>,
  ): Promise<JsonResponse> {
    try {
      return await signIn();
    } catch (error) {
      if (!(error instanceof SignInError)) throw error;
      if (error.code === 'unauthenticated') authenticationFailed(request, 'failed sign-in');
      if (request.accepts(['json', 'html']) !== 'html') throw error;
      this.auditLog.logError(request, error);
      return JsonResponse.redirect(`${base}/sign-in?error=${error.failure}`);
    }
  }
}

/** @throws InventoryError 400 for a URL of another site */
function parseReturnTo(query: URLSearchParams): string {
  const returnTo = query.get('return_to') ?? '/';
  if (LOCAL_PATH.test(returnTo)) return returnTo;
  throw InventoryError.invalid(
    'return_to',
    'invalid_value',
    'must be a path of this service, such as /devices',
  );
}
