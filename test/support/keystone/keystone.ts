import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Debian's Python, which has the Keystone packages. */
const PYTHON = '/usr/bin/python3';

/** The scope of a requested token. Without it, the token is unscoped. */
export type Scope =
  | { readonly project: { readonly id: string } }
  | { readonly domain: { readonly id: string } }
  | { readonly system: { readonly all: true } };

/** A user created by tests, and its password. */
export interface KeystoneUser {
  readonly id: string;
  readonly name: string;
  readonly password: string;
}

type Json = Readonly<Record<string, unknown>>;

/** A pending read of a line. */
interface Waiting {
  readonly resolve: (line: string) => void;
  readonly reject: (error: Error) => void;
}

/** A real Keystone for tests, and its administrator. It exits with the process that started it. */
export class Keystone {
  private readonly process: ChildProcessWithoutNullStreams;
  private readonly closed: Promise<unknown>;
  private readonly waiting: Waiting[] = [];
  private ports: readonly [number, number] = [0, 0];
  private administrator = '';

  private constructor(
    private readonly folder: string,
    private readonly adminPassword: string,
  ) {
    this.process = spawn(PYTHON, [join(__dirname, 'serve.py'), folder], {
      env: { ADMIN_PASSWORD: adminPassword },
    });
    let errorOutput = '';
    this.process.stderr.setEncoding('utf8').on('data', (text: string) => (errorOutput += text));
    createInterface(this.process.stdout).on('line', (line) => this.waiting.shift()?.resolve(line));
    this.closed = once(this.process, 'close').then(() => {
      for (const { reject } of this.waiting.splice(0))
        reject(new Error(`Keystone has ended: ${errorOutput}`));
    });
  }

  static async launch(): Promise<Keystone> {
    const keystone = new Keystone(
      mkdtempSync(join(tmpdir(), 'muster-keystone-')),
      randomBytes(12).toString('hex'),
    );
    keystone.ports = JSON.parse(await keystone.line()) as [number, number];
    keystone.administrator = await keystone.token(keystone.admin, { system: { all: true } });
    return keystone;
  }

  /** The base URL, without `/v3`. */
  get url(): string {
    return `http://127.0.0.1:${String(this.ports[0])}`;
  }

  /** Admin of the project `admin`, and of the whole system. */
  get admin(): { readonly name: string; readonly password: string } {
    return { name: 'admin', password: this.adminPassword };
  }

  /** Closes its ports. */
  async stop(): Promise<void> {
    this.process.stdin.write('away\n');
    await this.line();
  }

  /** Serves again, on the same ports and with the same data. */
  async start(): Promise<void> {
    this.process.stdin.write('back\n');
    await this.line();
  }

  /** Accepts requests but does not respond, until `resume`. */
  suspend(): void {
    this.process.kill('SIGSTOP');
  }

  resume(): void {
    this.process.kill('SIGCONT');
  }

  async end(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.closed;
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** @param lifetime `short` is two seconds */
  async token(
    { name, password, domain = 'default' }: { name: string; password: string; domain?: string },
    scope?: Scope,
    lifetime?: 'short',
  ): Promise<string> {
    const user = { name, password, domain: { id: domain } };
    return this.issue({ methods: ['password'], password: { user } }, scope ?? 'unscoped', lifetime);
  }

  private async issue(
    identity: Json,
    scope?: Scope | Json | 'unscoped',
    lifetime?: 'short',
  ): Promise<string> {
    const port = this.ports[lifetime === 'short' ? 1 : 0];
    const response = await fetch(`http://127.0.0.1:${String(port)}/v3/auth/tokens?nocatalog`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ auth: { identity, ...(scope ? { scope } : {}) } }),
    });
    const token = response.headers.get('x-subject-token');
    if (response.status !== 201 || token === null)
      throw new Error(`no token: ${String(response.status)} ${await response.text()}`);
    return token;
  }

  async revoke(token: string): Promise<void> {
    await this.send('DELETE', '/auth/tokens', undefined, { 'x-subject-token': token });
  }

  /** @returns its Keystone ID */
  project(name: string, domain = 'default'): Promise<string> {
    return this.create('project', name, domain);
  }

  /** The ID of a project of the default domain. */
  async projectId(name: string): Promise<string> {
    const { projects } = (await this.send('GET', `/projects?domain_id=default&name=${name}`)) as {
      projects: { id: string }[];
    };
    const [project] = projects;
    if (!project) throw new Error(`Keystone has no project ${name}`);
    return project.id;
  }

  domain(name: string): Promise<string> {
    return this.create('domain', name);
  }

  async user(name: string, domain = 'default'): Promise<KeystoneUser> {
    const password = randomBytes(12).toString('hex');
    return { id: await this.create('user', name, password, domain), name, password };
  }

  /** A user for an instance of Muster, with only the role that docs/identity.md requires. */
  async serviceUser(name: string, where: Scope): Promise<KeystoneUser> {
    const user = await this.user(name);
    await this.grant(user, ['service'], where);
    return user;
  }

  /** Grants roles in a project, a domain or the whole system, and creates missing roles. */
  async grant({ id }: KeystoneUser, roles: readonly string[], where: Scope): Promise<void> {
    for (const role of roles) await this.create('grant', id, role, placeOf(where));
  }

  async revokeRole({ id }: KeystoneUser, role: string, where: Scope): Promise<void> {
    await this.send('DELETE', `/${targetOf(where)}/users/${id}/roles/${await this.create('role', role)}`);
  }

  /** Updates a user's name, password or enabled flag. */
  async update({ id }: KeystoneUser, members: Json): Promise<void> {
    await this.send('PATCH', `/users/${id}`, { user: members });
  }

  async disableProject(id: string): Promise<void> {
    await this.send('PATCH', `/projects/${id}`, { project: { enabled: false } });
  }

  /** A token of a trust. It becomes invalid when the trustor loses the role. */
  async trustToken(
    trustor: { readonly user: KeystoneUser; readonly token: string; readonly project: string },
    { id, name, password }: KeystoneUser,
    role: string,
  ): Promise<string> {
    const trust = {
      trustor_user_id: trustor.user.id,
      trustee_user_id: id,
      project_id: trustor.project,
      impersonation: false,
      roles: [{ name: role }],
    };
    const made = (await this.send(
      'POST',
      '/OS-TRUST/trusts',
      { trust },
      { 'x-auth-token': trustor.token },
    )) as {
      trust: { id: string };
    };
    const user = { name, password, domain: { id: 'default' } };
    return this.issue(
      { methods: ['password'], password: { user } },
      { 'OS-TRUST:trust': { id: made.trust.id } },
    );
  }

  /**
   * A token by an application credential.
   * @param token the user's own token
   * @param rules the access rules of the credential
   */
  async programToken(user: KeystoneUser, token: string, rules?: readonly Json[]): Promise<string> {
    const wanted = { name: randomBytes(6).toString('hex'), ...(rules ? { access_rules: rules } : {}) };
    const made = (await this.send(
      'POST',
      `/users/${user.id}/application_credentials`,
      { application_credential: wanted },
      { 'x-auth-token': token },
    )) as { application_credential: { id: string; secret: string } };
    const { id, secret } = made.application_credential;
    return this.issue({ methods: ['application_credential'], application_credential: { id, secret } });
  }

  /** Creates a user with roles in a project, and a token for it. */
  async userWithToken(
    name: string,
    roles: readonly string[],
    project: string,
  ): Promise<{ user: KeystoneUser; token: string }> {
    const user = await this.user(name);
    await this.grant(user, roles, { project: { id: project } });
    return { user, token: await this.token(user, { project: { id: project } }) };
  }

  /** Creates an object with a function of serve.py. @returns its ID, if it has one */
  private async create(what: string, ...given: readonly unknown[]): Promise<string> {
    const response = await fetch(`${this.url}/create`, {
      method: 'POST',
      body: JSON.stringify([what, ...given]),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`no ${what}: ${String(response.status)} ${text}`);
    return String(JSON.parse(text));
  }

  private line(): Promise<string> {
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  }

  private async send(
    method: string,
    path: string,
    body?: Json,
    headers: Record<string, string> = {},
  ): Promise<unknown> {
    const response = await fetch(`${this.url}/v3${path}`, {
      method,
      headers: { 'x-auth-token': this.administrator, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${String(response.status)} ${text}`);
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  }
}

function targetOf(where: Scope): string {
  const [[kind, id] = []] = Object.entries(placeOf(where));
  return kind === undefined ? 'system' : `${kind}s/${String(id)}`;
}

/** A scope in the format of serve.py. An empty object is the whole system. */
function placeOf(where: Scope): Record<string, string> {
  if ('system' in where) return {};
  return 'project' in where ? { project: where.project.id } : { domain: where.domain.id };
}
