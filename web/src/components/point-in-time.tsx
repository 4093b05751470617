import { ActionIcon, Button, Group, Popover } from '@mantine/core';
import { ClockIcon } from '@radix-ui/react-icons';
import { useMatches, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { lazyComponent } from './lazy-component';
import { Notice } from './notice';
import { TimeStamp } from './time-stamp';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Whether the page shows the state at the time of its parameter `at`. */
    readonly showsPast?: true;
  }
}

const MomentForm = lazyComponent(() =>
  import('./moment-form').then(({ MomentForm: component }) => component),
);

/** The moment that the page shows, as in its URL; undefined for now. */
export const usePointInTime = (): string | undefined => useSearch({ strict: false }).at;

/** Sets the moment that the page shows; undefined for now. */
function useSetPointInTime(): (at: string | undefined) => void {
  const navigate = useNavigate();
  return (at) => void navigate({ to: '.', search: (former) => ({ ...former, at }) });
}

/** Whether the page can show the past. */
const useShowsPast = (): boolean =>
  useMatches({ select: (matches) => matches.some(({ staticData }) => staticData.showsPast) });

/** Chooses the moment that the page shows, on pages that can show the past. */
export function TimeControl() {
  const [isOpen, setOpen] = useState(false);
  const at = usePointInTime();
  const setPointInTime = useSetPointInTime();
  if (!useShowsPast()) return null;
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      trapFocus
      returnFocus
      width={260}
      shadow="md"
    >
      <Popover.Target>
        <ActionIcon
          aria-label="Show another time"
          aria-pressed={at !== undefined}
          title="Show another time"
          variant={at === undefined ? 'subtle' : 'light'}
          onClick={() => {
            setOpen(!isOpen);
          }}
        >
          <ClockIcon aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <MomentForm
          at={at}
          onShow={(moment) => {
            setPointInTime(moment);
            setOpen(false);
          }}
        />
      </Popover.Dropdown>
    </Popover>
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
