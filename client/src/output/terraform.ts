import { exactJson } from '../api/exact-json';
import type { Row } from './output';

/**
 * What Terraform's data source `external` reads: one object whose values are all strings. A string is itself, all else
 * its JSON, for `jsondecode`. Variables stand beside the members; one that is called like a member has `variables.`
 * before its name.
 */
export function terraformOf(row: Row): string {
  const { variables, ...members } = row;
  const flat = new Map(Object.entries(members).map(([name, value]) => [name, textOf(value)]));
  if (variables !== undefined)
    for (const [key, value] of Object.entries(variables ?? {}))
      flat.set(Object.hasOwn(members, key) ? `variables.${key}` : key, textOf(value));
  return exactJson.stringify(Object.fromEntries(flat), 2);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : exactJson.stringify(value));
