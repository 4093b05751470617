import { InventoryError } from '../core/errors';
import { anyValueSchema } from '../http/api-schemas';
import { documentOf } from '../core/json/json-text';
import type { LevelSet, ResolutionTarget } from './levels';
import { variableKeyError } from '../core/context/variable-keys';
import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { TimeProperty } from '../http/time-property';

const VALUE_SCHEMA = { ...anyValueSchema, example: ['10.0.0.1'] };

/** Who set a variable at a level, and the change record of it. */
export abstract class ProvenanceView {
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'operator',
    description:
      'The username at the time of the change. `null`, as `reason` and `change_id`, for callers who cannot read change records.',
  })
  set_by!: string | null;

  @TimeProperty()
  set_at!: string;

  @ApiProperty({ type: String, nullable: true, example: 'CHG-1042: new rack' })
  reason!: string | null;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    nullable: true,
    example: 1,
    description: 'The id of the change that set it.',
  })
  change_id!: number | null;
}

/** A level that sets a variable. */
class LevelView extends ProvenanceView {
  @ApiProperty({ example: 'region', description: '`region`, `cell`, `label`, or the kind of the device.' })
  kind!: string;

  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  id!: number;

  @ApiProperty({ example: 'eqiad' })
  name!: string;

  @ApiProperty(VALUE_SCHEMA)
  value!: unknown;

  @ApiProperty({ example: false, description: 'Whether a narrower level overrides it.' })
  shadowed!: boolean;
}

/** The value of a variable, and the levels that set it. */
class ExplanationView {
  @ApiProperty(VALUE_SCHEMA)
  value!: unknown;

  @ApiProperty({ type: LevelView, description: 'The level that the value comes from.' })
  source!: LevelView;

  @ApiProperty({ type: [LevelView], description: 'The levels that set the key, broadest first.' })
  levels!: LevelView[];
}

const EXPLANATIONS_SCHEMA = {
  type: 'object' as const,
  additionalProperties: { $ref: getSchemaPath(ExplanationView) },
};

/** The explained variables of one resource. */
@ApiExtraModels(ExplanationView)
export class ExplanationsView {
  @ApiProperty({ ...EXPLANATIONS_SCHEMA, example: {} })
  variables!: object;
}

/** The member `explain` of a list's items. */
export const ExplainProperty = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      ...EXPLANATIONS_SCHEMA,
      example: {},
      description:
        'The origin of the variables that the query parameter `explain` names. Absent without that parameter.',
    }),
  );

/** A resource whose variables are explained. */
export interface ExplainedTarget {
  readonly target: ResolutionTarget;
  /** The kind, id and name of the resource as the narrowest level. */
  readonly kind: string;
  readonly id: number;
  readonly name: string;
}

/** A level that sets a key: a region, a cell, a label or the resource itself. */
interface LevelValue {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
  /** JSON text. */
  readonly value: string;
}

/** The levels that set each key, broadest first: the last one wins. Keys are JSON strings. */
export type LevelValuesByKey = ReadonlyMap<string, readonly LevelValue[]>;

/** By whom, when, why and by which change a key was set at a level. */
export interface Provenance {
  /** Null, as is the id, for a caller who cannot read change records. */
  readonly set_by: string | null;
  readonly set_at: string;
  readonly reason: string | null;
  readonly change_id: number | null;
}

/** Finds the provenance of a key at a level. The key is a JSON string. */
export type FindProvenance = (key: string, level: LevelValue) => Provenance;

/**
 * Finds the levels of a resource that set keys.
 * @param keys the keys to find; undefined: all keys
 */
export function findSettingLevels(
  explained: ExplainedTarget,
  levels: LevelSet,
  keys?: readonly string[],
): LevelValuesByKey {
  const { kind, id, name } = explained;
  const all = levels.allLevels(explained.target, { kind, id, name });
  const wanted = keys
    ? keys.map((key) => JSON.stringify(key))
    : new Set(all.flatMap(({ members }) => [...members.keys()]));
  const levelsByKey = new Map<string, readonly LevelValue[]>();
  for (const key of wanted) {
    const found: LevelValue[] = [];
    for (const level of all) {
      const value = level.members.get(key);
      if (value !== undefined) found.push({ kind: level.kind, id: level.id, name: level.name, value });
    }
    if (found.length > 0) levelsByKey.set(key, found);
  }
  return levelsByKey;
}

/** Renders an explanation as JSON text: for each key its value, the level it comes from, and all levels that set it. */
export function renderExplanation(levelsByKey: LevelValuesByKey, find: FindProvenance): string {
  const keys: [string, string][] = [];
  for (const [key, levels] of levelsByKey) {
    const texts = levels.map((level, i) => renderLevel(level, find(key, level), i < levels.length - 1));
    const value = levels.at(-1)?.value ?? 'null';
    keys.push([key, `{"value":${value},"source":${texts.at(-1) ?? 'null'},"levels":[${texts.join(',')}]}`]);
  }
  return documentOf(keys);
}

function renderLevel(
  { kind, id, name, value }: LevelValue,
  provenance: Provenance,
  shadowed: boolean,
): string {
  const { set_by, set_at, reason, change_id } = provenance;
  const level = JSON.stringify({ kind, id, name });
  const origin = JSON.stringify({ set_by, set_at, reason, change_id, shadowed });
  return `${level.slice(0, -1)},"value":${value},${origin.slice(1)}`;
}

/** The maximum number of keys that can be named, for one resource or for the items of a list. */
export const MAX_EXPLAINED_KEYS = 50;

/** Checks named keys and removes duplicates. @throws InventoryError 400 for an invalid key, and for too many keys */
export function parseExplainedKeys(parameter: string, keys: readonly string[]): readonly string[] {
  for (const key of keys) {
    const error = variableKeyError(key);
    if (error !== undefined) throw InventoryError.faulty(parameter, error);
  }
  const distinct = [...new Set(keys)];
  if (distinct.length <= MAX_EXPLAINED_KEYS) return distinct;
  throw InventoryError.invalid(parameter, 'too_long', `takes at most ${String(MAX_EXPLAINED_KEYS)} keys`);
}

/** Parses the query parameter `explain`: keys separated by `,`. @throws InventoryError 400 */
export const parseExplainParameter = (text: string): readonly string[] =>
  parseExplainedKeys('explain', text.split(','));
