/**
 * The keys that open the search, and what is typed until its field is on the page: its code may still be loading, and so may the
 * session.
 */

/** What was typed before the field could take it. */
interface TypedKeys {
  readonly text: string;
  /** Whether Enter was the last key. */
  readonly isSubmitted: boolean;
}

const NOTHING: TypedKeys = { text: '', isSubmitted: false };

let isOpen = false;
let typed: TypedKeys = NOTHING;
/** Whether the search is open, and its field does not take the keys itself yet. */
let isWaiting = false;
/** What had the focus when the search was opened. */
let origin: Element | null = null;
const listeners = new Set<() => void>();

function change(open: boolean): void {
  isOpen = open;
  isWaiting = open;
  setTyped(NOTHING);
}

function setTyped(keys: TypedKeys): void {
  typed = keys;
  for (const notify of listeners) notify();
}

export function openSearch(): void {
  if (isOpen) return;
  origin = document.activeElement;
  change(true);
}

export function closeSearch(): void {
  change(false);
}

/** For `useSyncExternalStore`. */
export const searchState = {
  isOpen: (): boolean => isOpen,
  typedKeys: (): TypedKeys => typed,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** From now on, the field takes the keys. */
export function leaveKeysToField(): void {
  isWaiting = false;
}

/** The keys after one more was pressed; undefined if it is not for a text field. */
export function withKey({ text }: TypedKeys, key: string): TypedKeys | undefined {
  if (key === 'Enter') return { text, isSubmitted: true };
  if (key === 'Backspace') return { text: text.slice(0, -1), isSubmitted: false };
  return /^.$/u.test(key) ? { text: text + key, isSubmitted: false } : undefined;
}

const FIELDS = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]';
/** Where single letters have another meaning. */
const WITH_KEYS = 'dialog, [data-typing], [role="dialog"], [role="menu"], [role="tree"], [role="listbox"]';

const isIn = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;

/** Whether text is typed into what has the focus. */
export const isTextField = (target: EventTarget | null): boolean => isIn(target, FIELDS);

/** Remembers, for this browser, that single keys are no shortcuts: speech input may press them. */
const SINGLE_KEYS_OFF = 'muster-single-keys-off';

export const hasSingleKeys = (): boolean => localStorage.getItem(SINGLE_KEYS_OFF) === null;

export function setSingleKeys(areShortcuts: boolean): void {
  if (areShortcuts) localStorage.removeItem(SINGLE_KEYS_OFF);
  else localStorage.setItem(SINGLE_KEYS_OFF, 'true');
}

/** Whether a key without Ctrl is a shortcut: nobody types it into something. */
export const isSingleKey = ({ target, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean =>
  !ctrlKey &&
  !metaKey &&
  !altKey &&
  !isComposing &&
  !isTextField(target) &&
  !isIn(target, WITH_KEYS) &&
  hasSingleKeys();

function onKeyDown(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event;
  const isCtrlK = (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'k';
  if (isCtrlK || (!isWaiting && key === '/' && isSingleKey(event))) {
    event.preventDefault();
    openSearch();
    return;
  }
  if (!isWaiting || ctrlKey || metaKey || altKey || event.isComposing) return;
  if (key === 'Escape' || (target !== origin && isTextField(target))) {
    // Another field has taken the focus, such as that of the sign-in page.
    closeSearch();
    return;
  }
  if (target !== origin && isIn(target, 'dialog')) {
    // The code of the search could not be loaded, and a dialog says so.
    isWaiting = false;
    return;
  }
  const next = withKey(typed, key);
  if (!next) return;
  setTyped(next);
  event.preventDefault();
  event.stopPropagation();
}

/** Holds what was typed while another document is loaded: an address without a project leads to that of the session. */
const KEPT_KEYS = 'muster-search-keys';

const SUBMITTED = '\n';

function keepKeys(): void {
  if (isWaiting) sessionStorage.setItem(KEPT_KEYS, typed.text + (typed.isSubmitted ? SUBMITTED : ''));
}

function restoreKeys(): void {
  const stored = sessionStorage.getItem(KEPT_KEYS);
  if (stored === null) return;
  sessionStorage.removeItem(KEPT_KEYS);
  openSearch();
  setTyped({ text: stored.replace(SUBMITTED, ''), isSubmitted: stored.endsWith(SUBMITTED) });
}

/** Called once, when the application starts. */
export function listenForSearchKeys(): void {
  restoreKeys();
  addEventListener('pagehide', keepKeys);
  addEventListener('keydown', onKeyDown, { capture: true });
}
