import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Principal } from '../../../core/context/request-context';
import { parseUuid } from '../../../core/parameters';
import { Database } from '../../../database/database';
import { arrayParameter, sql } from '../../../database/sql';
import type { OidcSession } from '../../../http/request-state';
import { ttlCache } from '../../loaders';
import { ExternalUsers } from '../external-users';
import { parseUser, type Claims, grantedPermissions } from './oidc-claims';
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
    return user && { subject: user.subject, names: user.names, grants: await this.grantsOf(user.values) };
  }

  /** The user in one of the granted projects. It is registered if it is new. @throws InventoryError 409, 503 */
  async principalIn(projectId: string, { subject, names, grants }: OidcSession): Promise<Principal> {
    const { id: userId, username } = await this.users.findOrRegister({
      provider: 'oidc',
      id: subject,
      names,
      // Without the issuer, which contains no space.
      defaultName: subject.slice(subject.indexOf(' ') + 1),
      project: { id: projectId },
    });
    return { userId, username, homeProjectId: projectId, ...grantedPermissions(grants, projectId) };
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
