import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import { raw, sql } from '../../database/sql';
import { ttlCache } from '../../core/ttl-cache';

/** The columns of users that contain the id of each provider, and the authors of its changes. */
export const EXTERNAL_PROVIDERS = {
  keystone: { column: 'keystone_id', author: 'keystone', title: 'Keystone' },
  oidc: { column: 'oidc_subject', author: 'oidc', title: 'the OpenID provider' },
} as const;

/** A user of an identity provider, in a project. */
export interface ExternalUser {
  readonly provider: keyof typeof EXTERNAL_PROVIDERS;
  /** The user's id at the provider. */
  readonly id: string;
  /**
   * The candidate names: names in Muster are unique within a project, so the first free one is used. If there are none,
   * an existing user keeps its name.
   */
  readonly names: readonly string[];
  /** The name of a new user if there are no candidates. */
  readonly defaultName: string;
  readonly project: {
    readonly id: string;
    /** The candidate names of a project that is created; without them, the project exists. */
    readonly names?: readonly string[];
  };
}

/** A user of an identity provider that is registered in Muster. */
export interface RegisteredUser {
  readonly id: number;
  readonly username: string;
}

/** Creates the users of identity providers, and projects of Keystone, when they are first seen. */
export interface ExternalUserRegistrar {
  /** @throws InventoryError 409 if all candidate names are taken */
  register(newcomer: ExternalUser): Promise<RegisteredUser>;
}

/** The token of the `ExternalUserRegistrar`. It creates users, so it is above this folder: see `AppModule`. */
export const EXTERNAL_USER_REGISTRAR = Symbol('registrar of external users');

/** Whether a registered user has one of the names that the provider allows. */
export const hasCurrentName = ({ username }: RegisteredUser, { names }: ExternalUser): boolean =>
  names.length === 0 || names.includes(username);

/** A cache of the users of identity providers that are registered in Muster. */
@Injectable()
export class ExternalUsers {
  private readonly cache = ttlCache((key) => this.find(JSON.parse(key) as ExternalUser));
  private readonly registered = ttlCache((key) =>
    findExternalUser(this.database, JSON.parse(key) as ExternalUser),
  );

  constructor(
    private readonly database: Database,
    @Inject(EXTERNAL_USER_REGISTRAR) private readonly registrar: ExternalUserRegistrar,
  ) {}

  /** Finds a user, or registers it. @throws InventoryError 409, 503 */
  async findOrRegister(user: ExternalUser): Promise<RegisteredUser> {
    const found = await this.cache.fetch(JSON.stringify(user));
    if (!found) throw new Error('the registrar returned no user');
    return found;
  }

  /** Finds a user, whatever its name. @returns undefined if it is not registered */
  async findRegistered(user: ExternalUser): Promise<RegisteredUser | undefined> {
    return this.registered.fetch(JSON.stringify(user));
  }

  /** Called after changes of users. */
  invalidate(): void {
    this.cache.clear();
    this.registered.clear();
  }

  private async find(newcomer: ExternalUser): Promise<RegisteredUser> {
    const found = await findExternalUser(this.database, newcomer);
    if (found && hasCurrentName(found, newcomer)) return found;
    return this.registrar.register(newcomer);
  }
}

/** Finds a user by the id of its provider. */
export async function findExternalUser(
  on: Pick<Database, 'rows'>,
  { provider, id, project }: ExternalUser,
): Promise<RegisteredUser | undefined> {
  const [row] = await on.rows<RegisteredUser & Record<string, unknown>>(sql`
    SELECT id, username FROM users
    WHERE project_id = ${project.id} AND ${raw(EXTERNAL_PROVIDERS[provider].column)} = ${id}`);
  return row;
}
