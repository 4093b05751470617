import { useLayoutEffect } from 'react';

/** What is opened: it takes the focus once it is there. */
const DIALOG = 'dialog, [role=dialog], [role=menu]';

/** Keys that are held, besides those of texts. The others do nothing, or are those of the browser. */
const HELD_KEYS = new Set([
  ...['Enter', 'Tab', 'Escape', 'Backspace', 'Delete'],
  ...['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End'],
]);

/** The elements that Tab leads to. */
const TAB_STOPS = 'a[href], button, input, select, textarea, summary, [tabindex]';

const openings = new Set<object>();
let held: KeyboardEvent[] = [];
let isReplaying = false;

/**
 * Holds the keys that are pressed from now on, until a dialog, a menu or a text field has taken the focus: its code may still be
 * loading, and what it shows may still be read. Then it gets them. A click drops them: the user does something else.
 * @returns ends it, if nothing is opened after all. What has the focus gets the keys then
 */
export function holdKeys(): () => void {
  const opening = {};
  const origin = document.activeElement;
  const listeners = new AbortController();
  const { signal } = listeners;
  const end = () => {
    listeners.abort();
    if (openings.delete(opening) && openings.size === 0) setTimeout(replay);
  };
  openings.add(opening);
  listen(true);
  const onFocus = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return;
    const dialog = target.closest(DIALOG);
    if (isTextField(target) ? target !== origin : dialog && !dialog.contains(origin)) end();
  };
  const onPointerDown = () => {
    held = [];
    end();
  };
  document.addEventListener('focusin', onFocus, { signal });
  document.addEventListener('pointerdown', onPointerDown, { capture: true, signal });
  return end;
}

/** Holds keys while it is shown, or until what is beside it has taken the focus. */
export function HoldKeys(): null {
  useLayoutEffect(holdKeys, []);
  return null;
}

function listen(isHolding: boolean): void {
  // What is typed is no shortcut: see app/search-keys.ts.
  document.documentElement.toggleAttribute('data-typing', isHolding);
  if (isHolding) addEventListener('keydown', onKeyDown, { capture: true });
  else removeEventListener('keydown', onKeyDown, { capture: true });
}

function onKeyDown(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey } = event;
  if (!event.isTrusted || event.isComposing || altKey) return;
  if (ctrlKey || metaKey ? key !== 'Enter' : key.length > 1 && !HELD_KEYS.has(key)) return;
  event.preventDefault();
  event.stopPropagation();
  // A key that is held down would do further things, which nobody has seen yet.
  if (!event.repeat || key.length === 1) held.push(event);
}

/** Presses the keys, one after the other: each may open another dialog, which holds the next ones. */
function replay(): void {
  if (isReplaying || openings.size > 0) return;
  const next = held.shift();
  if (!next) {
    listen(false);
    return;
  }
  isReplaying = true;
  press(next);
  setTimeout(() => {
    isReplaying = false;
    replay();
  });
}

/** Does with a key what the browser would do. */
function press(event: KeyboardEvent): void {
  const { key, code, ctrlKey, metaKey, shiftKey } = event;
  const target = document.activeElement ?? document.body;
  const init = { key, code, ctrlKey, metaKey, shiftKey, bubbles: true, cancelable: true };
  if (!target.dispatchEvent(new KeyboardEvent('keydown', init)) || ctrlKey || metaKey) return;
  if (key === 'Tab') moveFocus(target, shiftKey ? -1 : 1);
  else if (isTextField(target)) typeInto(target, key);
  else if (target instanceof HTMLElement && (key === 'Enter' || key === ' ') && target.matches(CLICKED))
    target.click();
}

const CLICKED = 'button, a[href], summary, input';

const isTextField = (element: Element): element is HTMLInputElement | HTMLTextAreaElement =>
  element instanceof HTMLTextAreaElement ||
  (element instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit'].includes(element.type));

function typeInto(field: HTMLInputElement | HTMLTextAreaElement, key: string): void {
  if (key === 'Enter' && field instanceof HTMLInputElement) field.form?.requestSubmit();
  else if (key === 'Enter') insert('insertText', '\n');
  else if (key === 'Backspace') insert('delete');
  else if (key === 'Delete') insert('forwardDelete');
  else if (key.length === 1) insert('insertText', key);
}

/** As if it was typed: the field can undo it, and reports it. There is no other way to do that. */
function insert(command: 'insertText' | 'delete' | 'forwardDelete', text?: string): void {
  // oxlint-disable-next-line typescript/no-deprecated
  document.execCommand(command, false, text);
}

function moveFocus(from: Element, step: 1 | -1): void {
  const scope = from.closest(DIALOG) ?? document;
  const stops = [...scope.querySelectorAll<HTMLElement>(TAB_STOPS)].filter(
    (one) =>
      one.tabIndex >= 0 &&
      !one.matches(':disabled, [inert] *') &&
      one.checkVisibility({ visibilityProperty: true }),
  );
  const to = stops.findIndex((one) => one === from) + step;
  stops.at(to % stops.length)?.focus();
}
