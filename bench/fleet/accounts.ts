import type { Client } from 'pg';
import { projectMapping } from '../../src/accounts/project.entity';
import { userMapping } from '../../src/accounts/user.entity';
import { generateApiKey } from '../../src/auth/identity/api-key';
import type { Credentials } from '../run/service';
import { recordCreations } from './records';

const ADMIN = 'admin';
const ROOT = 'root';

/** Creates an empty project with an admin, and a root user in the first project. @returns its ID */
export async function makeProject(client: Client, name: string, withRoot: boolean): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO projects (name) VALUES ($1) RETURNING id`,
    [name],
  );
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('no project was created');
  for (const username of withRoot ? [ADMIN, ROOT] : [ADMIN])
    await client.query(
      `INSERT INTO users (project_id, username, is_admin, is_root) VALUES ($1, $2, true, $3)`,
      [id, username, username === ROOT],
    );
  await recordCreations(client, id, projectMapping, 1);
  await recordCreations(client, id, userMapping, 10);
  return id;
}

/** Creates an API key of a user for this run, because keys cannot be read again. */
async function createKey(client: Client, project: string, username: string): Promise<Credentials> {
  const { key, keyId, secretHash } = generateApiKey();
  const { rows } = await client.query<{ project_id: string }>(
    `INSERT INTO api_keys (project_id, user_id, key_id, secret_hash)
     SELECT u.project_id, u.id, $3, $4 FROM users u JOIN projects p ON p.id = u.project_id
     WHERE p.name = $1 AND u.username = $2 RETURNING project_id`,
    [project, username, keyId, secretHash],
  );
  if (!rows[0]) throw new Error(`the project ${project} has no user ${username}`);
  return { project: rows[0].project_id, user: username, token: key };
}

export const adminOf = (client: Client, project: string) => createKey(client, project, ADMIN);
export const rootOf = (client: Client, project: string) => createKey(client, project, ROOT);
