import type { KeyboardEvent } from 'react';

/** What was typed on a cell before its editor is there. */
export interface TypedText {
  /** Whether it replaces the value of the cell. Otherwise it follows it, as after F2. */
  readonly isNew: boolean;
  /** How many characters were deleted from the end of the value before. */
  readonly erased: number;
  readonly text: string;
}

/** A key for an editor: it enters the text, cancels, deletes the last character, or is a text. */
export type EditorKey = 'write' | 'cancel' | 'erase' | { readonly text: string };

/** An editor that was asked for, and whose code is still being loaded. */
export interface PendingEditor {
  readonly onKey: (key: EditorKey) => void;
  /** Previews what was entered. */
  readonly onPreview: () => void;
}

/** The editor is opened with the value, unless something is typed further. */
export const NOTHING_TYPED: TypedText = { isNew: false, erased: 0, text: '' };

/** The text that an editor begins with. @param value of its cell */
export const typedOver = (value: string, { isNew, erased, text }: TypedText): string =>
  isNew ? text : value.slice(0, value.length - lengthOfLast(value, erased)) + text;

/** Whether something was typed. */
export const isTyped = ({ isNew, erased, text }: TypedText): boolean => isNew || erased > 0 || text !== '';

/** A text after one more key. */
export function withTyped(typed: TypedText, key: 'erase' | Pick<TypedText, 'text'>): TypedText {
  if (key !== 'erase') return { ...typed, text: typed.text + key.text };
  if (typed.text === '') return { ...typed, erased: typed.erased + 1 };
  return { ...typed, text: typed.text.slice(0, -lengthOfLast(typed.text, 1)) };
}

/** The length of the last characters of a text, as a user counts them. */
const lengthOfLast = (text: string, count: number): number =>
  count === 0
    ? 0
    : Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment.length)
        .slice(-count)
        .reduce((sum, length) => sum + length, 0);

/** What is known of a key that was pressed. */
type PressedKey = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'getModifierState'
>;

/** Whether a key types a character. AltGr does so, too: on Windows, it is Ctrl and Alt. */
export const isTextKey = (event: PressedKey): boolean =>
  event.key.length === 1 &&
  (event.getModifierState('AltGraph') ||
    (event.ctrlKey && event.altKey) ||
    !(event.ctrlKey || event.metaKey || event.altKey));

/** Keys that leave a cell, as far as they have no meaning for a text that is typed. */
const LEAVING = new Set([
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'Home',
  'End',
  'PageUp',
  'PageDown',
  'Tab',
]);

/**
 * Does with a key on the list what the editor would do with it, which is not there yet.
 * @returns whether the editor has taken the key. `ignored`: it does nothing here. `left`: what was typed is entered, as by a click
 * elsewhere, and the list does the rest
 */
export function keyForEditor(
  event: PressedKey,
  { onKey, onPreview }: PendingEditor,
  { moveOn }: { readonly moveOn: (rows: number, columns: number) => void },
): 'taken' | 'ignored' | 'left' {
  const { key, shiftKey } = event;
  if (key === 'Enter' && !shiftKey) {
    onKey('write');
    moveOn(1, 0);
    if (event.ctrlKey || event.metaKey) onPreview();
  } else if (key === 'Tab' && !shiftKey) {
    onKey('write');
    moveOn(0, 1);
  } else if (key === 'Escape') onKey('cancel');
  else if (key === 'Backspace') onKey('erase');
  else if (key === 'Enter' || isTextKey(event)) onKey({ text: key === 'Enter' ? '\n' : key });
  // A key with Ctrl that does something else than to paste.
  else if (LEAVING.has(key) || (key.length === 1 && key.toLowerCase() !== 'v')) {
    onKey('write');
    return 'left';
  }
  // There is nothing behind the end of the text, and it is edited already. Others are parts of a character (`Dead`), or modifiers.
  else if (key !== 'Delete' && key !== 'F2') return 'ignored';
  return 'taken';
}
