import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { membersOf } from '../core/json/json-document';
import { Measurements } from '../core/app-metrics';
import type { Queryable } from '../database/database';
import { join, list, raw, sql, type Sql } from '../database/sql';
import {
  inheritedFrom,
  levelsOf,
  type Inherited,
  type LevelKind,
  type LevelMembers,
  type LevelReference,
  type Subject,
} from './levels';

/** A level as it was read, and the stamp that it had. */
interface KnownLevel {
  readonly stamp: string;
  readonly level: LevelMembers;
  /** In characters. */
  readonly size: number;
}

/** What levels give together, as long as they are these. */
interface KnownCombination {
  readonly levels: readonly LevelMembers[];
  readonly inherited: Inherited;
}

interface LevelRow {
  [column: string]: unknown;
  readonly kind: LevelKind;
  readonly project_id: string;
  readonly id: number;
  readonly name: string;
  readonly stamp: string;
  /** Null where the stamp is still the known one. */
  readonly variables: string | null;
}

/** In characters of documents. */
const MOST_OF_LEVELS = 8 * 1024 * 1024;
const MOST_OF_COMBINATIONS = 16 * 1024 * 1024;

/** Each takes some room, however short its text is. */
const ROOM = 200;

/** The labels of what is counted. */
const KNOWN = { document: 'known' };
const READ = { document: 'read' };

const TABLES = { region: 'regions', cell: 'cells', label: 'labels' } as const;

/**
 * SQL for the stamp of a level's row: what has the same stamp has the same name and the same variables. The version
 * tells; the time, too, for a database that was put back to an earlier state and went on from there.
 */
export const stampOf = (row: string): string =>
  `(${row}.version || ' ' || date_part('epoch', COALESCE(${row}.updated_at, ${row}.created_at)))`;

/**
 * The documents of levels, split, from one request to the next. The database is asked for them each time, but sends
 * only those that have another stamp than the known one: what anybody has changed is seen at once. Only of what is
 * committed: what a transaction has written and may take back bears stamps, too.
 */
@Injectable()
export class KnownLevels {
  private readonly levels = new LRUCache<string, KnownLevel>({
    maxSize: MOST_OF_LEVELS,
    sizeCalculation: ({ size }) => size + ROOM,
  });
  private readonly combinations = new LRUCache<string, KnownCombination>({
    maxSize: MOST_OF_COMBINATIONS,
    sizeCalculation: ({ inherited }) => inherited.text.length + ROOM,
  });

  constructor(private readonly measurements: Measurements) {}

  /** The levels that subjects inherit from. One query, or none, if subjects bring stamps and all are known. */
  async of(subjects: readonly Subject[], on: Queryable): Promise<LevelMembers[]> {
    const levels: LevelMembers[] = [];
    const unsure: (LevelReference & { readonly known: KnownLevel | undefined })[] = [];
    for (const reference of levelsOf(subjects)) {
      const known = this.levels.get(keyOf(reference));
      if (known && known.stamp === reference.stamp) levels.push(known.level);
      else unsure.push({ ...reference, known });
    }
    if (levels.length > 0) this.measurements.levels.inc(KNOWN, levels.length);
    if (unsure.length === 0) return levels;
    // Held until the answer is there, whatever is forgotten meanwhile.
    const held = new Map(unsure.map((reference) => [keyOf(reference), reference.known]));
    const stamped = unsure.map(({ known, ...reference }) => ({ ...reference, stamp: known?.stamp }));
    for (const row of await on.rows<LevelRow>(levelsStatement(stamped))) {
      const key = keyOf({ projectId: row.project_id, kind: row.kind, id: row.id });
      this.measurements.levels.inc(row.variables === null ? KNOWN : READ);
      levels.push(row.variables === null ? heldLevel(held.get(key)) : this.learn(key, row, row.variables));
    }
    return levels;
  }

  /** What levels give together, broadest first. */
  inherited(levels: readonly LevelMembers[]): Inherited {
    const key = levels.map(({ kind, id }) => `${kind} ${String(id)}`).join();
    const known = this.combinations.get(key);
    if (known && known.levels.every((level, i) => level === levels[i])) return known.inherited;
    const inherited = inheritedFrom(levels);
    this.combinations.set(key, { levels, inherited });
    return inherited;
  }

  private learn(key: string, { kind, id, name, stamp }: LevelRow, variables: string): LevelMembers {
    const known = this.levels.get(key);
    // Another request was faster.
    if (known?.stamp === stamp) return known.level;
    const level = { kind, id, name, members: membersOf(variables) };
    this.levels.set(key, { stamp, level, size: variables.length });
    return level;
  }
}

function heldLevel(known: KnownLevel | undefined): LevelMembers {
  if (known) return known.level;
  throw new Error('the database holds a level for known that is not');
}

const keyOf = ({ projectId, kind, id }: LevelReference): string => `${projectId} ${kind} ${String(id)}`;

/** Levels by their ids, with their documents where their stamps are not the known ones. */
function levelsStatement(references: readonly LevelReference[]): Sql {
  const arms = (Object.keys(TABLES) as LevelKind[]).flatMap((kind) => {
    const asked = references.filter((reference) => reference.kind === kind);
    return asked.length === 0 ? [] : [armOf(kind, asked)];
  });
  return join(arms, ' UNION ALL ');
}

function armOf(kind: LevelKind, asked: readonly LevelReference[]): Sql {
  const stamp = raw(stampOf('t'));
  return sql`SELECT ${raw(`'${kind}'`)} AS kind, t.project_id, t.id, ${raw(kind === 'label' ? 't.label' : 't.name')} AS name,
      ${stamp} AS stamp, CASE WHEN asked.stamp IS DISTINCT FROM ${stamp} THEN t.variables::text END AS variables
    FROM unnest(${list(asked.map(({ projectId }) => projectId))}::uuid[], ${list(asked.map(({ id }) => id))}::bigint[],
      ${list(asked.map(({ stamp: known }) => known ?? null))}::text[]) AS asked (project_id, id, stamp)
    JOIN ${raw(TABLES[kind])} t ON t.project_id = asked.project_id AND t.id = asked.id`;
}
