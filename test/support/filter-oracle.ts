import fc from './property-testing';
import { Client } from 'pg';
import type { VariablesOf } from './fleet';

/** A parsed `<path>:<value>` of the `vars` parameter. */
export interface Condition {
  readonly key: string;
  /** The path after the key, as in PostgreSQL's jsonpath. */
  readonly path: string;
  /** A JSON scalar, as text. */
  readonly value: string;
}

/** The filter text. A key that is not a plain identifier has double quotes. */
export const written = ({ key, path, value }: Condition): string =>
  `${/^\w+$/.test(key) ? key : JSON.stringify(key)}${path}:${value}`;

/** Filters over the keys and values of random fleets, and some that match nothing. */
export const conditions: fc.Arbitrary<Condition> = fc.record({
  key: fc.constantFrom('a', 'b', 'c', 'x-y', '__proto__', 'unknown'),
  path: fc.oneof(
    { weight: 3, arbitrary: fc.constant('') },
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        ...[
          '[*]',
          '[0]',
          '[1]',
          '[2]',
          '.p',
          '.q',
          '."x-y"',
          '.*',
          '.p[*]',
          '.p[0]',
          '.p.q',
          '.*.p',
          '.p.*',
          '[*].p',
        ],
        ...['[0].q', '.*.*', '.p[*].q', '."x-y".p', '.absent'],
      ),
    },
  ),
  value: fc.constantFrom(
    '1',
    '2',
    '1.0',
    '1.5',
    '15e-1',
    '"1"',
    '"one"',
    '""',
    'true',
    'false',
    'null',
    '"absent"',
  ),
});

/** The name of a resource, and its resolved variables. */
export type Resolved = readonly [string, VariablesOf];

/** Computes which resolved variables match, with PostgreSQL's lax jsonpath for the value. */
export class FilterOracle {
  private constructor(private readonly client: Client) {}

  static async on(databaseUrl: string): Promise<FilterOracle> {
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    return new FilterOracle(client);
  }

  /** The names of the resources that meet every condition, sorted. */
  async matching(resources: readonly Resolved[], all: readonly Condition[]): Promise<string[]> {
    let left = resources;
    for (const condition of all) left = await this.meeting(left, condition);
    return left.map(([name]) => name).sort();
  }

  private async meeting(
    resources: readonly Resolved[],
    { key, path, value }: Condition,
  ): Promise<Resolved[]> {
    const setting = resources.filter(([, variables]) => Object.hasOwn(variables, key));
    const { rows } = await this.client.query<{ matches: boolean }>(
      `SELECT jsonb_path_exists(value::jsonb, $2::jsonpath) AS matches
       FROM unnest($1::text[]) WITH ORDINALITY AS given (value, n) ORDER BY n`,
      [setting.map(([, variables]) => JSON.stringify(variables[key])), `lax $${path} ? (@ == ${value})`],
    );
    return setting.filter((_, i) => rows[i]?.matches === true);
  }

  async close(): Promise<void> {
    await this.client.end();
  }
}
