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
export interface AwaitedEditor {
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

/** Keys that do nothing by themselves. */
const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock']);

/**
 * Does with a key on the list what the editor would do with it, which is not there yet.
 * @returns whether the editor has taken the key. `ignored`: it does nothing here. `left`: what was typed is entered, as by a click
 * elsewhere, and the list does the rest
 */
export function keyForEditor(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey'>,
  { onKey, onPreview }: AwaitedEditor,
  { moveOn }: { readonly moveOn: (rows: number, columns: number) => void },
): 'taken' | 'ignored' | 'left' {
  const { key, shiftKey } = event;
  const isCtrl = event.ctrlKey || event.metaKey;
  if (key === 'Enter' && !shiftKey) {
    onKey('write');
    moveOn(1, 0);
    if (isCtrl) onPreview();
  } else if (MODIFIERS.has(key) || (isCtrl && key.toLowerCase() === 'v')) return 'ignored';
  else if (isCtrl) {
    onKey('write');
    return 'left';
  } else if (key === 'Tab' && !shiftKey) {
    onKey('write');
    moveOn(0, 1);
  } else if (key === 'Escape') onKey('cancel');
  else if (key === 'Backspace') onKey('erase');
  else if (key === 'Enter' || key.length === 1) onKey({ text: key === 'Enter' ? '\n' : key });
  // There is nothing behind the end of the text, and it is edited already.
  else if (key !== 'Delete' && key !== 'F2') {
    onKey('write');
    return 'left';
  }
  return 'taken';
}
