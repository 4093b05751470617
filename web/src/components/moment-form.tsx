import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { ChangeHistogram, type TimeRange } from './change-histogram';
import { apiTime, MomentInput } from './moment-input';
import { microsecondBefore } from './time-stamp';

const HOUR = 3_600_000;

/** Moments that are chosen often, in ms before now. */
const AGES = [
  { title: 'An hour ago', age: HOUR },
  { title: 'A day ago', age: 24 * HOUR },
  { title: 'A week ago', age: 7 * 24 * HOUR },
];

/** How many intervals the histogram of changes has. */
const INTERVALS = 40;

interface Props {
  /** The shown moment; undefined for now. */
  readonly at: string | undefined;
  readonly onShow: (at: string | undefined) => void;
}

/** Chooses the moment that a page shows. */
export function MomentForm({ at, onShow }: Props) {
  const [draft, setDraft] = useState(at);
  /** The range of the histogram; undefined for all times. */
  const [range, setRange] = useState<TimeRange>();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onShow(draft);
      }}
    >
      <Stack gap="xs">
        <MomentInput label="Show the state at" value={draft} onChange={setDraft} autoFocus />
        <Button type="submit">Show</Button>
        <ChangeHistogram
          filters={range ?? {}}
          intervals={INTERVALS}
          isSmall
          // The state after the changes of the interval, whose end does not belong to it.
          onIntervalChosen={({ until }) => {
            onShow(microsecondBefore(until));
          }}
          onRangeSelected={setRange}
          onClear={
            range &&
            (() => {
              setRange(undefined);
            })
          }
        />
        {AGES.map(({ title, age }) => (
          <Button
            key={title}
            variant="default"
            onClick={() => {
              onShow(apiTime(new Date(Date.now() - age)));
            }}
          >
            {title}
          </Button>
        ))}
        {at !== undefined && (
          <Button
            variant="default"
            onClick={() => {
              onShow(undefined);
            }}
          >
            Now
          </Button>
        )}
      </Stack>
    </form>
  );
}
