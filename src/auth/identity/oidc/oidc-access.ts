import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Principal } from '../../../core/context/request-context';
import { parseUuid } from '../../../core/parameters';
import { Database } from '../../../database/database';
import { arrayParameter, sql } from '../../../database/sql';
import type { OidcAssertion, OidcSession } from '../../../http/request-state';
import { ttlCache } from '../../../core/ttl-cache';
import { ExternalUsers, type ExternalUser, type RegisteredUser } from '../external-users';
import { parseUser, type Claims, grantedPermissions, isFromIssuer } from './oidc-claims';
import { OIDC_SETTINGS, type OidcSettings } from './oidc-settings';

/** This value of the claim stands for every user of the provider. */
const EVERYONE = '*';

interface FoundProject {
  readonly id: string;
  readonly name: string;
}

/** Maps the claims of a user to projects and roles. */
@Injectable()
export class OidcAccess {
  private readonly log = new Logger('OpenID Connect');
  private readonly projects = ttlCache((names) => this.findProjects(JSON.parse(names) as string[]));

  constructor(
    private readonly users: ExternalUsers,
    private readonly database: Database,
    @Inject(OIDC_SETTINGS) private readonly settings: OidcSettings,
  ) {}

  /**
   * What the claims grant. The projects are ordered by name.
   * @returns undefined if the claims do not identify a user
   */
  async assertionOf(claims: Claims): Promise<OidcSession | undefined> {
    const user = parseUser(claims, this.settings);
    return user && { ...user, grants: await this.grantsOf(user.values) };
  }

  /**
   * What the assertion of an earlier sign-in grants now.
   * @returns undefined if it comes from another provider than the configured one
   */
  async grantedNow({ subject, names, values }: OidcAssertion): Promise<OidcSession | undefined> {
    const assertion = { subject, names, values };
    if (!isFromIssuer(assertion, this.settings.issuer)) return undefined;
    return { ...assertion, grants: await this.grantsOf(values) };
  }

  /** The user in one of the granted projects. It is registered if it is new. @throws InventoryError 409, 503 */
  async principalIn(projectId: string, session: OidcSession): Promise<Principal> {
    return principalOf(await this.users.findOrRegister(userIn(projectId, session)), projectId, session);
  }

  /** The same, of a registered user. @returns undefined if it is not registered in the project, or was deleted there */
  async registeredPrincipalIn(projectId: string, session: OidcSession): Promise<Principal | undefined> {
    const found = await this.users.findRegistered(userIn(projectId, session));
    return found && principalOf(found, projectId, session);
  }

  private async grantsOf(values: readonly string[]): Promise<OidcSession['grants']> {
    const granted = new Map<string, Set<string>>();
    for (const value of new Set([EVERYONE, ...values]))
      for (const [project, roles] of Object.entries(this.settings.roles.get(value) ?? {}))
        granted.set(project, new Set([...(granted.get(project) ?? []), ...roles]));
    const found = (await this.projects.fetch(JSON.stringify([...granted.keys()]))) ?? [];
    return Object.fromEntries(
      found.map(({ id, name }) => [
        id,
        [
          ...new Set(
            [...granted].flatMap(([key, roles]) => (key === name || parseUuid(key) === id ? [...roles] : [])),
          ),
        ],
      ]),
    );
  }

  /** @param keys names or ids */
  private async findProjects(keys: readonly string[]): Promise<readonly FoundProject[]> {
    const ids = keys.flatMap((key) => parseUuid(key) ?? []);
    const found = await this.database.rows<FoundProject & Record<string, unknown>>(sql`
      SELECT id, name FROM projects
      WHERE name = ANY(${arrayParameter(keys)}::text[]) OR id = ANY(${arrayParameter(ids)}::uuid[]) ORDER BY name`);
    const missing = keys.filter(
      (key) => !found.some(({ id, name }) => key === name || parseUuid(key) === id),
    );
    if (missing.length > 0)
      this.log.warn(`OIDC_ROLES names projects that do not exist: ${missing.join(', ')}.`);
    return found;
  }
}

const userIn = (projectId: string, { subject, names }: OidcAssertion): ExternalUser => ({
  provider: 'oidc',
  id: subject,
  names,
  // Without the issuer, which contains no space.
  defaultName: subject.slice(subject.indexOf(' ') + 1),
  project: { id: projectId },
});

const principalOf = (
  { id: userId, username }: RegisteredUser,
  projectId: string,
  { grants }: OidcSession,
): Principal => ({ userId, username, homeProjectId: projectId, ...grantedPermissions(grants, projectId) });
