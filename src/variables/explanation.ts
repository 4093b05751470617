import { InventoryError } from '../core/errors/inventory-error';
import { documentOf } from '../core/json/json-document';
import type { Levels, Subject } from './levels';
import { keyFault } from '../core/context/variable-key';

/** A resource whose variables are explained. */
export interface Explained {
  readonly subject: Subject;
  /** What it is called where it is a level itself. */
  readonly kind: string;
  readonly id: number;
  readonly name: string;
}

/** A level that sets a key: a region, a cell, a label or the resource itself. */
export interface Setting {
  readonly kind: string;
  readonly id: number;
  readonly name: string;
  /** JSON text. */
  readonly value: string;
}

/** Which levels set which key, broadest first: the last one wins. Keys are JSON strings. */
export type Settings = ReadonlyMap<string, readonly Setting[]>;

/** Who set a key at a level, when, why, and with which change. */
export interface Provenance {
  readonly set_by: string;
  readonly set_at: string;
  readonly reason: string | null;
  readonly change_id: number;
}

/** Finds the provenance of a setting of a key, which is a JSON string. */
export type FindProvenance = (key: string, setting: Setting) => Provenance;

/**
 * Which of a resource's levels set which keys. It does not matter where the levels were read from, nor of which moment
 * they are.
 * @param keys the keys that are asked for; undefined: all of them
 */
export function settingsOf(
  { subject, kind, id, name }: Explained,
  levels: Levels,
  keys?: readonly string[],
): Settings {
  const consulted = levels.all(subject, { kind, id, name });
  const asked = keys
    ? keys.map((key) => JSON.stringify(key))
    : new Set(consulted.flatMap(({ members }) => [...members.keys()]));
  const settings = new Map<string, readonly Setting[]>();
  for (const key of asked) {
    const setting: Setting[] = [];
    for (const level of consulted) {
      const value = level.members.get(key);
      if (value !== undefined) setting.push({ kind: level.kind, id: level.id, name: level.name, value });
    }
    if (setting.length > 0) settings.set(key, setting);
  }
  return settings;
}

/** An explanation as JSON text: for each key the value, the level that it comes from, and every level that sets it. */
export function explanationText(settings: Settings, find: FindProvenance): string {
  const keys: [string, string][] = [];
  for (const [key, setting] of settings) {
    const levels = setting.map((level, i) => levelText(level, find(key, level), i < setting.length - 1));
    const value = setting.at(-1)?.value ?? 'null';
    keys.push([key, `{"value":${value},"source":${levels.at(-1) ?? 'null'},"levels":[${levels.join(',')}]}`]);
  }
  return documentOf(keys);
}

function levelText({ kind, id, name, value }: Setting, provenance: Provenance, shadowed: boolean): string {
  const { set_by, set_at, reason, change_id } = provenance;
  const level = JSON.stringify({ kind, id, name });
  const told = JSON.stringify({ set_by, set_at, reason, change_id, shadowed });
  return `${level.slice(0, -1)},"value":${value},${told.slice(1)}`;
}

/** At most so many keys are asked for by name, of one resource or of each item of a list. */
export const MOST_EXPLAINED_KEYS = 50;

/** Reads keys that are asked for. @throws InventoryError 400 for what no key can be, and for too many */
export function askedKeys(parameter: string, keys: readonly string[]): readonly string[] {
  for (const key of keys) {
    const fault = keyFault(key);
    if (fault !== undefined) throw InventoryError.invalid(parameter, fault);
  }
  const asked = [...new Set(keys)];
  if (asked.length <= MOST_EXPLAINED_KEYS) return asked;
  throw InventoryError.invalid(parameter, `takes at most ${String(MOST_EXPLAINED_KEYS)} keys`);
}

/** Reads the keys that a list is to explain, joined by `,`. @throws InventoryError 400 */
export const explainedKeys = (text: string): readonly string[] => askedKeys('explain', text.split(','));
