import type { Visibility } from '../context/visibility';
import { documentOf, membersOf, type DocumentMembers } from './json-document';

/** The members of a document that may be seen. */
export function visibleMembers(members: DocumentMembers, visibility: Visibility): DocumentMembers {
  if (visibility.isWhole) return members;
  const visible = new Map<string, string>();
  for (const [key, value] of members) if (visibility.sees(JSON.parse(key) as string)) visible.set(key, value);
  return visible;
}

/** A document, as PostgreSQL prints it, without what may not be seen. */
export function visibleDocument(document: string, visibility: Visibility): string {
  if (visibility.isWhole || document === '{}') return document;
  const members = membersOf(document);
  const visible = visibleMembers(members, visibility);
  return visible.size === members.size ? document : documentOf(visible);
}
