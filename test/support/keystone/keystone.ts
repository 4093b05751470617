import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Debian's, for which its Keystone is installed, whatever else is on the PATH. */
const PYTHON = '/usr/bin/python3';

/** What a token is asked for; nothing: an unscoped one. */
export type Scope =
  | { readonly project: { readonly id: string } }
  | { readonly domain: { readonly id: string } }
  | { readonly system: { readonly all: true } };

/** A user that the tests made, and its password. */
export interface KeystoneUser {
  readonly id: string;
  readonly name: string;
  readonly password: string;
}

type Json = Readonly<Record<string, unknown>>;

/** A real Keystone of the tests' own, and its administrator. It ends with the process that has started it. */
export class Keystone {
  private process: ChildProcessWithoutNullStreams | undefined;
  private ports: readonly [number, number] = [0, 0];
  private administrator = '';
  /** The ids of roles by their names. */
  private readonly roles = new Map<string, string>();

  private constructor(
    private readonly folder: string,
    private readonly adminPassword: string,
  ) {}

  static async begin(): Promise<Keystone> {
    const keystone = new Keystone(
      mkdtempSync(join(tmpdir(), 'muster-keystone-')),
      randomBytes(12).toString('hex'),
    );
    await keystone.start();
    keystone.administrator = await keystone.token(keystone.admin, { system: { all: true } });
    const { roles } = (await keystone.ask('GET', '/roles')) as { roles: { id: string; name: string }[] };
    for (const { id, name } of roles) keystone.roles.set(name, id);
    return keystone;
  }

  /** Without `/v3`. */
  get url(): string {
    return `http://127.0.0.1:${String(this.ports[0])}`;
  }

  /** Admin of the project `admin`, and of the whole system. */
  get admin(): { readonly name: string; readonly password: string } {
    return { name: 'admin', password: this.adminPassword };
  }

  /** Serves what it has kept, where it did before. */
  async start(): Promise<void> {
    const process = spawn(PYTHON, [join(__dirname, 'serve.py'), this.folder, ...this.ports.map(String)], {
      env: { ADMIN_PASSWORD: this.adminPassword, PYTHONDONTWRITEBYTECODE: '1' },
    });
    this.process = process;
    let said = '';
    process.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    const failed = once(process, 'close').then(() => {
      throw new Error(`Keystone did not start: ${said}`);
    });
    const [line] = (await Promise.race([once(createInterface(process.stdout), 'line'), failed])) as [string];
    failed.catch(() => undefined);
    this.ports = JSON.parse(line) as [number, number];
  }

  /** As a machine that fails: nothing is said to anybody. */
  async stop(): Promise<void> {
    const { process } = this;
    if (!process) return;
    this.process = undefined;
    const ended = once(process, 'close');
    process.kill('SIGKILL');
    await ended;
  }

  /** Takes what it is asked and does not answer, until it goes on. */
  hang(): void {
    this.process?.kill('SIGSTOP');
  }

  goOn(): void {
    this.process?.kill('SIGCONT');
  }

  async end(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** @param lasting two seconds, for a `short` one */
  async token(
    { name, password, domain = 'default' }: { name: string; password: string; domain?: string },
    scope?: Scope,
    lasting?: 'short',
  ): Promise<string> {
    const user = { name, password, domain: { id: domain } };
    return this.issue({ methods: ['password'], password: { user } }, scope ?? 'unscoped', lasting);
  }

  private async issue(identity: Json, scope?: Scope | Json | 'unscoped', lasting?: 'short'): Promise<string> {
    const port = this.ports[lasting === 'short' ? 1 : 0];
    const answer = await fetch(`http://127.0.0.1:${String(port)}/v3/auth/tokens?nocatalog`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ auth: { identity, ...(scope ? { scope } : {}) } }),
    });
    const token = answer.headers.get('x-subject-token');
    if (answer.status !== 201 || token === null)
      throw new Error(`no token: ${String(answer.status)} ${await answer.text()}`);
    return token;
  }

  async revoke(token: string): Promise<void> {
    await this.ask('DELETE', '/auth/tokens', undefined, { 'x-subject-token': token });
  }

  /** @returns its id, as Keystone writes it */
  project(name: string, domain = 'default'): Promise<string> {
    return this.make('project', { name, domain_id: domain });
  }

  /** The id of a project of the first domain. */
  async projectId(name: string): Promise<string> {
    const { projects } = (await this.ask('GET', `/projects?domain_id=default&name=${name}`)) as {
      projects: { id: string }[];
    };
    const [project] = projects;
    if (!project) throw new Error(`Keystone has no project ${name}`);
    return project.id;
  }

  domain(name: string): Promise<string> {
    return this.make('domain', { name });
  }

  async user(name: string, domain = 'default'): Promise<KeystoneUser> {
    const password = randomBytes(12).toString('hex');
    return { id: await this.make('user', { name, password, domain_id: domain }), name, password };
  }

  /** Gives a user roles in a project, a domain or the whole system; roles that there are not yet are made. */
  async grant({ id }: KeystoneUser, roles: readonly string[], where: Scope): Promise<void> {
    for (const role of roles)
      await this.ask('PUT', `/${targetOf(where)}/users/${id}/roles/${await this.role(role)}`);
  }

  async withdraw({ id }: KeystoneUser, role: string, where: Scope): Promise<void> {
    await this.ask('DELETE', `/${targetOf(where)}/users/${id}/roles/${await this.role(role)}`);
  }

  /** Alters a user: its name, its password, whether it is enabled. */
  async alter({ id }: KeystoneUser, members: Json): Promise<void> {
    await this.ask('PATCH', `/users/${id}`, { user: members });
  }

  async disableProject(id: string): Promise<void> {
    await this.ask('PATCH', `/projects/${id}`, { project: { enabled: false } });
  }

  /** A token for somebody with whom another shares a role in a project; it ends when the other has the role no more. */
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
    const made = (await this.ask(
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
   * A token by a credential that somebody makes for a program of his.
   * @param token his own
   * @param rules the paths for which alone it is
   */
  async programToken(user: KeystoneUser, token: string, rules?: readonly Json[]): Promise<string> {
    const wanted = { name: randomBytes(6).toString('hex'), ...(rules ? { access_rules: rules } : {}) };
    const made = (await this.ask(
      'POST',
      `/users/${user.id}/application_credentials`,
      { application_credential: wanted },
      { 'x-auth-token': token },
    )) as { application_credential: { id: string; secret: string } };
    const { id, secret } = made.application_credential;
    return this.issue({ methods: ['application_credential'], application_credential: { id, secret } });
  }

  /** Somebody new with roles in a project, and a token for it. */
  async somebody(
    name: string,
    roles: readonly string[],
    project: string,
  ): Promise<{ user: KeystoneUser; token: string }> {
    const user = await this.user(name);
    await this.grant(user, roles, { project: { id: project } });
    return { user, token: await this.token(user, { project: { id: project } }) };
  }

  private async role(name: string): Promise<string> {
    const id = this.roles.get(name) ?? (await this.make('role', { name }));
    this.roles.set(name, id);
    return id;
  }

  private async make(kind: string, members: Json): Promise<string> {
    const made = (await this.ask('POST', `/${kind}s`, { [kind]: members })) as Record<string, { id: string }>;
    const { id } = made[kind] ?? {};
    if (id === undefined) throw new Error(`Keystone made no ${kind}`);
    return id;
  }

  private async ask(
    method: string,
    path: string,
    body?: Json,
    headers: Record<string, string> = {},
  ): Promise<unknown> {
    const answer = await fetch(`${this.url}/v3${path}`, {
      method,
      headers: { 'x-auth-token': this.administrator, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${String(answer.status)} ${text}`);
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  }
}

function targetOf(where: Scope): string {
  if ('system' in where) return 'system';
  return 'project' in where ? `projects/${where.project.id}` : `domains/${where.domain.id}`;
}
