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

/** Whoever waits for a line. */
interface Waiting {
  readonly done: (line: string) => void;
  readonly failed: (error: Error) => void;
}

/** A real Keystone of the tests' own, and its administrator. It ends with the process that has started it. */
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
      env: { ADMIN_PASSWORD: adminPassword, PYTHONDONTWRITEBYTECODE: '1' },
    });
    let said = '';
    this.process.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    createInterface(this.process.stdout).on('line', (line) => this.waiting.shift()?.done(line));
    this.closed = once(this.process, 'close').then(() => {
      for (const { failed } of this.waiting.splice(0)) failed(new Error(`Keystone has ended: ${said}`));
    });
  }

  static async begin(): Promise<Keystone> {
    const keystone = new Keystone(
      mkdtempSync(join(tmpdir(), 'muster-keystone-')),
      randomBytes(12).toString('hex'),
    );
    keystone.ports = JSON.parse(await keystone.line()) as [number, number];
    keystone.administrator = await keystone.token(keystone.admin, { system: { all: true } });
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

  /** As where it is not started: nobody listens there. */
  async stop(): Promise<void> {
    this.process.stdin.write('away\n');
    await this.line();
  }

  /** Serves what it has kept, where it did before. */
  async start(): Promise<void> {
    this.process.stdin.write('back\n');
    await this.line();
  }

  /** Takes what it is asked and does not answer, until it goes on. */
  hang(): void {
    this.process.kill('SIGSTOP');
  }

  goOn(): void {
    this.process.kill('SIGCONT');
  }

  async end(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.closed;
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
    return this.made('project', name, domain);
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
    return this.made('domain', name);
  }

  async user(name: string, domain = 'default'): Promise<KeystoneUser> {
    const password = randomBytes(12).toString('hex');
    return { id: await this.made('user', name, password, domain), name, password };
  }

  /** A user for an instance of Muster, with nothing but what docs/identity.md says. */
  async serviceUser(name: string, where: Scope): Promise<KeystoneUser> {
    const user = await this.user(name);
    await this.grant(user, ['service'], where);
    return user;
  }

  /** Gives a user roles in a project, a domain or the whole system; roles that there are not yet are made. */
  async grant({ id }: KeystoneUser, roles: readonly string[], where: Scope): Promise<void> {
    for (const role of roles) await this.made('grant', id, role, placeOf(where));
  }

  async withdraw({ id }: KeystoneUser, role: string, where: Scope): Promise<void> {
    await this.ask('DELETE', `/${targetOf(where)}/users/${id}/roles/${await this.made('role', role)}`);
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

  /** Makes what serve.py knows by this name. @returns its id, where it has one */
  private async made(what: string, ...given: readonly unknown[]): Promise<string> {
    const answer = await fetch(`${this.url}/made`, {
      method: 'POST',
      body: JSON.stringify([what, ...given]),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`no ${what}: ${String(answer.status)} ${text}`);
    return String(JSON.parse(text));
  }

  private line(): Promise<string> {
    return new Promise((done, failed) => this.waiting.push({ done, failed }));
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
  const [[kind, id] = []] = Object.entries(placeOf(where));
  return kind === undefined ? 'system' : `${kind}s/${String(id)}`;
}

/** A place as serve.py has it: nothing is the whole system. */
function placeOf(where: Scope): Record<string, string> {
  if ('system' in where) return {};
  return 'project' in where ? { project: where.project.id } : { domain: where.domain.id };
}
