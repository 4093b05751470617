import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { isSingleKey } from './search-keys';
import { useNavigation } from './use-navigation';

/** `G` and a letter lead to a page of the navigation, and `?` lists the shortcuts. */
export function useShortcuts(onHelp: () => void): void {
  const navigate = useNavigate();
  const entries = useNavigation();
  const goTo = useEffectEvent((letter: string): boolean => {
    const page = entries.find((entry) => entry.letter === letter);
    if (page) void navigate(page);
    return page !== undefined;
  });
  const help = useEffectEvent(onHelp);
  useEffect(() => {
    let isGoing = false;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Shift') return;
      const wasGoing = isGoing;
      isGoing = false;
      if (event.defaultPrevented || !isSingleKey(event)) return;
      const key = event.key.toLowerCase();
      if (wasGoing && goTo(key)) event.preventDefault();
      else if (key === 'g') isGoing = true;
      else if (key === '?') help();
    };
    addEventListener('keydown', onKeyDown);
    return () => {
      removeEventListener('keydown', onKeyDown);
    };
  }, []);
}
