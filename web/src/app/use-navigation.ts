import { useSuspenseQuery } from '@tanstack/react-query';
import { isAdmin, sessionQuery } from '../api/session';
import { adminNavigation, navigation } from './navigation';

/** The entries of the navigation that the user may open. */
export function useNavigation() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  return isAdmin(session) ? [...navigation, ...adminNavigation] : navigation;
}
