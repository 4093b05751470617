import { asObject } from '../api/exact-json';
import type { Muster } from '../api/muster';
import { readOptional } from '../api/optional-read';
import { printStatus } from '../output/console';
import { findClosest } from '../text';

/** Where keys of variables are looked up: in a project, or in all that the user sees. */
interface KeyScope {
  readonly muster: Muster;
  readonly project: string | undefined;
}

/**
 * Says that no resource sets a variable, with a similar key if there is one; undefined if one sets it. The variables of users are
 * not known here.
 * @param subject the start of the sentence, before the key
 */
export async function describeUnknownKey(
  scope: KeyScope,
  key: string,
  subject = 'No variable',
): Promise<string | undefined> {
  if ((await readKeys(scope, key)).items.length > 0) return undefined;
  const first = await readKeys(scope, undefined);
  // There may be too many to read all of them.
  const [prefix = ''] = /^.{1,2}/su.exec(key) ?? [];
  const others = first.isLast ? [] : (await readKeys(scope, `${prefix}*`)).items;
  const closest = findClosest(key, [...first.items, ...others]);
  return `${subject} ${key}${closest === undefined ? '' : ` (did you mean ${closest}?)`}.`;
}

/** A page of the keys in use. @param key one of them, or a prefix followed by `*`; undefined for all */
async function readKeys({ muster, project }: KeyScope, key: string | undefined) {
  const query = { key, project_id: project, fields: ['key'] };
  const { items, isLast } = await muster.firstPage('/v1/variable-keys', { query });
  return { items: items.map((item) => String(asObject(item)['key'])), isLast };
}

/**
 * Prints that no resource sets a variable, after a result that is empty for this reason. Errors are ignored, because the result
 * itself was read.
 */
export async function printIfUnknownKey(
  { muster, project }: KeyScope,
  key: string,
  subject?: string,
): Promise<void> {
  const text = await readOptional(muster, (reader) =>
    describeUnknownKey({ muster: reader, project }, key, subject),
  );
  if (text !== undefined) printStatus(text);
}
