import { jsonText } from '../api/exact-json';
import { isName, type Values } from './member-description';

/** What no two resources share: it is entered anew. */
const UNIQUE = new Set(['ip_address', 'note']);

/** The members with which the form for a copy begins: those of the resource, except its name and address. */
export const copiedMembers = (resource: object): Values =>
  Object.fromEntries(
    Object.entries(resource).flatMap(([name, value]: [string, unknown]) => {
      if (isName(name) || UNIQUE.has(name)) return [];
      if (typeof value !== 'object' || value === null) return [[name, value]];
      // The form has texts of JSON values.
      const text = jsonText(value, 2);
      return text === '{}' ? [] : [[name, text]];
    }),
  );
