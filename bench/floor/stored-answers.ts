import type { Client } from 'pg';

/** A response of the service, in the pieces that the floor reads. Joined, they are the body. */
export interface StoredResponse {
  readonly path: string;
  readonly pieces: readonly string[];
}

/** The table that the floor reads from: unlogged and uncompressed, to be fast. */
const TABLE = [
  'CREATE SCHEMA IF NOT EXISTS bench_floor',
  'DROP TABLE IF EXISTS bench_floor.answers',
  `CREATE UNLOGGED TABLE bench_floor.answers (
    path text COLLATE "C" NOT NULL, ordinal integer NOT NULL, body text NOT NULL, PRIMARY KEY (path, ordinal))`,
  'ALTER TABLE bench_floor.answers ALTER COLUMN body SET STORAGE EXTERNAL',
];

/** Replaces the stored responses of the floor. */
export async function storeResponses(client: Client, answers: readonly StoredResponse[]): Promise<void> {
  for (const statement of TABLE) await client.query(statement);
  for (const { path, pieces } of answers) {
    for (let from = 0; from < pieces.length; from += 500) {
      await client.query(
        `INSERT INTO bench_floor.answers SELECT $1, $2::integer + ordinality, body
         FROM unnest($3::text[]) WITH ORDINALITY AS piece (body, ordinality)`,
        [path, from, pieces.slice(from, from + 500)],
      );
    }
  }
  await client.query('VACUUM ANALYZE bench_floor.answers');
}

/** Splits the JSON text of an array before each item except the first. Other texts are not split. */
export function piecesOf(json: string): string[] {
  if (!json.startsWith('[')) return [json];
  const pieces: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < json.length; at++) {
    const c = json[at];
    if (c === '"') at = endOfString(json, at);
    else if (c === '[' || c === '{') depth++;
    else if (c === ']' || c === '}') depth--;
    else if (c === ',' && depth === 1) {
      pieces.push(json.slice(from, at));
      from = at;
    }
  }
  pieces.push(json.slice(from));
  return pieces;
}

function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at;
}
