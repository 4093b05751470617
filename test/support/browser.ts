import { sendRaw, authHeaders, type HttpResponse } from './http-exchange';
import type { Caller } from './caller';

/** The headers of a request from a page of the service. */
const SAME_ORIGIN = { 'Sec-Fetch-Site': 'same-origin' };

/** The headers that have a value. */
const present = (headers: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

/** A browser with the cookie of a session. */
export class Browser {
  private readonly cookies = new Map<string, string>();
  /** The project of the session, as a page that shows it knows it; undefined until a response says it. */
  private project: string | undefined;

  /** @param cookie the cookies that it has, as a header */
  constructor(
    readonly url: string,
    cookie = '',
  ) {
    for (const pair of cookie.split('; ')) {
      const [name = '', value] = pair.split('=');
      if (value !== undefined) this.cookies.set(name, value);
    }
  }

  /** Signs in with an API key. */
  static async signIn({ url, credentials }: Caller): Promise<Browser> {
    const browser = new Browser(url);
    const response = await browser.send('POST', '/v1/session', undefined, authHeaders(credentials));
    if (response.status !== 201) throw new Error(`${String(response.status)} ${response.text}`);
    return browser;
  }

  /** The same session at another process of the service. */
  at(url: string): Browser {
    const browser = new Browser(url, this.cookie);
    browser.project = this.project;
    return browser;
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<HttpResponse> {
    return this.send('GET', path, undefined, headers);
  }

  /** Sends a request from a page of the service. A write names the project of the session, unless `headers` have another value. */
  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string | undefined>> = SAME_ORIGIN,
  ): Promise<HttpResponse> {
    const response = await sendRaw(new URL(path, this.url).href, {
      method,
      headers: present({
        ...(this.cookies.size === 0 ? {} : { Cookie: this.cookie }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(method === 'GET' || this.project === undefined ? {} : { 'X-Auth-Project': this.project }),
        ...headers,
      }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    this.store(response);
    if (path === '/v1/session' && response.status < 300)
      this.project = (
        response.body as { readonly project?: { readonly id: string } } | undefined
      )?.project?.id;
    return response;
  }

  private store({ headers }: HttpResponse): void {
    const [, name, value, attributes] = /^([^=]+)=([^;]*)(.*)$/.exec(headers['set-cookie'] ?? '') ?? [];
    if (name === undefined || value === undefined) return;
    if (/; Max-Age=0(;|$)/.test(attributes ?? '')) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
