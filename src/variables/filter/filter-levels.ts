import type { ProjectScope } from '../../core/context/request-context';
import type { Queryable } from '../../database/database';
import { NO_VALUE_HASH, valueHash } from '../../database/resource-sql';
import { arrayParameter, join, opaqueArray, raw, sql } from '../../database/sql';
import { constant, readKeyLevels, type KeyLevel, type KeyLevels, type LevelKind } from '../key-levels';
import { meetsTest, testColumns, toJsonPath } from './document-test';
import { estimateOwners, hasScalarsOnly } from './own-values';
import {
  expectedWholeValue,
  isIndexable,
  isWholeValue,
  matchesUnset,
  type VariableFilter,
} from './variable-filter';

/** A region, cell or label that sets the key of a filter. The value tells whether it matches. */
export type FilterLevel = KeyLevel<boolean>;

/** Where the key of a filter is set. `own` has the projects in which listed resources have own values of it. */
export interface FilterLevels extends KeyLevels<FilterLevel, string> {
  readonly filter: VariableFilter;
  /** Whether a resource matches of which no level sets the key. */
  readonly matchesUnset: boolean;
  /** Whether all own values were scalars when the levels were read. Not known of several kinds. */
  readonly hasScalarsOnly: boolean;
  /** Whether few resources have own values. Known only of filters that the index of documents cannot answer, and of one kind. */
  readonly isRareKey: boolean;
  /** About how many resources have the own value of an equality. Known only of one of several filters, of one kind in one project. */
  readonly estimatedOwners: number | undefined;
}

/** The own values of a key in a project. */
interface OwnValues {
  readonly project: string;
  readonly hasScalarsOnly: boolean;
  readonly isRareKey: boolean;
  readonly estimatedOwners: number | null;
}

/** Up to this many resources that set a key are read one by one, which takes a few milliseconds. */
const MAX_RARE_KEY_OWNERS = 4096;

/** What a filter compares: a part of a value, a whole value, or whether there is one. */
function comparisonOf(filter: VariableFilter): 'part' | 'whole' | 'exists' | 'missing' {
  if (!isWholeValue(filter)) return 'part';
  const { operator } = filter.predicate;
  return operator === 'exists' || operator === 'missing' ? operator : 'whole';
}

/**
 * A document with the value that has the hash of `v`. NULL if it is not stored as a text or a number, or if several values have
 * this hash.
 */
const STORED_DOCUMENT = sql`(SELECT CASE WHEN count(*) = count(w.value) AND count(DISTINCT w.value) = 1
      THEN jsonb_build_object(k.key, (array_agg(w.value))[1]) END
    FROM (SELECT COALESCE(to_jsonb(w.text), to_jsonb(w.number)) AS value FROM variable_values w
      WHERE w.project_id = k.project_id AND w.key = k.key AND w.value_hash = v.value_hash) w)`;

/**
 * Reads, with one query, the regions, cells and labels that set the keys of filters, and whether they match. A document is
 * read only if the hash of its value does not tell: documents can be large, and the stored values are not.
 * @param kind the kind of the listed resources; undefined: several kinds, each of which can have own values of any key
 * @param kinds the kinds of levels that they inherit from
 */
export async function readFilterLevels(
  on: Queryable,
  filters: readonly VariableFilter[],
  kind: string | undefined,
  kinds: readonly LevelKind[],
  scope: ProjectScope,
): Promise<FilterLevels[]> {
  const projects =
    scope === 'every project'
      ? sql`(SELECT id AS project_id FROM projects) AS p`
      : sql`(SELECT ${scope.project}::uuid AS project_id) AS p`;
  const keys = opaqueArray(
    filters.map(({ key }) => key),
    'text',
  );
  // Null if a hash cannot tell that a value does not match.
  const values = opaqueArray(
    filters.map((filter) => expectedWholeValue(filter) ?? null),
    'jsonb',
  );
  const { arrays, names } = testColumns(filters);
  const compared = opaqueArray(filters.map(comparisonOf), 'text');
  const wanted = sql`(SELECT f.*, CASE WHEN f.value IS NOT NULL THEN ${valueHash(sql`f.key`, sql`f.value`)} END AS hash
    FROM unnest(${join([keys, values, compared, ...arrays])}) WITH ORDINALITY AS f (key, value, compared, ${names}, n) OFFSET 0) f`;
  // Two index lookups for each project. ORDER BY forces the use of the index: without it, the planner can choose a
  // sequential scan in the hope of an early match, and reads the whole table if there is none.
  const hasOwn =
    kind === undefined
      ? sql``
      : sql`CROSS JOIN LATERAL (SELECT FROM variable_correlations v WHERE v.project_id = k.project_id AND v.key = k.key
          AND v.object_type = ${constant(kind)} ORDER BY v.object_id LIMIT 1) AS found`;
  const areScalars =
    kind === undefined ? sql`false` : hasScalarsOnly(sql`k.key`, { project: sql`k.project_id`, kind });
  const isRareKey =
    kind === undefined || filters.every(isIndexable)
      ? sql`false`
      : sql`(SELECT true FROM variable_correlations v WHERE v.project_id = k.project_id AND v.key = k.key
          AND v.object_type = ${constant(kind)} ORDER BY v.object_id LIMIT 1 OFFSET ${raw(String(MAX_RARE_KEY_OWNERS))}) IS NULL`;
  // A single equality is read in the order of ids, however many match, and so is a list of every project.
  const estimatedOwners =
    kind === undefined || filters.length === 1 || scope === 'every project'
      ? sql`NULL`
      : sql`CASE WHEN k.hash IS NOT NULL THEN ${estimateOwners(sql`k.key`, sql`k.hash`, { project: sql`k.project_id`, kind })} END`;
  const found = await readKeyLevels<VariableFilter, boolean, OwnValues>(on, filters, {
    keys: sql`(SELECT f.*, p.project_id FROM ${wanted} CROSS JOIN ${projects}) k`,
    kinds,
    test: {
      known: sql`CASE k.compared WHEN 'part' THEN NULL WHEN 'exists' THEN true WHEN 'missing' THEN false
        ELSE CASE WHEN v.value_hash <> ${NO_VALUE_HASH} AND v.value_hash <> k.hash THEN false END END`,
      hash: sql`k.hash`,
      stored: sql`CASE WHEN k.compared = 'whole' AND v.value_hash <> ${NO_VALUE_HASH} THEN ${STORED_DOCUMENT} END`,
      // The shorter text takes PostgreSQL half of the time.
      meets: filters.every((filter) => toJsonPath(filter) !== undefined)
        ? (document) => sql`${document} @? k.required`
        : (document) =>
            sql`(SELECT ${meetsTest(sql`d.document`, 'k')} FROM (SELECT ${document} AS document OFFSET 0) d)`,
      // Behind a level that does not match, everything that does not set the key can match.
      keepsFalseOf: sql`${arrayParameter(filters.flatMap((filter, i) => (matchesUnset(filter) ? [i + 1] : [])))}::bigint[]`,
    },
    own: {
      value: sql`json_build_object('project', k.project_id, 'hasScalarsOnly', ${areScalars}, 'isRareKey', ${isRareKey},
        'estimatedOwners', ${estimatedOwners})`,
      joined: hasOwn,
    },
  });
  return found.map(({ of: filter, own, ...levels }) => ({
    ...levels,
    filter,
    own: own.map(({ project }) => project),
    matchesUnset: matchesUnset(filter),
    hasScalarsOnly: own.every((one) => one.hasScalarsOnly),
    isRareKey: own.every((one) => one.isRareKey),
    estimatedOwners: own.length === 1 ? (own[0]?.estimatedOwners ?? undefined) : undefined,
  }));
}
