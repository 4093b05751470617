import type { DataSource } from 'typeorm';
import { TRIGRAM_INDEX } from './trigrams';

/** An index that a migration creates only if the database has the extensions that it needs. */
export interface OptionalIndex {
  readonly name: string;
  readonly extensions: readonly string[];
  /** After its name, in `CREATE INDEX`. A test compares it with the migration. */
  readonly definition: string;
  /** What is worse without it. */
  readonly without: string;
  /** The index that takes its place without the extensions. */
  readonly substitute?: string;
}

const BLOCKS = 'ON devices USING gin (project_id, (id / 4096), ';
const WITH = 'WITH (gin_pending_list_limit = 256)';

/** In the order in which they are created. */
const OPTIONAL_INDEXES: readonly OptionalIndex[] = [
  {
    name: 'devices_by_block',
    extensions: ['btree_gin'],
    definition: `${BLOCKS}variables jsonb_path_ops) ${WITH}`,
    without: 'filters by variables are slower',
    substitute: 'devices_by_variables',
  },
  {
    name: TRIGRAM_INDEX,
    extensions: ['btree_gin', 'pg_trgm'],
    definition: `${BLOCKS}fold_case(name) gin_trgm_ops) ${WITH}`,
    without: 'the search finds names by their beginning only',
  },
  {
    name: 'devices_by_nested_value',
    extensions: ['btree_gin'],
    definition: `${BLOCKS}jsonb_path_query_array(variables,
      'strict $.*.**{1 to last} ? (@.type() != "object" && @.type() != "array")', '{}', true) jsonb_path_ops) ${WITH}`,
    without: 'filters with wildcards are slower',
  },
];

/** The optional indexes that a database does not have, or whose creation was interrupted. */
export async function missingIndexes(dataSource: DataSource): Promise<OptionalIndex[]> {
  const rows = await dataSource.query<{ name: string }[]>(
    `SELECT name FROM unnest($1::text[]) AS t (name)
      WHERE EXISTS (SELECT FROM pg_index WHERE indexrelid = to_regclass(name) AND indisvalid)`,
    [OPTIONAL_INDEXES.map(({ name }) => name)],
  );
  const existing = new Set(rows.map(({ name }) => name));
  return OPTIONAL_INDEXES.filter(({ name }) => !existing.has(name));
}

/** Says what is worse without these indexes, and what to do; undefined if there are none. */
export function missingIndexesWarning(missing: readonly OptionalIndex[]): string | undefined {
  if (missing.length === 0) return undefined;
  const extensions = [...new Set(missing.flatMap((index) => index.extensions))].join(' and ');
  const effects = missing.map(({ without }) => without).join(', ');
  return `The database lacks indexes that need ${extensions}: ${effects}. Run "muster-admin indexes", which creates them or says what is missing.`;
}
