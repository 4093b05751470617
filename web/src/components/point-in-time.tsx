import { ActionIcon, Button, Group } from '@mantine/core';
import { ClockIcon } from '@radix-ui/react-icons';
import type { QueryClient } from '@tanstack/react-query';
import { useMatches, useNavigate, useSearch } from '@tanstack/react-router';
import { lazyComponent } from './lazy-component';
import { Notice } from './notice';
import { PopoverButton } from './popover-button';
import { TimeStamp } from './time-stamp';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Whether the page shows the state at the time of its parameter `at`. */
    readonly showsPast?: true;
    /** How often (ms) the page, if it shows the present, reads again what it shows, at most, when something has changed. */
    readonly liveInterval?: number;
    /** Reads what the page shows first, while the session and the code of the page are loaded. @param search as in the URL */
    readonly prefetch?: (queryClient: QueryClient, search: unknown, projectId: string) => void;
  }
}

const MomentForm = lazyComponent(
  () => import('./moment-form').then(({ MomentForm: component }) => component),
  {
    isOpened: true,
  },
);

/** The moment that the page shows, as in its URL; undefined for now. */
export const usePointInTime = (): string | undefined => useSearch({ strict: false }).at;

/** Sets the moment that the page shows; undefined for now. */
function useSetPointInTime(): (at: string | undefined) => void {
  const navigate = useNavigate();
  return (at) => void navigate({ to: '.', search: (former) => ({ ...former, at }) });
}

/** Whether the page can show the past. Not if its URL cannot be read: then it shows an error. */
const useShowsPast = (): boolean =>
  useMatches({
    select: (matches) =>
      matches.some(({ staticData, searchError }) => staticData.showsPast && searchError === undefined),
  });

/** Chooses the moment that the page shows, on pages that can show the past. */
export function TimeControl() {
  const at = usePointInTime();
  const setPointInTime = useSetPointInTime();
  if (!useShowsPast()) return null;
  return (
    <PopoverButton
      width={260}
      preload={MomentForm.preload}
      target={(opener) => (
        <ActionIcon
          {...opener}
          aria-label="Show another time"
          aria-pressed={at !== undefined}
          title="Show another time"
          variant={at === undefined ? 'subtle' : 'light'}
        >
          <ClockIcon aria-hidden />
        </ActionIcon>
      )}
    >
      {(close) => (
        <MomentForm
          at={at}
          onShow={(moment) => {
            setPointInTime(moment);
            close();
          }}
        />
      )}
    </PopoverButton>
  );
}

/** Says that the page shows the past, and leads back to now. */
export function PastBanner() {
  const at = usePointInTime();
  const setPointInTime = useSetPointInTime();
  if (!useShowsPast() || at === undefined) return null;
  return (
    <Notice kind="warning">
      <Group justify="space-between" gap="xs">
        <span>
          This is the past: <TimeStamp time={at} />. Nothing can be changed here.
        </span>
        <Button
          variant="default"
          onClick={() => {
            setPointInTime(undefined);
          }}
        >
          Back to now
        </Button>
      </Group>
    </Notice>
  );
}
