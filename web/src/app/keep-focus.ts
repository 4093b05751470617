import { useEffect } from 'react';

/** Keys that move the focus, or do nothing: the user has done nothing in an element where only these were pressed. */
const NAVIGATION_KEYS = new Set(['Tab', 'Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock']);

/** A modal dialog: a selector. */
const MODAL = '[role=dialog][aria-modal=true]';

/** How many elements are remembered. */
const MAX_TARGETS = 20;

/** An element in which the user has done something, and the page that was shown then. */
interface FocusTarget {
  readonly element: HTMLElement;
  readonly page: string;
}

/**
 * Keeps the focus on the page. When the element that has it disappears (the button of a dialog that closes, the row that was deleted),
 * browsers give it to no element, and keys do nothing until something is clicked. Here it returns to where the user has done
 * something last: the button that opened the dialog, the cell of the list; if nothing of it is left, to the heading of the page.
 * A button that is disabled while it loads gets it back afterwards.
 *
 * The library's dialogs return the focus only if they stay mounted while they are closed, and only to the element that had it
 * before, which often disappears, too. They set the focus in a timer; this sets it before the next key event.
 */
export function KeepFocus(): null {
  useEffect(keepFocus, []);
  return null;
}

/** Begins to keep the focus. @returns ends it */
function keepFocus(): () => void {
  let targets: readonly FocusTarget[] = [];
  // Has the focus, or had it until it disappeared or was disabled.
  let focused = focusedElement();
  let wasDisabled = false;
  // A page that is still loading has none.
  let isHeadingMissing = false;

  const remember = (element: HTMLElement) => {
    const page = location.pathname;
    const others = targets.filter(
      (one) => one.page === page && one.element !== element && one.element.isConnected,
    );
    targets = [...others, { element, page }].slice(-MAX_TARGETS);
  };
  const entered = new WeakSet<HTMLElement>();
  const enterDialog = () => {
    const dialog = topDialog();
    if (!dialog || entered.has(dialog)) return;
    entered.add(dialog);
    if (dialog.contains(document.activeElement)) return;
    const field = fieldOf(dialog);
    field?.focus({ preventScroll: true });
    // What is typed replaces a line that is there already, such as a title, and follows a longer text, such as the reason of a revert.
    // Browsers would put the caret before the text.
    if (field instanceof HTMLInputElement) field.select();
    else if (field instanceof HTMLTextAreaElement)
      field.setSelectionRange(field.value.length, field.value.length);
  };
  const restoreFocus = () => {
    const scope = topDialog();
    const last = targets.findLast(
      ({ element, page }) =>
        page === location.pathname && isAvailable(element) && (!scope || scope.contains(element)),
    );
    // The heading can be focused only by `startOf`, which makes it focusable first.
    const target = last && last.element !== headingOf() ? last.element : startOf(scope);
    target?.focus({ preventScroll: true });
    isHeadingMissing = target?.tagName === 'MAIN';
  };
  const check = () => {
    enterDialog();
    if (!focused) return;
    if (isHeadingMissing && headingOf() !== null) restoreFocus();
    if (focused.isConnected && focused.matches(':disabled')) wasDisabled = true;
    else if (focusedElement()) return;
    else if (!isAvailable(focused)) restoreFocus();
    else if (wasDisabled) focused.focus({ preventScroll: true });
  };

  const onFocus = ({ target }: FocusEvent) => {
    focused = target instanceof HTMLElement ? target : undefined;
    wasDisabled = false;
    isHeadingMissing = false;
  };
  const onClick = () => {
    // After a click beside everything, the user does not expect it anywhere.
    focused = focusedElement();
    if (focused) remember(focused);
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    const element = focusedElement();
    if (element && !NAVIGATION_KEYS.has(key)) remember(element);
  };
  const ended = new AbortController();
  const { signal } = ended;
  document.addEventListener('focusin', onFocus, { signal });
  document.addEventListener('click', onClick, { capture: true, signal });
  document.addEventListener('keydown', onKeyDown, { capture: true, signal });
  // Not every browser fires an event at an element that is removed while it has the focus.
  const observer = new MutationObserver(check);
  observer.observe(document.body, {
    ...{ childList: true, subtree: true },
    attributeFilter: ['disabled'],
  });
  return () => {
    ended.abort();
    observer.disconnect();
  };
}

function focusedElement(): HTMLElement | undefined {
  const element = document.activeElement;
  return element instanceof HTMLElement && element !== document.body ? element : undefined;
}

const isAvailable = (element: HTMLElement): boolean =>
  element.isConnected &&
  !element.matches(':disabled, [inert], [inert] *') &&
  element.checkVisibility({ visibilityProperty: true });

const topDialog = (): HTMLElement | undefined => [...document.querySelectorAll<HTMLElement>(MODAL)].at(-1);

/** The element that a dialog begins with, if it names one. */
const fieldOf = (dialog: HTMLElement): HTMLElement | null =>
  dialog.querySelector<HTMLElement>('[data-autofocus]');

const headingOf = () => document.querySelector<HTMLElement>('main h1');

/** Where a dialog or a page begins. @param dialog undefined: the page */
function startOf(dialog: HTMLElement | undefined): HTMLElement | null {
  if (dialog) return fieldOf(dialog) ?? dialog;
  const heading = headingOf();
  if (!heading) return document.querySelector('main');
  heading.tabIndex = -1;
  heading.addEventListener(
    'blur',
    () => {
      heading.removeAttribute('tabindex');
    },
    { once: true },
  );
  return heading;
}
