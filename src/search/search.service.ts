import { Injectable } from '@nestjs/common';
import { projectMapping } from '../accounts/project.entity';
import { ConcurrencyLimiter, sharesOf } from '../core/concurrency';
import type { RequestContext } from '../core/context/request-context';
import type { QueryParameters } from '../core/parameters';
import { Database } from '../database/database';
import type { Queryable } from '../database/queryable';
import { OptionalIndexes } from '../database/optional-indexes';
import { TRIGRAM_INDEX } from '../database/trigrams';
import { arrayParameter, join, raw, sql, type Sql } from '../database/sql';
import { anyDeviceMapping } from '../devices/device-kind';
import { ResourceReader } from '../resources/resource-reader';
import { identifierMatches, networkMatches, numberedChanges } from './identifier-matches';
import { MATCH_KINDS, type MatchKind, type Search } from './match-statement';
import { keyMatches, prefixMatches, substringMatches } from './name-matches';
import { partOwners, reasonMatches, valuePartMatches } from './part-matches';
import { parseSearchQuery, type SearchPart } from './search-query';
import { collections, VARIABLE_KEY } from './searched-kinds';
import { devicePath, deviceValueMatches, levelValueMatches, nestedValueMatches } from './value-matches';

interface NamedResource {
  readonly id: number;
  readonly name: string;
}

/** A resource, the key of a variable, or a change that matches. */
interface Hit {
  readonly kind: string;
  /** `null` for the key of a variable. */
  readonly id: number | string | null;
  readonly name: string;
  readonly region: NamedResource | null;
  readonly cell: NamedResource | null;
  readonly match: MatchKind;
  /** The member that matches. */
  readonly member: string;
  /** For a match of a value: the key of the variable. */
  readonly key: string | null;
  /** The text that matches, unless it is the name. */
  readonly matched: string | null;
}

type HitRow = Hit & Readonly<Record<string, unknown>>;

/** The result of a search. */
export interface SearchResult {
  /** The best first. */
  readonly hits: readonly (Hit & { readonly href: string })[];
  /** Whether names that contain the text were searched, too. */
  readonly substrings: boolean;
}

/** The maximum number of searches for parts of values that run at a time, per process. */
const MAX_CONCURRENT_SCANS = 4;

/** Searches resources of all kinds, variables and changes. */
@Injectable()
export class SearchService {
  /** Their statements read documents, which can be large. */
  private readonly scans = new ConcurrencyLimiter({
    maxConcurrent: MAX_CONCURRENT_SCANS,
    queue: { maxLength: 40, timeoutMs: 10_000 },
    message: 'Too many searches for parts of values are running. Try again.',
    retryAfterSeconds: 5,
    shares: { ...sharesOf(MAX_CONCURRENT_SCANS), callsName: 'searches for parts of values' },
  });

  constructor(
    private readonly database: Database,
    private readonly reader: ResourceReader,
    private readonly indexes: OptionalIndexes,
  ) {}

  /**
   * Searches one project for what the caller may see. It makes one statement, a second one for names that contain the text if
   * fewer hits than the limit match better, and a third one for values and reasons that contain it if nothing else matches.
   * @throws InventoryError 400 for a malformed query, 404 for a project that the caller cannot see, 503 if too many are running
   */
  async search(ctx: RequestContext, parameters: QueryParameters): Promise<SearchResult> {
    const query = parseSearchQuery(parameters);
    const { limit, networks, part, projectId: givenProject } = query;
    if (givenProject !== undefined) await this.reader.scopeOf(ctx, projectMapping, givenProject);
    const projectId = givenProject ?? ctx.projectId;
    const on = this.database.reader(ctx);
    const { blockIndex } = anyDeviceMapping;
    const inBlocks = blockIndex !== undefined && (await this.indexes.has(blockIndex, on));
    const substrings = query.hasTrigram && (await this.indexes.has(TRIGRAM_INDEX, on));
    const search: Search = { ctx, projectId, query, inBlocks };
    const indexed = [
      ...identifierMatches(search),
      ...prefixMatches(search),
      ...numberedChanges(search),
      ...networks.map((network) => networkMatches(search, network)),
      ...levelValueMatches(search),
      deviceValueMatches(search),
      ...nestedValueMatches(search),
      keyMatches(search),
    ];
    const hits = await on.rows<HitRow>(sql`WITH ${devicePath(search)} ${hitsOf(search, indexed)}`);
    if (substrings && hits.length < limit) {
      const found = new Set(hits.map(identityOf));
      const others = await on.rows<HitRow>(hitsOf(search, substringMatches(search)));
      hits.push(...others.filter((hit) => !found.has(identityOf(hit))).slice(0, limit - hits.length));
    }
    if (part && hits.length === 0) hits.push(...(await this.findParts(search, part, on)));
    return { hits: hits.map((hit) => ({ ...hit, href: hrefOf(search, hit) })), substrings };
  }

  private async findParts(search: Search, part: SearchPart, on: Queryable): Promise<HitRow[]> {
    const matches = [...valuePartMatches(search, part), ...reasonMatches(search, part)];
    return this.scans.run(
      () => on.rows<HitRow>(sql`WITH ${partOwners(search, part)} ${hitsOf(search, matches)}`),
      { caller: search.ctx },
    );
  }
}

const identityOf = ({ kind, id, name }: Hit): string => `${kind}/${String(id ?? name)}`;

function hrefOf({ ctx, projectId }: Search, { kind, id, name }: Hit): string {
  const collection = `${ctx.base}/v1/${collections.get(kind) ?? ''}`;
  return kind === VARIABLE_KEY
    ? `${collection}?key=${encodeURIComponent(name)}&project_id=${projectId}`
    : `${collection}/${String(id)}`;
}

/**
 * The best of several matches. Exact ones come first, and those of substrings last. Of the others, the first ones of each
 * kind and of each way to match come first, so that a frequent one does not hide the rest.
 */
function hitsOf({ projectId, query }: Search, matches: readonly Sql[]): Sql {
  const rank = sql`CASE m.match WHEN 'exact' THEN 0 WHEN 'substring' THEN 2 ELSE 1 END`;
  const positionIn = (names: readonly string[], column: Sql) =>
    sql`array_position(${arrayParameter(names)}::text[], ${column})`;
  const quality = positionIn(MATCH_KINDS, sql`m.match`);
  const level = (
    table: 'regions' | 'cells',
    id: Sql,
  ) => sql`CASE WHEN ${id} IS NOT NULL THEN json_build_object(
    'id', ${id}, 'name', (SELECT l.name FROM ${raw(table)} l WHERE l.project_id = ${projectId} AND l.id = ${id})) END`;
  return sql`SELECT h.kind, h.id, h.name, ${level('regions', sql`h.region_id`)} AS region,
      ${level('cells', sql`h.cell_id`)} AS cell, h.match, h.member, h.key, h.matched
    FROM (SELECT m.* FROM (
        SELECT DISTINCT ON (m.kind, m.id, m.name) m.* FROM (${join([...matches], ' UNION ALL ')}) m
        ORDER BY m.kind, m.id, m.name, ${quality}, m.position) m
      ORDER BY ${rank}, m.position, ${quality}, ${positionIn([...collections.keys()], sql`m.kind`)}, m.name LIMIT ${query.limit}) h`;
}
