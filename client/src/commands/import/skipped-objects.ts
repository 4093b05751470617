import { pluralize } from '../../text';
import type { RefusedKey } from './variable-keys';

/** How many objects of a kind are named. */
const MAX_SHOWN = 10;

/** Names, or the first of them and the number of the others. */
export const listText = (names: readonly string[]): string =>
  names.length > MAX_SHOWN
    ? `${names.slice(0, MAX_SHOWN).join(', ')} and ${String(names.length - MAX_SHOWN)} more`
    : names.join(', ');

/** An object of another program that is not imported. */
export interface SkippedObject {
  /** The object in messages: `device 12 (pdu1)`. */
  readonly object: string;
  readonly reason: string;
}

/** A line for each reason, with the skipped objects. */
export function skippedLines(skipped: readonly SkippedObject[]): string[] {
  const byReason = new Map<string, string[]>();
  for (const { object, reason } of skipped) {
    const objects = byReason.get(reason);
    if (objects) objects.push(object);
    else byReason.set(reason, [object]);
  }
  return [...byReason].map(
    ([reason, objects]) => `Skipped ${String(objects.length)}, because ${reason}: ${listText(objects)}.`,
  );
}

/** A key that is not imported, and the number of devices that have it. */
export type CountedKey = RefusedKey & { readonly devices: number };

/** Lines about the keys that are not imported. @param remedy the members of the mapping that give them other names */
export const refusedKeyLines = (refused: readonly CountedKey[], remedy: string): string[] => [
  ...refused.map(
    ({ key, reason, devices }) =>
      `Not imported: the key ${JSON.stringify(key)} of ${pluralize(devices, 'device')}: ${reason}.`,
  ),
  ...(refused.length === 0 ? [] : [`  In the mapping, ${remedy}`]),
];
