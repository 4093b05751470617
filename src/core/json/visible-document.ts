import type { Visibility } from '../context/variable-keys';
import { documentOf, membersOf, type DocumentMembers } from './json-text';

/** The visible members of a document. */
export function visibleMembers(members: DocumentMembers, visibility: Visibility): DocumentMembers {
  if (visibility.seesEverything) return members;
  const visible = new Map<string, string>();
  for (const [key, value] of members) if (visibility.sees(JSON.parse(key) as string)) visible.set(key, value);
  return visible;
}

/** Removes the hidden members from a document, as PostgreSQL prints it. */
export function visibleDocument(document: string, visibility: Visibility): string {
  if (visibility.seesEverything || document === '{}') return document;
  const members = membersOf(document);
  const visible = visibleMembers(members, visibility);
  return visible.size === members.size ? document : documentOf(visible);
}
