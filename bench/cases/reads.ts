import { piecesOf, storeAnswers, type StoredAnswer } from '../floor/stored-answers';
import type { Sides } from '../run/case';
import { withClient } from '../run/database';
import type { Side } from '../run/load';
import { headersOf, type Credentials } from '../run/service';
import type { Stage } from '../run/stage';

/** An inventory in a database, and somebody who may ask for it. */
export interface Inventory {
  readonly databaseUrl: string;
  readonly credentials: Credentials;
}

/** The service on an inventory, asked for these paths. */
export async function asked(stage: Stage, inventory: Inventory, paths: readonly string[]): Promise<Side> {
  const { url, pid } = await stage.service(inventory.databaseUrl);
  return {
    url,
    pid,
    headers: headersOf(inventory.credentials),
    requests: paths.map((path) => ({ path })),
  };
}

/** The service, asked for these paths, and the floor that gives the same bytes. */
export async function reads(
  stage: Stage,
  inventory: Inventory,
  floorKind: 'http' | 'express',
  paths: readonly string[],
): Promise<Sides> {
  const service = await asked(stage, inventory, paths);
  const answers: StoredAnswer[] = [];
  for (const path of paths) answers.push({ path, pieces: piecesOf(await answerOf(service, path)) });
  await withClient(inventory.databaseUrl, (client) => storeAnswers(client, answers));
  const { url, pid } = await stage.floor(floorKind, inventory.databaseUrl);
  const floor = { ...service, url, pid };
  for (const { path, pieces } of answers.slice(0, 3)) {
    if ((await answerOf(floor, path)) !== pieces.join(''))
      throw new Error(`the floor answers ${path} otherwise than the service`);
  }
  return { service, floor };
}

/** The text that a side answers. @throws Error if it is not answered with 200 */
export async function answerOf({ url, headers }: Side, path: string): Promise<string> {
  const response = await fetch(url + path, { headers });
  const text = await response.text();
  if (response.status === 200) return text;
  throw new Error(`${path} was answered with ${String(response.status)}: ${text.slice(0, 500)}`);
}
