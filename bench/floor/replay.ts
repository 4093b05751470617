import { createHash } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { addressOf, type Script, type Template } from './script';

/** Leaves values as the text that PostgreSQL sends. */
const AS_TEXT = { getTypeParser: () => (value: string) => value };

/** A statement to replay. */
type Playable = Script['statements'][number] & { readonly name: string | undefined };
type Playables = Omit<Script, 'statements'> & { readonly statements: readonly Playable[] };

/**
 * A statement affected other rows than when it was recorded: it waited for a concurrent write of the same row. The service
 * would go on with further statements.
 */
class OtherOutcome extends Error {}

/** Replays recorded requests. */
export class Replay {
  private readonly scripts = new Map<string, Promise<Playables>>();

  constructor(private readonly pool: Pool) {}

  /** Runs the statements of a request on one connection, with a new marker: again after a concurrent write. */
  async play(request: string, marker: string): Promise<{ status: number; body: string }> {
    const script = await this.script(request);
    const client = await this.pool.connect();
    try {
      for (;;) {
        try {
          return await playOn(client, script, marker);
        } catch (error) {
          if (!(error instanceof OtherOutcome)) throw error;
          await client.query('ROLLBACK');
        }
      }
    } finally {
      client.release();
    }
  }

  private script(request: string): Promise<Playables> {
    const known = this.scripts.get(request);
    if (known) return known;
    const read = this.read(request);
    this.scripts.set(request, read);
    return read;
  }

  private async read(request: string): Promise<Playables> {
    const { rows } = await this.pool.query<{ script: Script }>(
      'SELECT script FROM bench_floor.scripts WHERE request = $1',
      [request],
    );
    const script = rows[0]?.script;
    if (!script) throw new Error(`nothing was recorded for ${request}`);
    const statements = script.statements.map((statement) => ({
      ...statement,
      name: statement.prepared
        ? createHash('sha256').update(statement.text).digest('base64').slice(0, 20)
        : undefined,
    }));
    return { ...script, statements };
  }
}

async function playOn(
  client: PoolClient,
  { statements, status, answer }: Playables,
  marker: string,
): Promise<{ status: number; body: string }> {
  const rows: (readonly string[] | undefined)[] = [];
  const fill = (template: Template) => filled(template, marker, rows);
  for (const statement of statements) rows.push(await run(client, statement, fill));
  return { status, body: fill(answer) };
}

/** @returns the first row @throws OtherOutcome */
async function run(
  client: PoolClient,
  { text, values, name, outcome }: Playable,
  fill: (template: Template) => string,
): Promise<readonly string[] | undefined> {
  const result = await client.query<string[]>({
    ...(name === undefined ? {} : { name }),
    text,
    values: values.map((value) => {
      if (value === null) return null;
      return 'binary' in value ? Buffer.from(value.binary, 'base64') : fill(value);
    }),
    rowMode: 'array',
    types: AS_TEXT,
  });
  const expected = /\d+$/.exec(outcome)?.[0];
  if (expected !== undefined && Number(expected) !== result.rowCount)
    throw new OtherOutcome(`"${text}" affected ${String(result.rowCount)} rows instead of ${outcome}`);
  return result.rows[0];
}

function filled(
  template: Template,
  marker: string,
  rows: readonly (readonly string[] | undefined)[],
): string {
  let text = '';
  for (const piece of template) {
    if (typeof piece === 'string') text += piece;
    else if ('marker' in piece) text += marker;
    else if ('address' in piece) text += addressOf(marker);
    else text += rows[piece.statement]?.[piece.column] ?? '';
  }
  return text;
}
