import { useBlocker } from '@tanstack/react-router';
import { useRef, useState, type MouseEvent } from 'react';

const QUESTION = 'Leave, and discard what you have entered?';
const CLOSE_QUESTION = 'Discard what you have entered?';

export interface Unsaved {
  /** The handlers of the element in which something is entered. */
  readonly entering: {
    readonly onInput: () => void;
    readonly onClick: (event: MouseEvent) => void;
  };
  /** Called when it was saved or discarded, before another page is opened. */
  readonly forget: () => void;
  /** Asks whether what was entered may be discarded, unless nothing was. */
  readonly mayDiscard: (question?: string) => boolean;
}

/** A search parameter that opens a form: without it the form is closed. */
type FormParameter = 'create' | 'add' | 'define';

/** The search parameters that show another part of a page, or another time: the forms of this one are closed. */
const VIEWS = ['tab', 'at'];

const valueIn = (search: object, name: string): unknown =>
  new Map<string, unknown>(Object.entries(search)).get(name);

/** Whether the user has just confirmed that the page may be left. */
let hasConfirmed = false;

/** Asks one question if something was entered in several forms, such as in a preview and in the form behind it. */
function mayLeave(): boolean {
  if (hasConfirmed) return true;
  hasConfirmed = globalThis.confirm(QUESTION);
  // The router asks all forms about a navigation in one task.
  setTimeout(() => {
    hasConfirmed = false;
  });
  return hasConfirmed;
}

/**
 * Asks before the page is left, reloaded or closed, or Back closes the form, while something was entered and not saved. Once the
 * component is removed, nothing is asked.
 * @param forms what may have opened the form in which it is entered; none if what is entered stays when a form is closed
 */
export function useUnsaved(...forms: readonly FormParameter[]): Unsaved {
  const [hasInput, setInput] = useState(false);
  // As it is when the page is left, which may be before the next rendering.
  const isUnsaved = useRef(false);
  useBlocker({
    // Filters and the like are parameters of the same page.
    shouldBlockFn: ({ current, next }) =>
      isUnsaved.current &&
      (current.pathname !== next.pathname ||
        forms.some((form) => isOpen(current.search, form) && !isOpen(next.search, form)) ||
        VIEWS.some((name) => valueIn(current.search, name) !== valueIn(next.search, name))) &&
      !mayLeave(),
    enableBeforeUnload: () => isUnsaved.current,
    disabled: !hasInput,
  });
  const onInput = () => {
    isUnsaved.current = true;
    setInput(true);
  };
  return {
    entering: {
      onInput,
      // A choice from a list is no input of a field. React lets it bubble from where the list is shown to the form.
      onClick: ({ target }) => {
        if (target instanceof Element && target.closest('[role="option"]')) onInput();
      },
    },
    forget: () => {
      isUnsaved.current = false;
    },
    mayDiscard: (question = CLOSE_QUESTION) => {
      if (isUnsaved.current && !globalThis.confirm(question)) return false;
      isUnsaved.current = false;
      return true;
    },
  };
}

/** @param search as it is in the URL: texts */
const isOpen = (search: object, form: FormParameter): boolean => valueIn(search, form) === 'true';
