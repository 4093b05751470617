import { useLocalStorage } from '@mantine/hooks';
import { useSuspenseQuery } from '@tanstack/react-query';
import { sessionQuery } from '../api/session';
import { useProjectId } from '../app/use-project';

/** So many fit above the map of the overview. */
export const MAX_PINNED = 8;

/** The variables that the user has pinned to the overview of the project. The browser keeps them. */
export function usePinnedVariables() {
  const project = useProjectId();
  const { user } = useSuspenseQuery(sessionQuery).data;
  const [keys, setKeys] = useLocalStorage<readonly string[]>({
    key: `muster.pinned.${project}.${String(user.id)}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  return {
    keys,
    pin: (key: string) => {
      setKeys([...keys.filter((known) => known !== key), key].slice(-MAX_PINNED));
    },
    unpin: (key: string) => {
      setKeys(keys.filter((known) => known !== key));
    },
  };
}
