import { Agent, request } from 'undici';
import type { OpenIdProvider } from './openid-provider';

/** A response that a browser has received. */
export interface PageResponse {
  readonly url: URL;
  readonly status: number;
  readonly location: URL | undefined;
  readonly text: string;
}

/** The browser of a user of an OpenID provider: it keeps cookies, and submits the provider's forms. */
export class OpenIdUser {
  private readonly cookies = new Map<string, Map<string, string>>();
  private readonly connections: Agent;

  constructor(
    provider: OpenIdProvider,
    /** The subject. The provider accepts any password. */
    readonly subject: string,
  ) {
    this.connections = new Agent({ connect: { ca: provider.ca }, keepAliveTimeout: 1 });
  }

  /** The cookies for an origin, as a header. */
  cookieOf(origin: string): string {
    return [...(this.cookies.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /**
   * Opens a page and follows redirects. It signs in and consents at the provider's forms.
   * @param stopBefore ends before a URL whose path begins with this is opened
   */
  async open(url: string | URL, stopBefore?: string): Promise<PageResponse> {
    let response = await this.send(new URL(url));
    for (let steps = 0; steps < 20; steps++) {
      const { location, text } = response;
      const form = /<form[^>]* action="([^"]+)"/.exec(text)?.[1];
      if (location) {
        if (stopBefore !== undefined && location.pathname.startsWith(stopBefore)) return response;
        response = await this.send(location);
      } else if (form !== undefined) response = await this.submit(new URL(form, response.url), text);
      else return response;
    }
    throw new Error(`too many redirects: ${response.url.href}`);
  }

  /** Submits a form with its hidden fields, and the user's name and password. */
  private submit(action: URL, page: string): Promise<PageResponse> {
    const fields = new URLSearchParams();
    for (const [, name = '', value = ''] of page.matchAll(
      /<input type="hidden" name="([^"]+)" value="([^"]*)"/g,
    ))
      fields.set(name, value);
    const code = /value="([^"]+)"[^>]* name="user_code"/.exec(page)?.[1];
    if (code !== undefined) fields.set('user_code', code);
    if (page.includes('name="login"')) {
      fields.set('login', this.subject);
      fields.set('password', 'any');
    }
    return this.send(action, fields);
  }

  /** Sends one request. @param fields the fields of a form */
  async send(url: URL, fields?: URLSearchParams): Promise<PageResponse> {
    const { statusCode, headers, body } = await request(url, {
      dispatcher: this.connections,
      method: fields ? 'POST' : 'GET',
      headers: {
        accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
        cookie: this.cookieOf(url.origin),
        ...(fields ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      },
      body: fields?.toString() ?? null,
    });
    this.store(url.origin, [headers['set-cookie'] ?? []].flat());
    const { location } = headers;
    return {
      url,
      status: statusCode,
      location: typeof location === 'string' ? new URL(location, url) : undefined,
      text: await body.text(),
    };
  }

  private store(origin: string, lines: readonly string[]): void {
    const cookies = this.cookies.get(origin) ?? new Map<string, string>();
    this.cookies.set(origin, cookies);
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /;\s*max-age=0(;|$)/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
  }
}
