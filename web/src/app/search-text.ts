import { deviceKinds, inventoryKinds } from '@muster/api-types';
import { hasVariables } from '../api/kinds';

/** The kinds of resources on which variables can be set from the search. */
export const VARIABLE_OWNERS = [...inventoryKinds, ...deviceKinds].filter(hasVariables);

const KIND_WORDS = [...VARIABLE_OWNERS.map(({ kind }) => kind.replaceAll('-', '[- ]')), 'device'].join('|');

/** `set dfw`, `set variable on dfw`, `propose a variable on region dfw` */
const SET_VARIABLE = new RegExp(
  `^(?:set|propose) (?:(?:an? )?variables? )?(?:on )?(?:(${KIND_WORDS}) )?(.+)$`,
  'i',
);

/** What is searched, and whether it begins with words for an action. */
export function parseSearchText(text: string): {
  readonly isCommand: boolean;
  readonly query: string;
  readonly kind: string | undefined;
} {
  const [, kind, query] = SET_VARIABLE.exec(text.replace(/\s+/g, ' ')) ?? [];
  if (query === undefined) return { isCommand: false, query: text, kind: undefined };
  return { isCommand: true, query, kind: kind?.toLowerCase().replaceAll(' ', '-') };
}
