import { ActionIcon, Button, Group, Popover, Stack } from '@mantine/core';
import { ClockIcon } from '@radix-ui/react-icons';
import { useMatches, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { MomentInput, apiTime } from './moment-input';
import { Notice } from './notice';
import { TimeStamp } from './time-stamp';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Whether the page shows the state at the time of its parameter `at`. */
    readonly showsPast?: true;
  }
}

const HOUR = 3_600_000;

/** Moments that are chosen often, in ms before now. */
const AGES = [
  { title: 'An hour ago', age: HOUR },
  { title: 'A day ago', age: 24 * HOUR },
  { title: 'A week ago', age: 7 * 24 * HOUR },
];

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
          onClose={() => {
            setOpen(false);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function MomentForm({ at, onClose }: { readonly at: string | undefined; readonly onClose: () => void }) {
  const [draft, setDraft] = useState(at);
  const setPointInTime = useSetPointInTime();
  const show = (moment: string | undefined) => {
    setPointInTime(moment);
    onClose();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        show(draft);
      }}
    >
      <Stack gap="xs">
        <MomentInput label="Show the state at" value={draft} onChange={setDraft} />
        <Button type="submit">Show</Button>
        {AGES.map(({ title, age }) => (
          <Button
            key={title}
            variant="default"
            onClick={() => {
              show(apiTime(new Date(Date.now() - age)));
            }}
          >
            {title}
          </Button>
        ))}
        {at !== undefined && (
          <Button
            variant="default"
            onClick={() => {
              show(undefined);
            }}
          >
            Now
          </Button>
        )}
      </Stack>
    </form>
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
