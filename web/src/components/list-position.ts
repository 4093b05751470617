import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { LIST_POSITION } from '../api/query-keys';
import type { Positions, Row } from './keyset-pages';

/** Where a list was when it was left. */
interface ListPosition<T extends Row> {
  /** In pixels. */
  readonly scrollTop: number;
  /** The position and the id of the active row. */
  readonly active: number;
  readonly activeId: T['id'] | undefined;
  readonly positions: Positions<T>;
  /** The number of rows, if it was counted. */
  readonly total: number | undefined;
  readonly hasFocus: boolean;
}

/**
 * The position of a list in the current entry of the browser's history, if the list was left there before: Back leads to the
 * row that was opened. The cache keeps it, so nothing of a project is left when another one is entered.
 * @param queryKey identifies the list
 */
export function useFormerPosition<T extends Row>(queryKey: readonly unknown[]): ListPosition<T> | undefined {
  const { history } = useRouter();
  const client = useQueryClient();
  const [former] = useState(() =>
    client.getQueryData<ListPosition<T>>(keyOf(queryKey, history.location.state.__TSR_key)),
  );
  return former;
}

/** Remembers the position of a list when it is left. */
export function useRememberedPosition<T extends Row>(
  queryKey: readonly unknown[],
  element: HTMLElement | null,
  position: Omit<ListPosition<T>, 'hasFocus'>,
): void {
  const { history } = useRouter();
  const client = useQueryClient();
  const { pathname, state } = history.location;
  const latest = useRef({ queryKey, element, position, pathname, entry: state.__TSR_key });
  useEffect(() => {
    // The address may be that of the next page while this one is still on the screen.
    const { location } = history;
    const isHere = location.pathname === latest.current.pathname;
    const entry = isHere ? location.state.__TSR_key : latest.current.entry;
    latest.current = { ...latest.current, queryKey, element, position, entry };
  });
  // Before the element is removed, which takes the focus from it.
  useLayoutEffect(
    () => () => {
      const { current } = latest;
      const hasFocus = current.element?.contains(document.activeElement) ?? false;
      client.setQueryData(keyOf(current.queryKey, current.entry), { ...current.position, hasFocus });
    },
    [client],
  );
}

/**
 * A state of a list in the current entry of the browser's history: Back leads to it.
 * @param queryKey identifies the list and the state
 */
export function useRememberedState<T>(
  queryKey: readonly unknown[],
  initial: T,
): readonly [T, (value: T) => void] {
  const { history } = useRouter();
  const client = useQueryClient();
  const [key] = useState(() => keyOf(queryKey, history.location.state.__TSR_key));
  const [value, setValue] = useState(() => client.getQueryData<T>(key) ?? initial);
  return [
    value,
    (changed) => {
      setValue(changed);
      client.setQueryData(key, changed);
    },
  ];
}

const keyOf = (queryKey: readonly unknown[], entry: string | undefined) => [
  LIST_POSITION,
  entry ?? null,
  ...queryKey,
];
